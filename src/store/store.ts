/**
 * The lease repository as its callers see it. Every method takes the tenant first; an id of another tenant is as
 * good as unknown. Expected failures are answers (`Outcome`); a `StoreFault` is thrown where the database cannot
 * serve, and then nothing is known about the change unless the fault says so.
 *
 * Every change and its events are durable before the promise is fulfilled.
 */
import type { EventFilter } from '../domain/events.ts';
import type { InvalidTransition, JobNotFound, LeaseLost, Outcome, QueueNotFound, QuotaExceeded, VersionConflict } from '../domain/failures.ts';
import type { SubmitRequest } from '../domain/idempotency.ts';
import type { Attempt, Job, TenantId } from '../domain/job.ts';
import type {
  BulkAnswer,
  Cancelled,
  CappedCount,
  ClaimAnswer,
  CompleteOutcome,
  DeadLetterGroup,
  EventPage,
  Failed,
  HeartbeatOutcome,
  JobPage,
  Page,
  Queue,
  QueueState,
  QueueStats,
  Series,
  SeriesPeriod,
  Settled,
  Stats,
  SubmitOutcome,
  Worker,
} from './answers.ts';
import type {
  BulkRequest,
  Caller,
  CancelRequest,
  ClaimRequest,
  CompleteRequest,
  ConfigureQueueRequest,
  DeadLetterGroupFilter,
  DeadLetterGroupOrder,
  FailRequest,
  HeartbeatRequest,
  JobFilter,
  JobOrder,
  LogPosition,
  PageRequest,
  RedriveRequest,
  ReleaseRequest,
  RescheduleRequest,
  WorkerSelection,
} from './requests.ts';

export interface JobStore {
  /**
   * One outcome per request, in order, in one commit; quotas are judged item by item. `allOrNothing`: one failure stores
   * nothing. The same call with the same `requestId` again answers the jobs that it made, and tries anew what failed;
   * another call with it throws an InvalidRequest.
   */
  submit(
    tenant: TenantId,
    caller: Caller,
    requests: readonly SubmitRequest[],
    allOrNothing: boolean,
    requestId?: string | null,
  ): Promise<readonly SubmitOutcome[]>;
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
  redrive(tenant: TenantId, caller: Caller, request: RedriveRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound | QuotaExceeded>>;
  reschedule(tenant: TenantId, caller: Caller, request: RescheduleRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound>>;
  bulk(tenant: TenantId, caller: Caller, request: BulkRequest): Promise<BulkAnswer>;
  configureQueue(
    tenant: TenantId,
    caller: Caller,
    request: ConfigureQueueRequest,
  ): Promise<Outcome<{ readonly queue: Queue }, VersionConflict | QuotaExceeded>>;
  /** Creates the queue where it does not exist yet. */
  pauseQueue(tenant: TenantId, caller: Caller, name: string, reason: string | null): Promise<Outcome<QueueState, QueueNotFound | QuotaExceeded>>;
  resumeQueue(tenant: TenantId, caller: Caller, name: string): Promise<Outcome<QueueState, QueueNotFound>>;

  jobById(tenant: TenantId, id: string): Promise<Job | null>;
  jobByIdempotencyKey(tenant: TenantId, queue: string, key: string): Promise<Job | null>;
  /** With `lookThroughMax` it ends after so many jobs of the list, whether they match or not. */
  jobs(tenant: TenantId, filter: JobFilter, order: JobOrder, page: PageRequest, lookThroughMax?: number | null): Promise<JobPage>;
  /** With `lookThroughMax` it looks through so many jobs at most, where jobs are looked through at all. */
  countJobs(tenant: TenantId, filter: JobFilter, lookThroughMax?: number): Promise<CappedCount>;
  /** The largest, or the latest, first. Keys are `[count, id]`, or `[lastAtMs, id]`. */
  deadLetterGroups(tenant: TenantId, filter: DeadLetterGroupFilter, order: DeadLetterGroupOrder, page: PageRequest): Promise<Page<DeadLetterGroup>>;
  deadLetterGroup(tenant: TenantId, id: string): Promise<DeadLetterGroup | null>;
  /** Newest first, the running one included. Keys are `[fence]`. */
  attempts(tenant: TenantId, job: Job, page: PageRequest): Promise<Page<Attempt>>;
  /** Events of one job, oldest first, after a place in the log. */
  timeline(tenant: TenantId, jobId: string, after: LogPosition | null, limit: number): Promise<EventPage>;
  /** The log from a place on; null reads from the oldest event kept. `isNewestOnly`: of more than `limit` the last ones, and no more after them. */
  eventsAfter(tenant: TenantId, after: LogPosition | null, filter: EventFilter, limit: number, isNewestOnly?: boolean): Promise<EventPage>;
  latestPosition(tenant: TenantId): Promise<LogPosition>;
  queue(tenant: TenantId, name: string): Promise<Queue | null>;
  /** By name, those whose name begins so. Keys are `[name]`. */
  queues(tenant: TenantId, page: PageRequest, namePrefix?: string): Promise<Page<Queue>>;
  /** Those that need somebody to look at them, the worst first, then the others by name. `among`: these alone. */
  troubledQueues(tenant: TenantId, limit: number, among?: readonly string[]): Promise<readonly Queue[]>;
  queueStats(tenant: TenantId, name: string): Promise<QueueStats>;
  /** The figures of each, in the order of the names. */
  statsOfQueues(tenant: TenantId, names: readonly string[]): Promise<readonly QueueStats[]>;
  /** Figures over time: of these queues added up, or, with null, of the whole tenant. */
  series(tenant: TenantId, queues: readonly string[] | null, period: SeriesPeriod): Promise<Series>;
  stats(tenant: TenantId): Promise<Stats>;
  /** By id: whoever was heard of since then, or holds a lease. */
  workers(tenant: TenantId, seenSinceMs: number, selection?: WorkerSelection): Promise<readonly Worker[]>;
  /** The instant by which the store judges leases. */
  nowMs(): number;
}

/** Why the database could not serve. `unknown`: the change may or may not have happened. */
export type FaultKind = 'busy' | 'full' | 'stopping' | 'fatal';

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

/** The caller's key is restricted to queues that do not include what was asked for. Nothing was changed. */
export class QueueForbidden extends Error {
  constructor() {
    super('The key is restricted to other queues.');
    this.name = 'QueueForbidden';
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
