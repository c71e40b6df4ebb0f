/** Makes what the API wants of what a producer says. */
import type { SubmitJobInput } from './generated/graphql.ts';
import { type Duration, durationSeconds } from './duration.ts';
import { LeaseQueueError } from './errors.ts';
import type { RetryPolicy, Task } from './task.ts';

export interface SubmitOptions {
  /** Absent: the task's, else `default`. */
  readonly queue?: string;
  /**
   * Makes repeating safe, also by another process: the same key with the same request answers the job that it made.
   * Absent: the client makes one, which protects its own repeats of this call only.
   */
  readonly idempotencyKey?: string;
  /** -100 to 100, higher first. */
  readonly priority?: number;
  /** When it may first run: at an instant, or after a time. Absent: at once. */
  readonly start?: { readonly at: Date | string } | { readonly in: Duration };
  readonly tags?: Readonly<Record<string, string>>;
  readonly concurrencyKey?: string;
  /** Instead of the task's. */
  readonly retry?: RetryPolicy;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

type Defined = Pick<Task, 'name' | 'queue' | 'retry'>;

export function submissionOf({ name, queue, retry: usual }: Defined, payload: object, options: SubmitOptions): SubmitJobInput {
  const { attempts, base, max } = { ...usual, ...options.retry };
  const lane = options.queue ?? queue;
  return {
    task: name,
    payload: payload as Record<string, unknown>,
    ...(lane !== undefined && { queue: lane }),
    ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
    ...(options.priority !== undefined && { priority: options.priority }),
    ...(options.concurrencyKey !== undefined && { concurrencyKey: options.concurrencyKey }),
    ...(options.tags !== undefined && { tags: Object.entries(options.tags).map(([key, value]) => ({ key, value })) }),
    ...(options.start !== undefined && { start: startOf(options.start) }),
    ...(attempts !== undefined && { maxAttempts: attempts }),
    ...(base !== undefined && { retryBaseSeconds: durationSeconds(base) }),
    ...(max !== undefined && { retryMaxSeconds: durationSeconds(max) }),
  };
}

function startOf(start: NonNullable<SubmitOptions['start']>): NonNullable<SubmitJobInput['start']> {
  if ('in' in start) return { inSeconds: durationSeconds(start.in) };
  if (typeof start.at === 'string') return { at: start.at };
  if (!Number.isNaN(start.at.getTime())) return { at: start.at.toISOString() };
  throw new LeaseQueueError({ code: 'BAD_SETTINGS', message: '`start.at` is no point in time.' });
}
