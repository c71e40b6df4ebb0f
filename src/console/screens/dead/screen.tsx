/** Dead letters: what broke, how often, and whether it is safe to redrive. */
import { route } from '../../route/route.ts';
import { GroupList } from './list.tsx';
import { GroupPage } from './page.tsx';

export function Screen() {
  const { id } = route.value;
  return id === null ? <GroupList /> : <GroupPage key={id} id={id} />;
}
