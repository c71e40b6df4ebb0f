/** Removes a job that has ended, for good. */
import { LeaseQueueError } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { type AboutJob, JobDialog } from './job-dialog.tsx';

export function PurgeDialog(about: AboutJob) {
  const { id } = about.job;
  const action = useAction(async () => {
    const { changed } = await lq.value.purgeJobs({ target: { ids: [id] } });
    if (changed === 0) throw new LeaseQueueError({ code: 'INVALID_TRANSITION', message: 'The job is not there any more, or has not ended. Look at it again.' });
    return 'The job is removed.';
  });
  return (
    <JobDialog {...about} name="purge" title="Remove the job" words="Remove 1 job" tone="danger" action={action}>
      <p>
        The job goes for good, with its payload, result, attempts and events, and its idempotency key is free again. Nobody can bring it back. This page keeps
        showing what it has until you leave it.
      </p>
    </JobDialog>
  );
}
