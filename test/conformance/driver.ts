/**
 * A queue as scenarios see it, whatever is behind: the model, the store, or a server over HTTP. It holds what the API
 * shows and nothing else, in one set of types, so that one expectation fits every driver.
 */
import type { EventDetail, EventKind } from '../../src/domain/events.ts';
import type { Failure, IdempotencyConflict } from '../../src/domain/failures.ts';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { Attempt, Job, JobState, TenantId } from '../../src/domain/job.ts';
import type { BulkAnswer, IdleReason, QueueStats } from '../../src/store/answers.ts';
import type {
  BulkRequest,
  CancelRequest,
  ClaimRequest,
  CompleteRequest,
  ConfigureQueueRequest,
  FailRequest,
  HeartbeatRequest,
  RedriveRequest,
  ReleaseRequest,
  RescheduleRequest,
} from '../../src/store/requests.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A job as the API shows it. */
export interface JobView
  extends Pick<
    Job,
    | 'id'
    | 'queue'
    | 'task'
    | 'state'
    | 'payloadJson'
    | 'resultJson'
    | 'priority'
    | 'attempt'
    | 'fence'
    | 'maxAttempts'
    | 'retryBaseSeconds'
    | 'retryMaxSeconds'
    | 'runAtMs'
    | 'concurrencyKey'
    | 'tags'
    | 'progress'
    | 'lastError'
    | 'createdAtMs'
    | 'finishedAtMs'
    | 'purgeAtMs'
  > {
  readonly lease: { readonly workerId: string; readonly expiresAtMs: number; readonly renewals: number } | null;
  readonly isCancelRequested: boolean;
}

export interface EventView {
  readonly kind: EventKind;
  readonly fromState: JobState | null;
  readonly toState: JobState;
  readonly attempt: number;
  readonly fence: number;
  readonly workerId: string | null;
  readonly atMs: number;
  readonly detail: EventDetail | null;
}

export type Refusal =
  | Exclude<Failure, IdempotencyConflict>
  | { readonly code: 'IDEMPOTENCY_CONFLICT'; readonly existingJob: JobView; readonly differingFields: readonly string[] };
export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Refusal };

export interface SettledView {
  readonly job: JobView;
  readonly replayed: boolean;
}
export interface FailedView extends SettledView {
  readonly retryAtMs: number | null;
  readonly deadLettered: boolean;
}
export interface RenewedView {
  readonly leaseExpiresAtMs: number;
  readonly cancelRequested: boolean;
  readonly cancelReason: string | null;
}
export interface ClaimView {
  readonly completed: readonly Answer<SettledView>[];
  readonly leases: readonly { readonly job: JobView; readonly leaseToken: string; readonly leaseExpiresAtMs: number }[];
  readonly idle: IdleReason | null;
  readonly pollAgainInMs: number;
}

export interface QueueDriver {
  readonly clock: ManualClock;
  submit(
    tenant: TenantId,
    requests: readonly SubmitRequest[],
    allOrNothing: boolean,
  ): Promise<readonly Answer<{ readonly job: JobView; readonly deduplicated: boolean }>[]>;
  claim(tenant: TenantId, request: ClaimRequest): Promise<ClaimView>;
  heartbeat(tenant: TenantId, requests: readonly HeartbeatRequest[]): Promise<readonly Answer<RenewedView>[]>;
  complete(tenant: TenantId, requests: readonly CompleteRequest[]): Promise<readonly Answer<SettledView>[]>;
  fail(tenant: TenantId, request: FailRequest): Promise<Answer<FailedView>>;
  release(tenant: TenantId, requests: readonly ReleaseRequest[]): Promise<readonly Answer<SettledView>[]>;
  cancel(tenant: TenantId, request: CancelRequest): Promise<Answer<{ readonly job: JobView; readonly finished: boolean }>>;
  redrive(tenant: TenantId, request: RedriveRequest): Promise<Answer<{ readonly job: JobView }>>;
  reschedule(tenant: TenantId, request: RescheduleRequest): Promise<Answer<{ readonly job: JobView }>>;
  bulk(tenant: TenantId, request: BulkRequest): Promise<BulkAnswer>;
  configure(tenant: TenantId, request: ConfigureQueueRequest): Promise<Answer<{ readonly version: number }>>;
  pause(tenant: TenantId, queue: string, reason: string | null): Promise<Answer<{ readonly changed: boolean }>>;
  resume(tenant: TenantId, queue: string): Promise<Answer<{ readonly changed: boolean }>>;
  /** Runs the sweeper until it has nothing left to do, for every tenant; answers with the leases that it found lapsed. */
  sweep(): Promise<number>;
  /** Runs retention until it has nothing left to remove, for every tenant; answers with the jobs removed. */
  retain(): Promise<number>;
  job(tenant: TenantId, id: string): Promise<JobView | null>;
  /** Oldest first. */
  events(tenant: TenantId, jobId: string): Promise<readonly EventView[]>;
  /** Oldest first, the running one included. */
  attempts(tenant: TenantId, jobId: string): Promise<readonly Attempt[]>;
  stats(tenant: TenantId, queue: string): Promise<Omit<QueueStats, 'throughput' | 'lastHour'>>;
  close(): Promise<void>;
}

/** Makes fresh queues of one kind. */
export interface DriverMaker {
  readonly name: string;
  make(): Promise<QueueDriver>;
}
