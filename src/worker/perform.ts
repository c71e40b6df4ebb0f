/** One attempt, from the payload's check to what came of it. Never rejects. */
import { parseBySchema } from '../client/standard-schema.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HeldLease } from './held-lease.ts';
import { type Failing, failingOf } from './failing.ts';
import { abortReasonOf, NonRetryable, RetryAfter, Snooze } from './outcomes.ts';
import type { JobContext, JobProgress, Middleware } from './registration.ts';

export type Outcome =
  | { readonly kind: 'complete'; readonly result: unknown; readonly resultBytes: number }
  | { readonly kind: 'fail'; readonly failing: Failing }
  | { readonly kind: 'release'; readonly why: 'shutdown' | 'snooze' | 'cancelled'; readonly afterSeconds: number }
  /** The lease is gone: there is nothing to say. */
  | { readonly kind: 'lost' };

export interface PerformParts {
  readonly clock: Clock;
  readonly middleware: readonly Middleware[];
  /** Aborts the lease's signal. */
  readonly abort: (lease: HeldLease, reason: 'timeout') => void;
}

export async function perform(parts: PerformParts, lease: HeldLease): Promise<Outcome> {
  const stopWatch = watchTime(parts, lease);
  try {
    return await attempt(parts, lease);
  } catch (error) {
    return outcomeOfError(lease, error);
  } finally {
    stopWatch();
  }
}

/** Answers with what ends the watch. */
function watchTime({ clock, abort }: PerformParts, lease: HeldLease): () => void {
  const { timeoutMs } = lease.registration;
  return timeoutMs === null ? () => {} : clock.after(timeoutMs, () => abort(lease, 'timeout'));
}

async function attempt({ middleware }: PerformParts, lease: HeldLease): Promise<Outcome> {
  const { task, handler } = lease.registration;
  const input = task === null ? lease.job.payload : await parseBySchema(task.input, lease.job.payload, 'The payload');
  const context: JobContext = { input, job: lease.job, signal: lease.signal, progress: (progress) => void (lease.progress = checkedProgress(progress)) };
  const run = middleware.reduceRight<() => Promise<unknown>>(
    (next, around) => () => around(context, next),
    async () => handler(context as JobContext<never>),
  );
  const result = await run();
  if (task?.output !== undefined) await parseBySchema(task.output, result, 'The result');
  // Whoever lost the lease while the work ended may not say so any more.
  return abortReasonOf(lease.signal) === 'lease-lost' ? { kind: 'lost' } : completion(result);
}

/** What JSON cannot hold, or what is larger than a result may be, fails at once: the work is done, and doing it again changes nothing. */
function completion(result: unknown): Outcome {
  const text = jsonOf(result ?? null);
  if (text === null) return refused('NotJson', 'The handler gave something that JSON cannot hold.');
  const resultBytes = new TextEncoder().encode(text).length;
  if (resultBytes > LIMITS.resultBytesMax)
    return refused('ResultTooLarge', `The result has ${resultBytes} bytes as JSON, the limit is ${LIMITS.resultBytesMax}.`);
  return { kind: 'complete', result: result ?? null, resultBytes };
}

/** Null where there is none: a function, a bigint, an object within itself. */
function jsonOf(value: unknown): string | null {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text ?? null;
  } catch {
    return null;
  }
}

function refused(type: string, message: string): Outcome {
  return { kind: 'fail', failing: { ...failingOf(new NonRetryable(message)), type } };
}

/** What is thrown after the signal aborted comes of that, unless it says by its class what it is. */
function outcomeOfError(lease: HeldLease, error: unknown): Outcome {
  const reason = abortReasonOf(lease.signal);
  if (reason === 'lease-lost') return { kind: 'lost' };
  if (error instanceof Snooze) return { kind: 'release', why: 'snooze', afterSeconds: Math.min(LIMITS.afterSecondsMax, Math.ceil(error.forMs / 1_000)) };
  const isExplicit = error instanceof NonRetryable || error instanceof RetryAfter;
  return (isExplicit ? null : outcomeOfAbort(lease)) ?? { kind: 'fail', failing: failingOf(error) };
}

/** What becomes of a job whose signal was aborted and whose handler gave nothing; null where it was not aborted. */
export function outcomeOfAbort({ signal }: HeldLease): Outcome | null {
  const reason = abortReasonOf(signal);
  if (reason === null) return null;
  if (reason === 'lease-lost') return { kind: 'lost' };
  if (reason === 'timeout') return { kind: 'fail', failing: { error: signal.reason, type: 'Timeout', retry: null } };
  return { kind: 'release', why: reason, afterSeconds: 0 };
}

/** As the API takes it, whatever the handler says: one bad word must not cost the lease. */
function checkedProgress({ percent, note }: JobProgress): JobProgress {
  return {
    ...(percent !== undefined && Number.isFinite(percent) && { percent: Math.min(LIMITS.progressPercentMax, Math.max(0, percent)) }),
    ...(note !== undefined && { note: Array.from(String(note).toWellFormed()).slice(0, LIMITS.progressNoteCharactersMax).join('') }),
  };
}
