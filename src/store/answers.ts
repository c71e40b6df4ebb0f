/** What the lease repository answers: outcomes of changes, and what its reads find. */
import type { JobEvent } from '../domain/events.ts';
import type { BatchRolledBack, FailureCode, IdempotencyConflict, JobNotFound, LeaseLost, Outcome, QuotaExceeded } from '../domain/failures.ts';
import type { Job, JobState, LeaseToken, Retention } from '../domain/job.ts';
import type { WorkerState } from '../domain/worker-state.ts';
import type { LogPosition, PageKey, QueueDefaults } from './requests.ts';

export interface Submitted {
  readonly job: Job;
  /** True: its key, or the request id of its call, was known, and nothing was stored. */
  readonly deduplicated: boolean;
}

export type SubmitOutcome = Outcome<Submitted, IdempotencyConflict | QuotaExceeded | BatchRolledBack>;

export interface Settled {
  readonly job: Job;
  /** True: this very lease had settled the job in this way before; nothing was changed. */
  readonly replayed: boolean;
}

export type CompleteOutcome = Outcome<Settled, LeaseLost | JobNotFound>;

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

export interface LeaseRenewed {
  readonly jobId: string;
  readonly leaseExpiresAtMs: number;
  readonly leaseSeconds: number;
  readonly cancelRequested: boolean;
  readonly cancelReason: string | null;
}

export type HeartbeatOutcome = Outcome<LeaseRenewed, LeaseLost | JobNotFound>;

export interface Failed extends Settled {
  /** Null when the job ended. */
  readonly retryAtMs: number | null;
  readonly deadLettered: boolean;
}

export interface Cancelled {
  readonly job: Job;
  /** False: the job runs on, and its worker is told at its next heartbeat. */
  readonly finished: boolean;
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

export interface Queue {
  readonly name: string;
  readonly pausedAtMs: number | null;
  readonly pauseReason: string | null;
  readonly defaults: QueueDefaults;
  readonly retention: Retention;
  readonly version: number;
  readonly createdAtMs: number;
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
  readonly lastHour: Recent;
}

/** What happened in a queue within the last hour, to the minute. */
export interface Recent {
  /** Between due and claimed; null where nothing was claimed. */
  readonly waitP95Seconds: number | null;
  /** Between claimed and ended; null where no attempt ended. */
  readonly runP95Seconds: number | null;
  readonly died: number;
}

export type SeriesPeriod = 'hour' | 'day' | 'week';

export type Depth = Readonly<Record<'ready' | 'delayed' | 'running' | 'retry' | 'dead', number>>;

/** Null where nothing happened to be measured. */
export interface Durations {
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
  readonly p99Seconds: number | null;
}

export interface SeriesPoint {
  /** When the step begins. */
  readonly atMs: number;
  readonly submitted: number;
  readonly claimed: number;
  readonly completed: number;
  readonly failed: number;
  readonly died: number;
  readonly expired: number;
  /** At the end of the step, or now; null before anything was kept. */
  readonly depth: Depth | null;
  readonly wait: Durations;
  readonly run: Durations;
}

export interface Series {
  readonly period: SeriesPeriod;
  readonly stepSeconds: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Every step, the running one last. */
  readonly points: readonly SeriesPoint[];
}

export interface Stats extends Omit<QueueStats, 'delayed' | 'lastHour'> {
  readonly workers: number;
  readonly asOfMs: number;
}

export interface Worker {
  readonly id: string;
  readonly queues: readonly string[];
  /** Null: any. */
  readonly tasks: readonly string[] | null;
  readonly state: WorkerState;
  readonly runningJobs: number;
  /** Null without leases. */
  readonly soonestLeaseExpiresAtMs: number | null;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
}

/** An hour, and how many jobs of a group died in it. */
export interface DeadLetterTrendPoint {
  readonly atMs: number;
  readonly died: number;
}

/** Dead letters of one queue and task that died of the same error. It has at least one. */
export interface DeadLetterGroup {
  readonly id: string;
  readonly queue: string;
  readonly task: string;
  readonly errorType: string | null;
  /** Of the latest, cut. */
  readonly message: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Hour by hour, oldest first. */
  readonly trend: readonly DeadLetterTrendPoint[];
}

export interface Page<Row> {
  readonly rows: readonly { readonly key: PageKey; readonly row: Row }[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** A page that may have been looked for in a bounded number of jobs. */
export interface JobPage extends Page<Job> {
  /** Jobs of the list that were looked through for it; null where there was no bound. */
  readonly lookedThrough: number | null;
  /** The last place that was looked at, where the look ended before the page was full or the list at its end. */
  readonly cutAt: PageKey | null;
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
  /** Wanted events before these that were left out; null: some were, and nobody knows how many. Absent: none. */
  readonly passedOver?: number | null;
}
