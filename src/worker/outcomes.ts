/** What a handler may throw to say how its attempt ends, and why its signal was aborted. */
import { type Duration, durationMs } from '../client/duration.ts';

/** No further attempt can succeed: the job becomes a dead letter at once. */
export class NonRetryable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NonRetryable';
  }
}

/** The attempt failed; try again after this time, up to a day, instead of the job's own backoff. */
export class RetryAfter extends Error {
  readonly afterMs: number;

  constructor(after: Duration, message = 'The handler asked for another attempt later.', options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryAfter';
    this.afterMs = durationMs(after);
  }
}

/** Not now: the job goes back to its queue for this time, up to a day, and no attempt is used. After ten times in a row one is. */
export class Snooze extends Error {
  readonly forMs: number;

  constructor(time: Duration) {
    super('The handler put the job off.');
    this.name = 'Snooze';
    this.forMs = durationMs(time);
  }
}

/**
 * - `lease-lost`: the lease is over by the worker's own clock, or the server said so. Somebody else may hold the job now.
 * - `cancelled`: an operator asked for it.
 * - `timeout`: the task's `timeout` is over.
 * - `shutdown`: the worker stops, and its grace is over.
 */
export type AbortReason = 'lease-lost' | 'cancelled' | 'timeout' | 'shutdown';

/** The reason of a job's signal. */
export class JobAborted extends Error {
  readonly reason: AbortReason;

  constructor(reason: AbortReason, message: string) {
    super(message);
    this.name = 'JobAborted';
    this.reason = reason;
  }
}

/** Why the signal of a job was aborted; null where it was not. */
export function abortReasonOf({ aborted, reason }: AbortSignal): AbortReason | null {
  return aborted && reason instanceof JobAborted ? reason.reason : null;
}
