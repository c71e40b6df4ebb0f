/**
 * What a job is. Times are epoch milliseconds on the server's clock, lengths are whole seconds, JSON is kept
 * as text because the queue never looks inside. The lease token is not here: what a type does not contain
 * cannot leak.
 */
declare const brand: unique symbol;

/** A tenant that the server has authenticated or configured; never a raw string of a request. */
export type TenantId = string & { readonly [brand]: 'TenantId' };
/** The secret that proves a lease. Shown once, by the claim's answer. */
export type LeaseToken = string & { readonly [brand]: 'LeaseToken' };

export const JOB_STATES = ['queued', 'running', 'retry', 'completed', 'dead', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** States in which a job waits for a claim. */
export const WAITING_STATES = ['queued', 'retry'] as const satisfies readonly JobState[];
export type WaitingState = (typeof WAITING_STATES)[number];

export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** A worker's time-limited right to settle a job. A job has one if and only if it is running. */
export interface Lease {
  readonly workerId: string;
  /** The lease is live while now is before this instant. */
  readonly expiresAtMs: number;
  /** Length that the claim granted; a heartbeat without a length repeats it. */
  readonly leaseSeconds: number;
  readonly startedAtMs: number;
  readonly heartbeatAtMs: number | null;
  readonly renewals: number;
  /** Where a release puts the job back to. */
  readonly claimedFrom: WaitingState;
  readonly requestId: string | null;
}

export interface JobError {
  readonly type: string | null;
  readonly message: string;
  readonly detailsJson: string | null;
  readonly atMs: number;
}

export interface Progress {
  /** 0 to 100. */
  readonly percent: number | null;
  readonly note: string | null;
  readonly updatedAtMs: number;
}

export interface Job {
  /** A UUID of version 7, which ends with the place of its first event. */
  readonly id: string;
  readonly queue: string;
  readonly task: string;
  readonly state: JobState;
  /** A JSON object in canonical form. */
  readonly payloadJson: string;
  readonly resultJson: string | null;
  /** -100 to 100, higher first. */
  readonly priority: number;
  /** Claims charged to the current budget; 1 while first running. */
  readonly attempt: number;
  /** Claims ever made, never reset. */
  readonly fence: number;
  readonly maxAttempts: number;
  readonly retryBaseSeconds: number;
  readonly retryMaxSeconds: number;
  readonly runAtMs: number;
  readonly concurrencyKey: string | null;
  readonly tags: readonly Tag[];
  readonly progress: Progress | null;
  readonly lease: Lease | null;
  readonly releasesInRow: number;
  readonly cancelRequestedAtMs: number | null;
  readonly cancelReason: string | null;
  readonly lastError: JobError | null;
  /** Names the group of dead letters that died in this queue, of this task, of the same error; null unless dead. */
  readonly deadGroup: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly finishedAtMs: number | null;
  /** When retention removes it; null while it can still run, or where nothing removes it. */
  readonly purgeAtMs: number | null;
  /** Until when an idempotency key binds this job to its submission; null without a key. */
  readonly idempotentUntilMs: number | null;
}

/** What a transition may change. Everything else is fixed at submission. */
export type JobPatch = Partial<
  Pick<
    Job,
    | 'state'
    | 'payloadJson'
    | 'resultJson'
    | 'priority'
    | 'attempt'
    | 'fence'
    | 'maxAttempts'
    | 'runAtMs'
    | 'progress'
    | 'lease'
    | 'releasesInRow'
    | 'cancelRequestedAtMs'
    | 'cancelReason'
    | 'lastError'
    | 'finishedAtMs'
    | 'purgeAtMs'
  >
>;

/** Seconds that finished jobs are kept after their end; 0 keeps them for ever. */
export interface Retention {
  readonly completedSeconds: number;
  readonly cancelledSeconds: number;
  readonly deadSeconds: number;
}

export const ATTEMPT_OUTCOMES = ['completed', 'failed', 'lease_expired', 'released', 'cancelled', 'revoked'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One ended claim in the ledger of a job. */
export interface Attempt {
  readonly number: number;
  readonly fence: number;
  readonly workerId: string;
  readonly startedAtMs: number;
  readonly lastHeartbeatAtMs: number | null;
  /** Null while it runs. */
  readonly finishedAtMs: number | null;
  readonly outcome: AttemptOutcome | 'running';
  readonly error: JobError | null;
  /** The group of dead letters that its error leads to; null without an error. */
  readonly errorGroup: string | null;
}

/** True while the lease may be used: at the exact instant of its expiry it is over. */
export function isLeaseLive(lease: Lease, nowMs: number): boolean {
  return nowMs < lease.expiresAtMs;
}

export function isWaiting(job: Pick<Job, 'state'>): boolean {
  return job.state === 'queued' || job.state === 'retry';
}

/** True if a claim could take the job now, its queue's pause aside. */
export function isDue(job: Pick<Job, 'state' | 'runAtMs'>, nowMs: number): boolean {
  return isWaiting(job) && job.runAtMs <= nowMs;
}
