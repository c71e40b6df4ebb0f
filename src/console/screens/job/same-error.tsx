/** The way from a dead letter to all that died of the same error. */
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import type { JobShown } from './use-job.ts';

export function SameError({ job: { deadLetterGroupId } }: { readonly job: Pick<JobShown, 'deadLetterGroupId'> }) {
  const key = deadLetterGroupId === null ? null : `group ${deadLetterGroupId}`;
  const { value } = useLoaded(key, (signal) => lq.value.deadLetterGroup(deadLetterGroupId ?? '', { signal }));
  if (deadLetterGroupId === null) return null;
  return (
    <Link to="dead" id={deadLetterGroupId}>
      {value === null ? 'All that died of this error' : `Same error: ${counted(value.count, 'job')}`}
    </Link>
  );
}
