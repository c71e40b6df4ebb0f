/** The way from a dead letter to all that died of the same error. */
import { Link } from '../../route/link.tsx';
import type { JobShown } from './use-job.ts';

/** What a dead letter tells of its group, where the document of the page asks for it. */
interface InGroup {
  readonly deadLetterGroupId?: string | null;
}

export function SameError({ job: { deadLetterGroupId = null } }: { readonly job: Pick<JobShown, 'lastError'> & InGroup }) {
  if (deadLetterGroupId === null) return null;
  return (
    <Link to="dead" id={deadLetterGroupId}>
      All that died of this error
    </Link>
  );
}
