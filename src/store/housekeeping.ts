/** The repository's own upkeep, run by the server and never by a request. It works for all tenants. */
import type { EventKind } from '../domain/events.ts';
import type { JobState, TenantId } from '../domain/job.ts';
import type { TenantStore } from './tenant-store.ts';
import type { KeyStore } from './key-store.ts';
import type { JobStore } from './store.ts';

/** One event of a commit, as the metrics need it. */
export interface CommittedEvent {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly kind: EventKind;
  /** CLAIMED: since the job became due. */
  readonly waitMs: number | null;
  /** Events that end an attempt: since its claim. */
  readonly runMs: number | null;
}
export interface CommitReport {
  /** Operations that shared the commit. */
  readonly operations: number;
  /** From the start of the transaction until it was durable. */
  readonly durationMs: number;
  readonly events: readonly CommittedEvent[];
  /** Submissions answered from an idempotency key, or from the request id of their call. */
  readonly deduplicated: number;
}

export interface SweepReport {
  readonly expired: number;
  readonly promoted: number;
  /** True: a step's limit was reached, sweep again soon. */
  readonly hasMore: boolean;
  /** When the next delayed job falls due; null where none is known. */
  readonly nextDueAtMs: number | null;
}

export interface QueueGauge {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly counts: Readonly<Record<JobState, number>>;
  readonly ready: number;
  readonly delayed: number;
  readonly oldestReadySeconds: number | null;
}

/** What is known of the write-ahead log. */
export interface LogFigures {
  /** Written since the log last started over. */
  readonly bytes: number;
  /** Copies into the database file since the start, by who made them. */
  readonly checkpoints: { readonly background: number; readonly writer: number };
}

export interface StoreUpkeep {
  /** Recovers lapsed leases and promotes due jobs of every tenant, bounded per call. */
  sweep(): Promise<SweepReport>;
  /** Ends the lease of a running job before its time, as its end would: a drill, which no client can ask for. False where it does not run. */
  lapse(tenant: TenantId, jobId: string): Promise<boolean>;
  /** One small step of retention. `hasMore`: call again after a pause. */
  retain(): Promise<{ readonly removed: number; readonly hasMore: boolean }>;
  /** Commits one small write; throws a StoreFault where the database does not take it. */
  probe(): Promise<void>;
  /** Counters per queue, for the metrics page: the `limit` biggest of all tenants, then the rest added up as one with the queue `other`. */
  gauges(limit: number): Promise<readonly QueueGauge[]>;
  logFigures(): LogFigures;
  /** Calls `listener` after each commit, once its changes are durable. */
  onCommit(listener: (report: CommitReport) => void): void;
  /** Calls `listener` with each tenant whose log grew, after the commit. */
  onLogGrown(listener: (tenant: TenantId) => void): void;
  /** Ends waiting claims (`shutting_down`) and lets no new one wait. */
  stopWaiting(): void;
  /** Lets the running commit end, checkpoints, and closes the database. Later calls throw a StoreFault `stopping`. */
  close(): Promise<void>;
}

export type LeaseRepository = JobStore & KeyStore & StoreUpkeep & TenantStore;
