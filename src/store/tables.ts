/** Row types of the database: text ids, epoch-millisecond integers, JSON as text, the same on every engine. */
import type { Generated } from 'kysely';
import type { EventKind } from '../domain/events.ts';
import type { AttemptOutcome, JobState, TenantId, WaitingState } from '../domain/job.ts';
import type { DeadGroupActivityTable, DeadGroupTable } from './dead-group-tables.ts';
import type { OperatorActionTable, RedactionRulesTable } from './audit-tables.ts';
import type { QueueActivityTable, QueueSeriesTable } from './series-tables.ts';
import type { SubmissionCallTable } from './submission-calls.ts';

/** Where a waiting job stands: claimable by the clock, or delayed until its time. */
export type WaitingLane = 'due' | 'delayed';

export interface JobTable {
  /** Submission order, and the row's place on disk. */
  readonly seq: Generated<number>;
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly queue_name: string;
  readonly task: string;
  readonly state: JobState;
  readonly waiting: WaitingLane | null;
  readonly priority: number;
  readonly run_at_ms: number;
  readonly attempt: number;
  readonly fence: number;
  readonly max_attempts: number;
  readonly retry_base_seconds: number;
  readonly retry_max_seconds: number;
  readonly concurrency_key: string | null;
  readonly tags: string | null;
  readonly idempotency_key: string | null;
  readonly fingerprint: string | null;
  readonly lease_worker_id: string | null;
  readonly lease_token_hash: string | null;
  readonly lease_expires_at_ms: number | null;
  readonly lease_seconds: number | null;
  readonly lease_started_at_ms: number | null;
  readonly lease_heartbeat_at_ms: number | null;
  readonly lease_renewals: number | null;
  readonly lease_claimed_from: WaitingState | null;
  readonly lease_request_id: string | null;
  readonly releases_in_row: number;
  readonly cancel_requested_at_ms: number | null;
  readonly cancel_reason: string | null;
  readonly progress: string | null;
  readonly last_error: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly finished_at_ms: number | null;
  readonly purge_at_ms: number | null;
  readonly last_event_seq: number;
  readonly payload: string;
  readonly result: string | null;
  /** Set if and only if the job is dead. */
  readonly dead_group: string | null;
  /** Of the call that made it, where that may be repeated by its request id: then retention leaves the job to answer it. */
  readonly call_seq: number | null;
  /** 1: its id, made before ids ended with the place of the job's first event, is found by an index. Null: by that place. */
  readonly old_id: 1 | null;
}

export interface JobTagTable {
  readonly tenant_id: TenantId;
  readonly key: string;
  readonly value: string;
  readonly job_seq: number;
}

/** One row per ended attempt; the running one is on the job's row. */
export interface AttemptTable {
  readonly tenant_id: TenantId;
  readonly job_seq: number;
  readonly fence: number;
  readonly number: number;
  readonly worker_id: string;
  readonly token_hash: string;
  readonly started_at_ms: number;
  readonly heartbeat_at_ms: number | null;
  readonly finished_at_ms: number;
  readonly outcome: AttemptOutcome;
  /** The verb of the holder that ended it; null where the server or an operator did. */
  readonly settled_by: 'complete' | 'fail' | 'release' | null;
  readonly settled_to: JobState;
  readonly retry_at_ms: number | null;
  readonly error: string | null;
  /** The group of dead letters that this error leads to; null without an error, and before there were groups. */
  readonly error_group: string | null;
}

/**
 * A job's events are chained: each holds the seq of the job's previous one, the job's row the last. What the job's row
 * or the kind alone says is not written again for each event.
 */
export interface EventTable {
  readonly tenant_id: TenantId;
  readonly seq: number;
  readonly previous_seq: number | null;
  readonly job_seq: number;
  readonly kind: EventKind;
  /** Null where the kind says it. */
  readonly from_state: JobState | null;
  /** Null where the kind says it. */
  readonly to_state: JobState | null;
  readonly attempt: number;
  readonly fence: number;
  readonly at_ms: number;
  readonly worker_id: string | null;
  readonly actor: string | null;
  readonly run_at_ms: number | null;
  readonly priority: number | null;
  readonly max_attempts: number | null;
  readonly lease_expires_at_ms: number | null;
  readonly reason: string | null;
  /** Which job it was; null while its row is there to tell. */
  readonly gone_job: string | null;
}

