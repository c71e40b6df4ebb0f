/**
 * The lease repository as its callers see it. Every method takes the tenant first; an id of another tenant is as
 * good as unknown. Expected failures are answers (`Outcome`); a `StoreFault` is thrown where the database cannot
 * serve, and then nothing is known about the change unless the fault says so.
 *
 * Every change and its events are durable before the promise is fulfilled.
 */
import type { EventFilter, JobEvent } from '../domain/events.ts';
import type {
  BatchRolledBack,
  FailureCode,
  IdempotencyConflict,
  InvalidTransition,
  JobNotFound,
  LeaseLost,
  Outcome,
  QueueNotFound,
  VersionConflict,
} from '../domain/failures.ts';
import type { SubmitRequest } from '../domain/idempotency.ts';
import type { Attempt, Job, JobState, LeaseToken, Retention, Tag, TenantId } from '../domain/job.ts';

/** Who asks, for the record. */
export interface Caller {
  /** Name of the API key; null where nobody has to sign in. */
  readonly actor: string | null;
}

export interface Submitted {
  readonly job: Job;
  /** True: the idempotency key was known and nothing was stored. */
  readonly deduplicated: boolean;
}
export type SubmitOutcome = Outcome<Submitted, IdempotencyConflict | BatchRolledBack>;

export interface CompleteRequest {
  readonly jobId: string;
  /** As sent: any text, compared by digest only. */
  readonly leaseToken: string;
  readonly resultJson: string | null;
}
export interface Settled {
  readonly job: Job;
  /** True: this very lease had settled the job in this way before; nothing was changed. */
  readonly replayed: boolean;
}
export type CompleteOutcome = Outcome<Settled, LeaseLost | JobNotFound>;

export interface ClaimRequest {
  /** Tried in the order given. */
  readonly queues: readonly string[];
  readonly workerId: string;
  readonly max: number;
  /** Null takes the queue's default. */
  readonly leaseSeconds: number | null;
  readonly waitSeconds: number;
  /** Null: any task. */
  readonly tasks: readonly string[] | null;
  readonly requestId: string | null;
  readonly completing: readonly CompleteRequest[];
}
export interface ClaimedJob {
  readonly job: Job;
  readonly leaseToken: LeaseToken;
  readonly leaseExpiresAtMs: number;
  /** From the server's now, for clients whose clock is off. */
  readonly leaseSeconds: number;
}
export type IdleReason = 'no_ready_job' | 'paused' | 'shutting_down';
export interface ClaimAnswer {
  readonly completed: readonly CompleteOutcome[];
  readonly leases: readonly ClaimedJob[];
  readonly idle: IdleReason | null;
  readonly pollAgainInMs: number;
  readonly nowMs: number;
}

export interface HeartbeatRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  /** Null repeats the claim's length. */
  readonly extendSeconds: number | null;
  readonly progress: { readonly percent: number | null; readonly note: string | null } | null;
}
export interface LeaseRenewed {
  readonly jobId: string;
  readonly leaseExpiresAtMs: number;
  readonly leaseSeconds: number;
  readonly cancelRequested: boolean;
  readonly cancelReason: string | null;
}
export type HeartbeatOutcome = Outcome<LeaseRenewed, LeaseLost | JobNotFound>;

export interface FailRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly error: { readonly type: string | null; readonly message: string; readonly detailsJson: string | null };
  /** Null: the job's own backoff. */
  readonly retry: { readonly afterSeconds: number } | { readonly never: true } | null;
}
export interface Failed extends Settled {
  /** Null when the job ended. */
  readonly retryAtMs: number | null;
  readonly deadLettered: boolean;
}
export interface ReleaseRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly afterSeconds: number;
}

export interface CancelRequest {
  readonly jobId: string;
  readonly reason: string | null;
  readonly force: boolean;
}
export interface Cancelled {
  readonly job: Job;
  /** False: the job runs on, and its worker is told at its next heartbeat. */
  readonly finished: boolean;
}
export interface RedriveRequest {
  readonly jobId: string;
  readonly start: SubmitRequest['start'];
  readonly maxAttempts: number | null;
  readonly payloadJson: string | null;
}
export interface RescheduleRequest {
  readonly jobId: string;
  readonly start: SubmitRequest['start'];
  readonly priority: number | null;
}

