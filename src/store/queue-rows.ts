/** The row of a queue inside a transaction: read once, created by its first use. */
import type { TenantId } from '../domain/job.ts';
import type { QueueRow } from './rows.ts';
import { type Soon, statement } from './statements.ts';
import { ensureTenantRow } from './tenant-rows.ts';
import type { Tx } from './transaction.ts';

const key = (tenant: TenantId, name: string): string => `${tenant}\n${name}`;

const QUEUE = statement((db, values: { readonly tenant: TenantId; readonly name: string }) =>
  db.selectFrom('queues').selectAll().where('tenant_id', '=', values.tenant).where('name', '=', values.name),
);

/** At once where the transaction has read it before. */
export function findQueueRow(tx: Tx, tenant: TenantId, name: string): Soon<QueueRow | null> {
  const known = tx.queueRows.get(key(tenant, name));
  return known === undefined ? readQueueRow(tx, tenant, name) : known;
}

async function readQueueRow(tx: Tx, tenant: TenantId, name: string): Promise<QueueRow | null> {
  const row = await tx.session.first(QUEUE, { tenant, name });
  tx.queueRows.set(key(tenant, name), row);
  return row;
}

/** A queue that does not exist yet comes into being, and with its first one the tenant does. Whoever calls has seen that the quota has room. */
export async function createQueueRow(tx: Tx, tenant: TenantId, name: string, nowMs: number): Promise<QueueRow> {
  await ensureTenantRow(tx, tenant, nowMs);
  tx.tally.usage.of(tenant).queues += 1;
  const row: QueueRow = {
    tenant_id: tenant,
    name,
    paused_at_ms: null,
    pause_reason: null,
    default_priority: null,
    default_max_attempts: null,
    default_retry_base_seconds: null,
    default_retry_max_seconds: null,
    default_lease_seconds: null,
    retain_completed_seconds: null,
    retain_cancelled_seconds: null,
    retain_dead_seconds: null,
    version: 1,
    created_at_ms: nowMs,
  };
  await tx.db.insertInto('queues').values(row).execute();
  const zero = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0, ready: 0, delayed: 0 };
  await tx.db
    .insertInto('queue_counters')
    .values({ tenant_id: tenant, queue_name: name, ...zero })
    .execute();
  tx.queueRows.set(key(tenant, name), row);
  return row;
}

/** Changes a queue's settings; its version counts the changes. */
export async function changeQueueRow(tx: Tx, row: QueueRow, change: Partial<QueueRow>): Promise<QueueRow> {
  const changed: QueueRow = { ...row, ...change, version: row.version + 1 };
  const { tenant_id, name, ...columns } = changed;
  await tx.db.updateTable('queues').set(columns).where('tenant_id', '=', tenant_id).where('name', '=', name).execute();
  tx.queueRows.set(key(tenant_id, name), changed);
  return changed;
}
