/** The part of a job's row that its events say, in the words of the replay. */
import type { ReplayedJob } from '../../src/domain/events.ts';
import type { Job } from '../../src/domain/job.ts';

export function replayedRow({ state, attempt, fence, priority, maxAttempts, runAtMs, cancelRequestedAtMs }: Job): ReplayedJob {
  return { state, attempt, fence, priority, maxAttempts, runAtMs, cancelRequested: cancelRequestedAtMs !== null };
}
