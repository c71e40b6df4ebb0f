/** Links to what is named everywhere: a job by the end of its id, a queue by its name. */
import { Link } from '../route/link.tsx';
import { Name, ShortId } from './name.tsx';

export function JobLink({ id, label }: { readonly id: string; readonly label?: string | undefined }) {
  return (
    <Link to="jobs" id={id} label={label}>
      <ShortId id={id} />
    </Link>
  );
}

export function QueueLink({ name }: { readonly name: string }) {
  return (
    <Link to="queues" id={name}>
      <Name text={name} />
    </Link>
  );
}
