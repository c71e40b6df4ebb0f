/** Rows to domain values and back: the only place where snake_case meets camelCase. */
import type { Selectable } from 'kysely';
import type { StoredUsage, Tenant } from '../domain/access.ts';
import type { Attempt, Job, JobError, JobState, Lease, Progress, Retention, Tag } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { effectiveQuotas, type QuotaSettings, type SetQuotas } from '../domain/quotas.ts';
import type { Queue } from './answers.ts';
import type { AttemptTable, JobTable, QueueTable, TenantTable, TenantUsageTable, WaitingLane } from './tables.ts';
import type { JobChanges, NewJobRow } from './written-columns.ts';

export type JobRow = Selectable<JobTable>;
export type QueueRow = Selectable<QueueTable>;
export type TenantRow = Selectable<TenantTable>;

/** A job together with what only the store may see of its row. */
export interface LocatedJob {
  readonly job: Job;
  readonly seq: number;
  readonly leaseTokenHash: string | null;
  readonly lastEventSeq: number;
  /** As its row says, which lags behind the clock until the job is promoted. */
  readonly lane: WaitingLane | null;
}

function present<Value>(value: Value | null, column: string): Value {
  if (value === null) throw new Error(`a leased job's row has no ${column}`);
  return value;
}

function leaseOf(row: JobRow): Lease | null {
  if (row.lease_expires_at_ms === null) return null;
  return {
    workerId: present(row.lease_worker_id, 'lease_worker_id'),
    expiresAtMs: row.lease_expires_at_ms,
    leaseSeconds: present(row.lease_seconds, 'lease_seconds'),
    startedAtMs: present(row.lease_started_at_ms, 'lease_started_at_ms'),
    heartbeatAtMs: row.lease_heartbeat_at_ms,
    renewals: present(row.lease_renewals, 'lease_renewals'),
    claimedFrom: present(row.lease_claimed_from, 'lease_claimed_from'),
    requestId: row.lease_request_id,
  };
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

function written(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    queue: row.queue_name,
    task: row.task,
    state: row.state,
    payloadJson: row.payload,
    resultJson: row.result,
    priority: row.priority,
    attempt: row.attempt,
    fence: row.fence,
    maxAttempts: row.max_attempts,
    retryBaseSeconds: row.retry_base_seconds,
    retryMaxSeconds: row.retry_max_seconds,
    runAtMs: row.run_at_ms,
    concurrencyKey: row.concurrency_key,
    tags: parsed<Tag[]>(row.tags) ?? [],
    progress: parsed<Progress>(row.progress),
    lease: leaseOf(row),
    releasesInRow: row.releases_in_row,
    cancelRequestedAtMs: row.cancel_requested_at_ms,
    cancelReason: row.cancel_reason,
    lastError: parsed<JobError>(row.last_error),
    deadGroup: row.dead_group,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    finishedAtMs: row.finished_at_ms,
    purgeAtMs: row.purge_at_ms,
    idempotentUntilMs: row.idempotency_key === null && row.call_seq === null ? null : row.created_at_ms + LIMITS.idempotencyWindowSeconds * 1000,
  };
}

export function locatedOf(row: JobRow): LocatedJob {
  return { job: jobOf(row), seq: row.seq, leaseTokenHash: row.lease_token_hash, lastEventSeq: row.last_event_seq, lane: row.waiting };
}

/** Where a job in this state with this due time waits; null where it does not wait. */
export function waitingLane(state: JobState, runAtMs: number, nowMs: number): WaitingLane | null {
  if (state !== 'queued' && state !== 'retry') return null;
  return runAtMs <= nowMs ? 'due' : 'delayed';
}

/** The columns in which the job differs from what it was, the lease aside. A column that is written costs its indexes too. */
export function changedColumns(before: Job, after: Job): JobChanges {
  const changes: JobChanges = { updated_at_ms: after.updatedAtMs };
  if (after.state !== before.state) changes.state = after.state;
  if (after.payloadJson !== before.payloadJson) changes.payload = after.payloadJson;
  if (after.resultJson !== before.resultJson) changes.result = after.resultJson;
  if (after.priority !== before.priority) changes.priority = after.priority;
  if (after.attempt !== before.attempt) changes.attempt = after.attempt;
  if (after.fence !== before.fence) changes.fence = after.fence;
  if (after.maxAttempts !== before.maxAttempts) changes.max_attempts = after.maxAttempts;
  if (after.runAtMs !== before.runAtMs) changes.run_at_ms = after.runAtMs;
  if (after.progress !== before.progress) changes.progress = written(after.progress);
  if (after.releasesInRow !== before.releasesInRow) changes.releases_in_row = after.releasesInRow;
  if (after.cancelRequestedAtMs !== before.cancelRequestedAtMs) changes.cancel_requested_at_ms = after.cancelRequestedAtMs;
  if (after.cancelReason !== before.cancelReason) changes.cancel_reason = after.cancelReason;
  if (after.lastError !== before.lastError) changes.last_error = written(after.lastError);
  if (after.deadGroup !== before.deadGroup) changes.dead_group = after.deadGroup;
  if (after.finishedAtMs !== before.finishedAtMs) changes.finished_at_ms = after.finishedAtMs;
  if (after.purgeAtMs !== before.purgeAtMs) changes.purge_at_ms = after.purgeAtMs;
  return changes;
}