/** Inclusive from, exclusive to. */
export interface InstantRange {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}
/** Fields are joined by AND, the values of one list by OR; tags must all match. An empty list matches nothing. */
export interface JobFilter {
  readonly queues?: readonly string[];
  readonly tasks?: readonly string[];
  readonly states?: readonly JobState[];
  readonly workerIds?: readonly string[];
  readonly concurrencyKeys?: readonly string[];
  readonly tags?: readonly Tag[];
  readonly createdAt?: InstantRange;
  readonly runAt?: InstantRange;
  readonly finishedAt?: InstantRange;
}
export type JobsTarget = { readonly ids: readonly string[] } | { readonly filter: JobFilter };

/** The change that a bulk call makes to each job it finds. */
export type BulkAction =
  | { readonly name: 'cancel'; readonly reason: string | null; readonly force: boolean }
  | { readonly name: 'redrive'; readonly start: SubmitRequest['start'] }
  | { readonly name: 'purge' };
export interface BulkRequest {
  readonly target: JobsTarget;
  readonly action: BulkAction;
  /** Jobs that one call changes or skips at most. */
  readonly limit: number;
  readonly dryRun: boolean;
}
export interface CappedCount {
  readonly value: number;
  readonly exact: boolean;
}
export interface BulkAnswer {
  readonly matched: CappedCount;
  readonly changed: number;
  readonly skipped: number;
  readonly hasMore: boolean;
  readonly samples: readonly { readonly jobId: string; readonly code: FailureCode }[];
}

export interface QueueDefaults {
  readonly priority: number;
  readonly maxAttempts: number;
  readonly retryBaseSeconds: number;
  readonly retryMaxSeconds: number;
  readonly leaseSeconds: number;
}
export interface Queue {
  readonly name: string;
  readonly pausedAtMs: number | null;
  readonly pauseReason: string | null;
  readonly defaults: QueueDefaults;
  readonly retention: Retention;
  readonly version: number;
  readonly createdAtMs: number;
}
export interface ConfigureQueueRequest {
  readonly name: string;
  readonly expectedVersion: number | null;
  /** An absent field stays as it is; null goes back to the server's own default. */
  readonly defaults: { readonly [Field in keyof QueueDefaults]?: number | null };
  readonly retention: { readonly [Field in keyof Retention]?: number | null };
}
export interface QueueState {
  readonly queue: Queue;
  readonly changed: boolean;
}

export type JobStateCounts = Readonly<Record<JobState, number>>;
/** Per second, over the last minute. */
export interface Throughput {
  readonly submitted: number;
  readonly claimed: number;
  readonly completed: number;
  readonly failed: number;
}
export interface QueueStats {
  readonly counts: JobStateCounts;
  /** Waiting and due, as of the last sweep (at most a second ago). */
  readonly ready: number;
  readonly delayed: number;
  /** Age of the oldest job that a claim could take; null where there is none, or the queue is paused. */
  readonly oldestReadySeconds: number | null;
  readonly throughput: Throughput;
}
export interface Stats extends Omit<QueueStats, 'delayed'> {
  readonly workers: number;
  readonly asOfMs: number;
}
export interface Worker {
  readonly id: string;
  readonly queues: readonly string[];
  readonly runningJobs: number;
  readonly lastSeenAtMs: number;
}

export const JOB_ORDERS = ['newest_first', 'oldest_first', 'next_to_run', 'recently_finished'] as const;
export type JobOrder = (typeof JOB_ORDERS)[number];

