/** The queues of the tenant, and one of them. */
import { route } from '../../route/route.ts';
import { QueueList } from './list.tsx';
import { QueuePage } from './page.tsx';

export function Screen() {
  const { id } = route.value;
  return id === null ? <QueueList /> : <QueuePage key={id} name={id} />;
}
