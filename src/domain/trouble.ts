/** How much a queue needs somebody to look at it, as one number to sort by. */

export interface Signs {
  /** Jobs that became dead letters within the last hour. */
  readonly died: number;
  /** Since when the oldest job that a claim could take has been due; null where there is none. */
  readonly oldestReadySeconds: number | null;
  readonly retrying: number;
  /** Nothing is taken from it, and jobs wait. */
  readonly isPausedWithJobs: boolean;
}

/** Of each sign but the pause: one that is off the scale must not hide the others. */
const SIGN_MAX = 3_600;
/** As bad as a job that has been kept waiting for a minute. */
const DIED_POINTS = 60;
/** As bad as a job that has been kept waiting for ten minutes. */
const PAUSED_POINTS = 600;

/**
 * One point for each second that the oldest ready job has been due, 60 for each dead letter of the last hour, one for each
 * job that waits for another attempt, at most 3,600 of each kind, and 600 for a pause while jobs wait.
 */
export function troublePoints({ died, oldestReadySeconds, retrying, isPausedWithJobs }: Signs): number {
  const capped = (points: number): number => Math.min(points, SIGN_MAX);
  return capped(oldestReadySeconds ?? 0) + capped(DIED_POINTS * died) + capped(retrying) + (isPausedWithJobs ? PAUSED_POINTS : 0);
}
