/** Not drawn yet. */
import { ScreenHead } from '../../parts/screen.tsx';

export function Screen() {
  return <ScreenHead title={'Submit a job'} name={'Submit a job'} />;
}
