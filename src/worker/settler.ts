/**
 * Tells the server how attempts ended. A call is repeated with the same token while the lease can still be alive; a final
 * "no" is told once and never repeated.
 */
import { retryPauseMs } from '../client/backoff.ts';
import type { LeaseQueue } from '../client/client.ts';
import { type FailureResult, isFailure, LeaseQueueError } from '../client/errors.ts';
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CompletedResult } from './claim-request.ts';
import type { HeldLease } from './held-lease.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Tell } from './worker-events.ts';
import { errorInput, type Failing, refusedResult } from './failing.ts';

export interface SettlerParts {
  readonly lq: LeaseQueue;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly keeper: LeaseKeeper;
  readonly tell: Tell;
}

type Settled = { readonly __typename: string };

export class Settler {
  readonly #parts: SettlerParts;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** Where the server refuses the result, the job fails for good: another attempt would end the same way. */
  async complete(lease: HeldLease, result: unknown, tookMs: number): Promise<void> {
    const { lq, tell } = this.#parts;
    const answer = await this.#told(lease, () => lq.completeJob({ jobId: lease.job.id, leaseToken: lease.token, result }));
    if (answer instanceof LeaseQueueError) return this.fail(lease, refusedResult(answer), tookMs);
    if (answer !== null) tell({ type: 'job-completed', job: lease.job, tookMs });
  }

  /** What the server said of a completion that travelled with a claim. */
  async completed(lease: HeldLease, result: CompletedResult, tookMs: number): Promise<void> {
    if (this.#final(lease, result) !== null) this.#parts.tell({ type: 'job-completed', job: lease.job, tookMs });
  }

  async fail(lease: HeldLease, failing: Failing, tookMs: number): Promise<void> {
    const { lq, tell } = this.#parts;
    const { error, retry } = failing;
    const said = errorInput(error, failing.type);
    const input = { jobId: lease.job.id, leaseToken: lease.token, error: said, ...(retry !== null && { retry }) };
    const answer = await this.#told(lease, () => lq.failJob(input));
    if (answer instanceof LeaseQueueError) return this.#refused(lease, answer);
    if (answer?.__typename !== 'FailJobSuccess') return;
    const { retryAt, deadLettered: isDead } = answer;
    tell({ type: 'job-failed', job: lease.job, error, errorType: said.type, retryAt: retryAt === null ? null : new Date(retryAt), isDead, tookMs });
  }

  async release(lease: HeldLease, why: 'shutdown' | 'snooze' | 'cancelled', afterSeconds = 0): Promise<void> {
    const { lq, tell } = this.#parts;
    const answer = await this.#told(lease, () => lq.releaseJob({ jobId: lease.job.id, leaseToken: lease.token, afterSeconds }));
    if (answer instanceof LeaseQueueError) return this.#refused(lease, answer);
    if (answer !== null) tell({ type: 'job-released', job: lease.job, why });
  }

  /** The success, null where the lease is gone, or the error with which the request itself was refused. */
  async #told<Result extends Settled>(lease: HeldLease, ask: () => Promise<Result>): Promise<Exclude<Result, FailureResult> | LeaseQueueError | null> {
    const { clock, chance, keeper } = this.#parts;
    lease.isSettling = true;
    // Heartbeats go on meanwhile, and must not make it endless.
    const patienceEndsMs = clock.monotonicMs() + lease.registration.leaseSeconds * 1_000;
    for (let repeats = 0; clock.monotonicMs() < Math.min(lease.deadlineMs, patienceEndsMs); repeats++) {
      const answer = await this.#asked(ask);
      if (!(answer instanceof LeaseQueueError)) return this.#final(lease, answer);
      if (!answer.isRetryable && !answer.isOutcomeUnknown) return answer;
      await clock.sleep(retryPauseMs(repeats, chance, answer.retryAfterMs));
    }
    keeper.lose(lease, 'The server did not say in time that it knows how the attempt ended.');
    return null;
  }

  async #asked<Result>(ask: () => Promise<Result>): Promise<Result | LeaseQueueError> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof LeaseQueueError) return error;
      throw error;
    }
  }

  #final<Result extends Settled>(lease: HeldLease, answer: Result): Exclude<Result, FailureResult> | null {
    if (isFailure(answer)) {
      this.#parts.keeper.lose(lease, (answer as FailureResult).message);
      return null;
    }
    this.#parts.keeper.remove(lease);
    return answer as Exclude<Result, FailureResult>;
  }

  /** Nothing can be said about the attempt: its lease runs out by itself. */
  #refused(lease: HeldLease, error: LeaseQueueError): void {
    this.#parts.keeper.lose(lease, error.message);
  }
}
