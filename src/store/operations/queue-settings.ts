/** Pausing, resuming and configuring queues. */
import { failed, type Outcome, type QueueNotFound, type QuotaExceeded, succeeded, type VersionConflict } from '../../domain/failures.ts';
import type { TenantId } from '../../domain/job.ts';
import { recordAction } from '../audit-log.ts';
import type { ClaimWaiters } from '../claim-waiters.ts';
import { changeQueueRow, findQueueRow } from '../queue-rows.ts';
import { openQueueRow } from '../quotas.ts';
import { type QueueRow, queueOf } from '../rows.ts';
import type { Queue, QueueState } from '../answers.ts';
import type { Caller, ConfigureQueueRequest } from '../requests.ts';
import { inScene, type OperationParts } from './facts.ts';

export function configureQueue(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  request: ConfigureQueueRequest,
): Promise<Outcome<{ readonly queue: Queue }, VersionConflict | QuotaExceeded>> {
  return inScene(parts, tenant, caller, {}, async (scene) => {
    const { tx } = scene;
    const known = await findQueueRow(tx, tenant, request.name);
    const currentVersion = known?.version ?? 0;
    if (request.expectedVersion !== null && request.expectedVersion !== currentVersion) return failed({ code: 'VERSION_CONFLICT', currentVersion });
    const opened = await openQueueRow(scene, request.name);
    if (!opened.ok) return opened;
    const changed = await changeQueueRow(tx, opened.value, settingColumns(request));
    const { name: queue, defaults, retention } = request;
    await recordAction(scene, { kind: 'configure_queue', target: { queue, defaults, retention }, changed: 1, skipped: 0, reason: null });
    return succeeded({ queue: queueOf(changed, parts.retention) });
  });
}

/** Only what the request names; null goes back to the server's own value. */
function settingColumns({ defaults, retention }: ConfigureQueueRequest): Partial<QueueRow> {
  return {
    ...(defaults.priority !== undefined && { default_priority: defaults.priority }),
    ...(defaults.maxAttempts !== undefined && { default_max_attempts: defaults.maxAttempts }),
    ...(defaults.retryBaseSeconds !== undefined && { default_retry_base_seconds: defaults.retryBaseSeconds }),
    ...(defaults.retryMaxSeconds !== undefined && { default_retry_max_seconds: defaults.retryMaxSeconds }),
    ...(defaults.leaseSeconds !== undefined && { default_lease_seconds: defaults.leaseSeconds }),
    ...(retention.completedSeconds !== undefined && { retain_completed_seconds: retention.completedSeconds }),
    ...(retention.cancelledSeconds !== undefined && { retain_cancelled_seconds: retention.cancelledSeconds }),
    ...(retention.deadSeconds !== undefined && { retain_dead_seconds: retention.deadSeconds }),
  };
}

export function pauseQueue(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  name: string,
  reason: string | null,
): Promise<Outcome<QueueState, QueueNotFound | QuotaExceeded>> {
  return inScene(parts, tenant, caller, {}, async (scene) => {
    const { tx, nowMs } = scene;
    const opened = await openQueueRow(scene, name);
    if (!opened.ok) return opened;
    const { value: row } = opened;
    if (row.paused_at_ms !== null) return succeeded({ queue: queueOf(row, parts.retention), changed: false });
    const changed = await changeQueueRow(tx, row, { paused_at_ms: nowMs, pause_reason: reason });
    await recordAction(scene, { kind: 'pause_queue', target: { queue: name }, changed: 1, skipped: 0, reason });
    return succeeded({ queue: queueOf(changed, parts.retention), changed: true });
  });
}

export async function resumeQueue(
  parts: OperationParts & { readonly waiters: ClaimWaiters },
  tenant: TenantId,
  caller: Caller,
  name: string,
): Promise<Outcome<QueueState, QueueNotFound>> {
  const outcome: Outcome<QueueState, QueueNotFound> = await inScene(parts, tenant, caller, {}, async (scene) => {
    const { tx } = scene;
    const row = await findQueueRow(tx, tenant, name);
    if (row === null) return failed({ code: 'QUEUE_NOT_FOUND', name });
    if (row.paused_at_ms === null) return succeeded({ queue: queueOf(row, parts.retention), changed: false });
    const changed = await changeQueueRow(tx, row, { paused_at_ms: null, pause_reason: null });
    await recordAction(scene, { kind: 'resume_queue', target: { queue: name }, changed: 1, skipped: 0, reason: null });
    return succeeded({ queue: queueOf(changed, parts.retention), changed: true });
  });
  if (outcome.ok && outcome.value.changed) parts.waiters.wakeQueue(tenant, name);
  return outcome;
}
