/** A lease that this worker holds, from the claim's answer until it is settled or lost. */
import type { WorkerClaimFieldsFragment } from '../client/generated/graphql.ts';
import { type AbortReason, JobAborted } from './outcomes.ts';
import type { JobProgress, Registration, RunningJob } from './registration.ts';

export type ClaimedLease = WorkerClaimFieldsFragment['leases'][number];

/** Share of a lease after which it is renewed. */
const BEAT_SHARE = 1 / 3;
/** Share of a lease that is left when the worker gives it up by its own clock, for its clock and the way to the server. */
const MARGIN_SHARE = 1 / 10;

const MESSAGES: Readonly<Record<AbortReason, string>> = {
  'lease-lost': 'The lease of the job is over: stop working on it.',
  cancelled: 'An operator cancelled the job.',
  timeout: "The task's time is over.",
  shutdown: 'The worker stops.',
};

export class HeldLease {
  readonly job: RunningJob;
  readonly token: string;
  readonly registration: Registration;
  readonly #aborter = new AbortController();
  /** Monotonic: nothing may be done under the lease from here on. */
  deadlineMs = 0;
  /** Monotonic: when it is to be renewed. */
  nextBeatMs = 0;
  /** Monotonic: when a heartbeat was sent last. */
  beatenMs = Number.NEGATIVE_INFINITY;
  isBeating = false;
  /** What no heartbeat has carried yet. */
  progress: JobProgress | null = null;
  /** Its outcome is on its way to the server, or no longer of interest: a heartbeat that finds it gone says nothing new. */
  isSettling = false;

  /** `sentMs`: when the claim was sent, since the lease cannot have begun before. */
  constructor({ job, leaseToken, leaseSeconds, attempt, fence }: ClaimedLease, registration: Registration, sentMs: number) {
    const { id, queueName: queue, task, maxAttempts, priority, createdAt, payload, tags } = job;
    this.job = {
      ...{ id, queue, task, attempt, maxAttempts, fence, priority, createdAt: new Date(createdAt), payload: payload ?? {} },
      tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
    };
    this.token = leaseToken;
    this.registration = registration;
    this.renewed(sentMs, leaseSeconds);
    // A claim's leases are as long as the shortest of its tasks asks for.
    if (leaseSeconds < registration.leaseSeconds - 1) this.nextBeatMs = sentMs;
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** The lease is `leaseSeconds` long from `sentMs` on, at least. */
  renewed(sentMs: number, leaseSeconds: number): void {
    const leaseMs = leaseSeconds * 1_000;
    this.nextBeatMs = sentMs + leaseMs * BEAT_SHARE;
    this.deadlineMs = Math.max(this.deadlineMs, sentMs + leaseMs * (1 - MARGIN_SHARE));
  }

  /** False where it was aborted before. */
  abort(reason: AbortReason): boolean {
    if (this.signal.aborted) return false;
    this.#aborter.abort(new JobAborted(reason, MESSAGES[reason]));
    return true;
  }
}
