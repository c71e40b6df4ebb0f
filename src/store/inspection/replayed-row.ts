/** The part of a job's row that its events say, in the words of the replay. */
import type { ReplayedJob } from '../../domain/events.ts';
import type { Job } from '../../domain/job.ts';

export type ReplayedColumns = Pick<Job, 'state' | 'attempt' | 'fence' | 'priority' | 'maxAttempts' | 'runAtMs' | 'cancelRequestedAtMs'>;

export function replayedRow({ state, attempt, fence, priority, maxAttempts, runAtMs, cancelRequestedAtMs }: ReplayedColumns): ReplayedJob {
  return { state, attempt, fence, priority, maxAttempts, runAtMs, cancelRequested: cancelRequestedAtMs !== null };
}
