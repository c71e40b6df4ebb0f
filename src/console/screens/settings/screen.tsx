/** Not drawn yet. */
import { ScreenHead } from '../../parts/screen.tsx';

export function Screen() {
  return <ScreenHead title={'Settings'} name={'Settings'} />;
}
