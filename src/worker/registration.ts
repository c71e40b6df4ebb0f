/** Who does what: the handlers of a worker, and what they are given. */
import { LIMITS } from '../domain/limits.ts';
import { type Duration, durationMs, durationSeconds } from '../client/duration.ts';
import { LeaseQueueError } from '../client/errors.ts';
import type { Task, TaskPayload, TaskResult } from '../client/task.ts';

/** A job as its handler sees it. */
export interface RunningJob {
  /** For others to recognise repeats of the same work by. */
  readonly id: string;
  readonly queue: string;
  readonly task: string;
  /** 1 for the first attempt of its budget. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** +1 at every claim, never reset: whatever the work changes can refuse a smaller one. */
  readonly fence: number;
  readonly priority: number;
  readonly createdAt: Date;
  readonly tags: Readonly<Record<string, string>>;
  /** As it was submitted. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface JobProgress {
  /** 0 to 100. */
  readonly percent?: number;
  /** For people; cut at 1,000 characters. */
  readonly note?: string;
}

export interface JobContext<Input = unknown> {
  /** The payload as the task's schema gives it. */
  readonly input: Input;
  readonly job: RunningJob;
  /** Aborted when the work should stop; its reason is a JobAborted. Pass it on to whatever takes time. */
  readonly signal: AbortSignal;
  /** Says how far the work is. Sent along with heartbeats, within about a second; the latest word wins. */
  progress(progress: JobProgress): void;
}

/** Does the work; what it gives is kept as the job's result. */
export type Handler<Definition extends Task> = (
  context: JobContext<TaskPayload<Definition>>,
) => TaskResult<Definition> | Promise<TaskResult<Definition>> | void | Promise<void>;
/** Runs around every handler, the first one outermost: it calls `next` once, and may look at what comes back or is thrown. */
export type Middleware = (context: JobContext, next: () => Promise<unknown>) => Promise<unknown>;

export interface HandlerOptions {
  /** Jobs of the task at the same time, within the worker's own concurrency. */
  readonly concurrency?: number;
  /** How long an attempt may take. Absent: the task's, else as long as it likes. */
  readonly timeout?: Duration;
}

export interface Registration {
  /** Null: every task. */
  readonly task: Task | null;
  readonly handler: (context: JobContext<never>) => unknown;
  /** Infinity where the worker's own is the only one. */
  readonly concurrency: number;
  readonly leaseSeconds: number;
  /** Null: as long as it likes. */
  readonly timeoutMs: number | null;
}

/** Throws BAD_SETTINGS where a number is out of its range. */
export function registrationOf(
  task: Task | null,
  handler: Registration['handler'],
  { concurrency = Number.POSITIVE_INFINITY, timeout = task?.timeout }: HandlerOptions,
  lease: Duration,
): Registration {
  if (concurrency !== Number.POSITIVE_INFINITY) checkCount('The concurrency of a task', concurrency, 1);
  const leaseSeconds = durationSeconds(task?.lease ?? lease);
  if (leaseSeconds < LIMITS.leaseSecondsMin || leaseSeconds > LIMITS.leaseSecondsMax)
    throw badSettings(`A lease is ${LIMITS.leaseSecondsMin} to ${LIMITS.leaseSecondsMax} seconds long, not ${leaseSeconds}.`);
  return { task, handler, concurrency, leaseSeconds, timeoutMs: timeout === undefined ? null : durationMs(timeout) };
}

export function checkCount(what: string, count: number, min: number): number {
  if (Number.isSafeInteger(count) && count >= min) return count;
  throw badSettings(`${what} is a whole number of at least ${min}.`);
}

export function badSettings(message: string): LeaseQueueError {
  return new LeaseQueueError({ code: 'BAD_SETTINGS', message });
}