/** Place of a row in a keyset order: the values of the order's columns. */
export type PageKey = readonly (number | string)[];
export interface PageRequest {
  /** Rows strictly after this place, in the order asked for. */
  readonly after: PageKey | null;
  readonly before: PageKey | null;
  readonly limit: number;
  /** True: the `limit` rows nearest to `before`, still answered in the order asked for. */
  readonly fromEnd: boolean;
}
export interface Page<Row> {
  readonly rows: readonly { readonly key: PageKey; readonly row: Row }[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** A place in a tenant's event log. `epoch` names the part of it that was being written when the place was handed out. */
export interface LogPosition {
  readonly epoch: string;
  readonly seq: number;
}
export interface LogGap {
  readonly reason: 'retention' | 'store_restored';
  readonly resumeAt: LogPosition;
  /** Before the first event that is still there after `resumeAt`; null where there is none. */
  readonly oldestAvailable: LogPosition | null;
}
export interface EventPage {
  readonly events: readonly JobEvent[];
  readonly gap: LogGap | null;
  /** Everything up to here was looked at; pass it on to read further. */
  readonly position: LogPosition;
  readonly hasMore: boolean;
}

export interface JobStore {
  /** One outcome per request, in order, in one commit. `allOrNothing`: one failure stores nothing. */
  submit(tenant: TenantId, caller: Caller, requests: readonly SubmitRequest[], allOrNothing: boolean): Promise<readonly SubmitOutcome[]>;
  /**
   * Settles `completing`, then leases up to `max` eligible jobs, in one commit. With `waitSeconds` it waits for one
   * until the time is over, the signal aborts, or the store stops.
   */
  claim(tenant: TenantId, caller: Caller, request: ClaimRequest, signal?: AbortSignal): Promise<ClaimAnswer>;
  heartbeat(
    tenant: TenantId,
    caller: Caller,
    requests: readonly HeartbeatRequest[],
  ): Promise<{ readonly results: readonly HeartbeatOutcome[]; readonly nowMs: number }>;
  complete(tenant: TenantId, caller: Caller, requests: readonly CompleteRequest[]): Promise<readonly CompleteOutcome[]>;
  fail(tenant: TenantId, caller: Caller, request: FailRequest): Promise<Outcome<Failed, LeaseLost | JobNotFound>>;
  release(tenant: TenantId, caller: Caller, requests: readonly ReleaseRequest[]): Promise<readonly Outcome<Settled, LeaseLost | JobNotFound>[]>;

  cancel(tenant: TenantId, caller: Caller, request: CancelRequest): Promise<Outcome<Cancelled, InvalidTransition | JobNotFound>>;
  redrive(tenant: TenantId, caller: Caller, request: RedriveRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound>>;
  reschedule(tenant: TenantId, caller: Caller, request: RescheduleRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound>>;
  bulk(tenant: TenantId, caller: Caller, request: BulkRequest): Promise<BulkAnswer>;
  configureQueue(tenant: TenantId, caller: Caller, request: ConfigureQueueRequest): Promise<Outcome<{ readonly queue: Queue }, VersionConflict>>;
  /** Creates the queue where it does not exist yet. */
  pauseQueue(tenant: TenantId, caller: Caller, name: string, reason: string | null): Promise<Outcome<QueueState, QueueNotFound>>;
  resumeQueue(tenant: TenantId, caller: Caller, name: string): Promise<Outcome<QueueState, QueueNotFound>>;

  jobById(tenant: TenantId, id: string): Promise<Job | null>;
  jobByIdempotencyKey(tenant: TenantId, queue: string, key: string): Promise<Job | null>;
  jobs(tenant: TenantId, filter: JobFilter, order: JobOrder, page: PageRequest): Promise<Page<Job>>;
  countJobs(tenant: TenantId, filter: JobFilter): Promise<CappedCount>;
  /** Newest first, the running one included. Keys are `[fence]`. */
  attempts(tenant: TenantId, job: Job, page: PageRequest): Promise<Page<Attempt>>;
  /** Events of one job, oldest first, after a place in the log. */
  timeline(tenant: TenantId, jobId: string, after: LogPosition | null, limit: number): Promise<EventPage>;
  /** The log from a place on; null reads from the oldest event kept. */
  eventsAfter(tenant: TenantId, after: LogPosition | null, filter: EventFilter, limit: number): Promise<EventPage>;
  latestPosition(tenant: TenantId): Promise<LogPosition>;
  queue(tenant: TenantId, name: string): Promise<Queue | null>;
  /** By name. Keys are `[name]`. */
  queues(tenant: TenantId, page: PageRequest): Promise<Page<Queue>>;
  queueStats(tenant: TenantId, name: string): Promise<QueueStats>;
  stats(tenant: TenantId): Promise<Stats>;
  workers(tenant: TenantId, seenSinceMs: number): Promise<readonly Worker[]>;
  /** The instant by which the store judges leases. */
  nowMs(): number;
}

/** Why the database could not serve. `unknown`: the change may or may not have happened. */
export type FaultKind = 'busy' | 'full' | 'stopping' | 'unavailable' | 'fatal';
export class StoreFault extends Error {
  readonly kind: FaultKind;
  readonly outcomeUnknown: boolean;
  constructor(kind: FaultKind, message: string, options: { readonly outcomeUnknown: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'StoreFault';
    this.kind = kind;
    this.outcomeUnknown = options.outcomeUnknown;
  }
}

/** A request that its own content rules out in a way that only the store can see. Nothing was changed. */
export class InvalidRequest extends Error {
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  constructor(issues: InvalidRequest['issues']) {
    super('The request is not valid.');
    this.name = 'InvalidRequest';
    this.issues = issues;
  }
}
