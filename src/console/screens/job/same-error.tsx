/** The way from a dead letter to all that died of the same error. */
import { Link } from '../../route/link.tsx';
import type { JobShown } from './use-job.ts';

/** What a job tells of its group, where its document asks for it. */
interface InGroup {
  readonly deadLetterGroupId?: string | null;
  readonly deadLetterGroup?: { readonly count: number } | null;
}

export function SameError({ job: { deadLetterGroupId = null, deadLetterGroup } }: { readonly job: Pick<JobShown, 'lastError'> & InGroup }) {
  if (deadLetterGroupId === null) return null;
  return (
    <Link to="dead" id={deadLetterGroupId}>
      {deadLetterGroup == null ? 'All that died of this error' : `same error: ${deadLetterGroup.count} jobs`}
    </Link>
  );
}
