/** The reads that an operation starts from: the row that it will decide on, inside its transaction. */
import { sql } from 'kysely';
import type { TenantId } from '../domain/job.ts';
import { type LocatedJob, type JobRow, locatedOf } from './rows.ts';
import type { Tx } from './transaction.ts';

export async function locateById({ db }: Pick<Tx, 'db'>, tenant: TenantId, id: string): Promise<LocatedJob | null> {
  const row = await db.selectFrom('jobs').selectAll().where('tenant_id', '=', tenant).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : locatedOf(row);
}

export async function locateByIdempotencyKey({ db }: Pick<Tx, 'db'>, tenant: TenantId, queue: string, key: string): Promise<JobRow | null> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** Claim order: priority high to low, then due time, then submission. */
function inClaimOrder(a: JobRow, b: JobRow): number {
  return b.priority - a.priority || a.run_at_ms - b.run_at_ms || a.seq - b.seq;
}

/** The next jobs of the queue that may be claimed, best first. One read per task, so that other tasks' jobs cost nothing. */
export async function locateClaimable(tx: Tx, tenant: TenantId, queue: string, tasks: readonly string[] | null, limit: number): Promise<readonly LocatedJob[]> {
  if (tasks === null) return (await dueRows(tx, tenant, queue, null, limit)).map(locatedOf);
  const found: JobRow[] = [];
  for (const task of new Set(tasks)) found.push(...(await dueRows(tx, tenant, queue, task, limit)));
  return found.toSorted(inClaimOrder).slice(0, limit).map(locatedOf);
}

function dueRows({ db }: Tx, tenant: TenantId, queue: string, task: string | null, limit: number): Promise<readonly JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .$if(task !== null, (query) => query.where('task', '=', task ?? ''))
    .where('waiting', '=', sql.lit('due'))
    .orderBy('priority', 'desc')
    .orderBy('run_at_ms')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Running jobs of the queue whose lease is over. */
export async function locateLapsed({ db }: Tx, tenant: TenantId, queue: string, nowMs: number, limit: number): Promise<readonly LocatedJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('lease_expires_at_ms', '<=', nowMs)
    .orderBy('lease_expires_at_ms')
    .limit(limit)
    .execute();
  return rows.map(locatedOf);
}

/** Live leases that an earlier claim with this request id took. */
export async function locateLeasesOfRequest({ db }: Tx, tenant: TenantId, workerId: string, requestId: string, nowMs: number): Promise<readonly LocatedJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('lease_worker_id', '=', workerId)
    .where('lease_request_id', '=', requestId)
    .where('lease_expires_at_ms', '>', nowMs)
    .orderBy('fence')
    .orderBy('seq')
    .execute();
  return rows.map(locatedOf);
}

/** The instant of the queue's next lapse or due job; null where neither is ahead. */
export async function nextAppointmentMs({ db }: Tx, tenant: TenantId, queue: string): Promise<number | null> {
  const lapse = await db
    .selectFrom('jobs')
    .select('lease_expires_at_ms as atMs')
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('lease_expires_at_ms', 'is not', null)
    .orderBy('lease_expires_at_ms')
    .limit(1)
    .executeTakeFirst();
  const due = await db
    .selectFrom('jobs')
    .select('run_at_ms as atMs')
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('waiting', '=', sql.lit('delayed'))
    .orderBy('run_at_ms')
    .limit(1)
    .executeTakeFirst();
  const instants = [lapse?.atMs, due?.atMs].filter((atMs) => atMs !== null && atMs !== undefined);
  return instants.length === 0 ? null : Math.min(...instants);
}
