/** Jobs: the list of them, or the page of one. */
import { route } from '../../route/route.ts';
import { JobPage } from '../job/page.tsx';
import { JobsList } from './list.tsx';

export function Screen() {
  const { id } = route.value;
  return id === null ? <JobsList /> : <JobPage id={id} />;
}