/** Head and low-water mark of each tenant's event log. */
export interface EventLogTable {
  readonly tenant_id: TenantId;
  /** Of the last event. */
  readonly epoch: string;
  readonly last_seq: number;
  /** Highest seq of an event that was removed; whoever reads from before it has missed something. */
  readonly low_water_seq: number;
}

/**
 * Which process wrote a tenant's log from where on. A place that a process handed out after a backup was taken is past
 * the end of that process's part in the restored log, or of a process that the log never knew: both are recognised.
 */
export interface LogEpochTable {
  readonly tenant_id: TenantId;
  readonly epoch: string;
  readonly first_seq: number;
}

export interface QueueTable {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly paused_at_ms: number | null;
  readonly pause_reason: string | null;
  readonly default_priority: number | null;
  readonly default_max_attempts: number | null;
  readonly default_retry_base_seconds: number | null;
  readonly default_retry_max_seconds: number | null;
  readonly default_lease_seconds: number | null;
  readonly retain_completed_seconds: number | null;
  readonly retain_cancelled_seconds: number | null;
  readonly retain_dead_seconds: number | null;
  readonly version: number;
  readonly created_at_ms: number;
}

/** Kept in the transaction of each transition, so that nobody ever counts jobs. */
export interface QueueCounterTable {
  readonly tenant_id: TenantId;
  readonly queue_name: string;
  readonly queued: number;
  readonly running: number;
  readonly retry: number;
  readonly completed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly ready: number;
  readonly delayed: number;
}

export interface WorkerTable {
  readonly tenant_id: TenantId;
  readonly id: string;
  /** JSON array of the queues that its last claim named. */
  readonly queues: string;
  /** JSON array of the tasks that its last noted claim named; null where it took any. */
  readonly tasks: string | null;
  readonly running: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  /** From when on it counts as silent while it holds leases, without another sign. */
  readonly silent_at_ms: number;
}

/** A tenant comes into being with its first queue, its first key, or by name. */
export interface TenantTable {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly suspended: 0 | 1;
  /** JSON object of the quotas that were granted; an absent one is the default. */
  readonly quotas: string;
  /** JSON object of the quotas that the tenant's own administrators set, none above what was granted. */
  readonly own_quotas: string;
  readonly created_at_ms: number;
}

/** What a tenant uses of its quotas, kept in the transaction of each change. */
export interface TenantUsageTable {
  readonly tenant_id: TenantId;
  readonly waiting: number;
  readonly queues: number;
  readonly stored_bytes: number;
}

export interface ApiKeyTable {
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly name: string;
  readonly secret_hash: string;
  /** JSON array. */
  readonly scopes: string;
  /** JSON array of queue names; empty: every queue. */
  readonly queues: string;
  readonly created_at_ms: number;
  readonly last_used_at_ms: number | null;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
}

export interface StoreMetaTable {
  readonly key: string;
  readonly value: string;
}

export interface Tables {
  readonly jobs: JobTable;
  readonly job_tags: JobTagTable;
  readonly submission_calls: SubmissionCallTable;
  readonly attempts: AttemptTable;
  readonly events: EventTable;
  readonly event_logs: EventLogTable;
  readonly log_epochs: LogEpochTable;
  readonly queues: QueueTable;
  readonly queue_counters: QueueCounterTable;
  readonly queue_activity: QueueActivityTable;
  readonly queue_series: QueueSeriesTable;
  readonly workers: WorkerTable;
  readonly tenants: TenantTable;
  readonly tenant_usage: TenantUsageTable;
  readonly api_keys: ApiKeyTable;
  readonly dead_groups: DeadGroupTable;
  readonly dead_group_activity: DeadGroupActivityTable;
  readonly operator_actions: OperatorActionTable;
  readonly redaction_rules: RedactionRulesTable;
  readonly store_meta: StoreMetaTable;
}
