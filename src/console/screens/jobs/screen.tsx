/** Not drawn yet, but for the page of one job. */
import { ScreenHead } from '../../parts/screen.tsx';
import { route } from '../../route/route.ts';
import { JobPage } from '../job/page.tsx';

export function Screen() {
  const { id } = route.value;
  return id === null ? <ScreenHead title={'Jobs'} name={'Jobs'} /> : <JobPage id={id} />;
}