/** The columns of a lease that was taken, given up, or extended, which changes but a few. */
export function changedLeaseColumns(before: Lease | null, after: Lease | null, tokenHash: string | null): JobChanges {
  if (before === after) return {};
  if (before !== null && after !== null)
    return { lease_expires_at_ms: after.expiresAtMs, lease_heartbeat_at_ms: after.heartbeatAtMs, lease_renewals: after.renewals };
  return {
    lease_worker_id: after?.workerId ?? null,
    lease_token_hash: after === null ? null : tokenHash,
    lease_expires_at_ms: after?.expiresAtMs ?? null,
    lease_seconds: after?.leaseSeconds ?? null,
    lease_started_at_ms: after?.startedAtMs ?? null,
    lease_heartbeat_at_ms: after?.heartbeatAtMs ?? null,
    lease_renewals: after?.renewals ?? null,
    lease_claimed_from: after?.claimedFrom ?? null,
    lease_request_id: after?.requestId ?? null,
  };
}

/** The row of a new job; its key and its place in the event log come with the insert. */
export function newJobColumns(
  job: Job,
  lane: WaitingLane | null,
): Omit<NewJobRow, 'tenant_id' | 'idempotency_key' | 'fingerprint' | 'call_seq' | 'last_event_seq' | 'old_id'> {
  return {
    id: job.id,
    queue_name: job.queue,
    task: job.task,
    state: job.state,
    waiting: lane,
    priority: job.priority,
    run_at_ms: job.runAtMs,
    attempt: job.attempt,
    fence: job.fence,
    max_attempts: job.maxAttempts,
    retry_base_seconds: job.retryBaseSeconds,
    retry_max_seconds: job.retryMaxSeconds,
    concurrency_key: job.concurrencyKey,
    tags: job.tags.length === 0 ? null : JSON.stringify(job.tags),
    releases_in_row: job.releasesInRow,
    created_at_ms: job.createdAtMs,
    updated_at_ms: job.updatedAtMs,
    payload: job.payloadJson,
  };
}

export function attemptOf(row: Selectable<AttemptTable>): Attempt {
  return {
    number: row.number,
    fence: row.fence,
    workerId: row.worker_id,
    startedAtMs: row.started_at_ms,
    lastHeartbeatAtMs: row.heartbeat_at_ms,
    finishedAtMs: row.finished_at_ms,
    outcome: row.outcome,
    error: parsed<JobError>(row.error),
    errorGroup: row.error_group,
  };
}

/** The attempt that a running job's lease stands for; null where none runs. */
export function runningAttemptOf(job: Job): Attempt | null {
  if (job.lease === null) return null;
  const { workerId, startedAtMs, heartbeatAtMs } = job.lease;
  return {
    number: job.attempt,
    fence: job.fence,
    workerId,
    startedAtMs,
    lastHeartbeatAtMs: heartbeatAtMs,
    finishedAtMs: null,
    outcome: 'running',
    error: null,
    errorGroup: null,
  };
}

/** What a queue gives a job that says nothing else, the server's own values where it has none. */
export function defaultsOf(row: QueueRow): Queue['defaults'] {
  return {
    priority: row.default_priority ?? LIMITS.priorityDefault,
    maxAttempts: row.default_max_attempts ?? LIMITS.maxAttemptsDefault,
    retryBaseSeconds: row.default_retry_base_seconds ?? LIMITS.retryBaseSecondsDefault,
    retryMaxSeconds: row.default_retry_max_seconds ?? LIMITS.retryMaxSecondsDefault,
    leaseSeconds: row.default_lease_seconds ?? LIMITS.leaseSecondsDefault,
  };
}

/** A queue with the server's own values wherever it has none. */
export function queueOf(row: QueueRow, retention: Retention): Queue {
  return {
    name: row.name,
    pausedAtMs: row.paused_at_ms,
    pauseReason: row.pause_reason,
    defaults: defaultsOf(row),
    retention: retentionOf(row, retention),
    version: row.version,
    createdAtMs: row.created_at_ms,
  };
}

export function retentionOf(row: QueueRow, { completedSeconds, cancelledSeconds, deadSeconds }: Retention): Retention {
  return {
    completedSeconds: row.retain_completed_seconds ?? completedSeconds,
    cancelledSeconds: row.retain_cancelled_seconds ?? cancelledSeconds,
    deadSeconds: row.retain_dead_seconds ?? deadSeconds,
  };
}

export function tenantOf(row: TenantRow): Tenant {
  return {
    id: row.tenant_id,
    name: row.name,
    suspended: row.suspended === 1,
    quotas: effectiveQuotas(quotaSettingsOf(row)),
    createdAtMs: row.created_at_ms,
  };
}

export function quotaSettingsOf({ quotas, own_quotas: own }: Pick<TenantRow, 'quotas' | 'own_quotas'>): QuotaSettings {
  return { granted: JSON.parse(quotas) as SetQuotas, own: JSON.parse(own) as SetQuotas };
}

export function quotaColumns({ granted, own }: QuotaSettings): Pick<TenantRow, 'quotas' | 'own_quotas'> {
  return { quotas: JSON.stringify(granted), own_quotas: JSON.stringify(own) };
}

export function usageOf({ waiting, queues, stored_bytes: storedBytes }: Omit<Selectable<TenantUsageTable>, 'tenant_id'>): StoredUsage {
  return { waitingJobs: waiting, queues, storedBytes };
}
