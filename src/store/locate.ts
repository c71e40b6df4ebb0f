/** The reads that an operation starts from: the row that it will decide on, inside its transaction. */
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../domain/job.ts';
import { numberInId } from '../runtime/entropy.ts';
import type { Scene } from './apply.ts';
import { type LocatedJob, type JobRow, locatedOf } from './rows.ts';
import { statement } from './statements.ts';
import type { Tables } from './tables.ts';
import type { Tx } from './transaction.ts';

interface Named {
  readonly tenant: TenantId;
  readonly id: string;
}

const BY_FIRST_EVENT = statement((db, values: Named & { readonly place: number }) =>
  withId(db, values).where('seq', '=', (eb) =>
    eb.selectFrom('events').select('events.job_seq').where('events.tenant_id', '=', values.tenant).where('events.seq', '=', values.place),
  ),
);
const BY_OLD_ID = statement((db, values: Named) => withId(db, values).where('old_id', '=', sql.lit(1)));

function withId(db: Kysely<Tables>, { tenant, id }: Named) {
  return db.selectFrom('jobs').selectAll().where('tenant_id', '=', tenant).where('id', '=', id);
}

/** An id ends with the place of the job's first event, which knows its row; those of old are in an index. */
export async function locateById({ session }: Tx, tenant: TenantId, id: string): Promise<LocatedJob | null> {
  const place = numberInId(id);
  const placed = place === null ? null : await session.first(BY_FIRST_EVENT, { tenant, id, place });
  const row = placed ?? (await session.first(BY_OLD_ID, { tenant, id }));
  return row === null ? null : locatedOf(row);
}

/** Claim order: priority high to low, then due time, then submission. */
function inClaimOrder(a: JobRow, b: JobRow): number {
  return b.priority - a.priority || a.run_at_ms - b.run_at_ms || a.seq - b.seq;
}

interface DueIn {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly nowMs: number;
  readonly limit: number;
}

const DUE = statement((db, values: DueIn) => dueIn(db, values).limit(values.limit));
const DUE_OF_TASK = statement((db, values: DueIn & { readonly task: string }) => dueIn(db, values).where('task', '=', values.task).limit(values.limit));

/**
 * The instant matters where the clock was set back between two processes: what was due in the one is not yet due in the other.
 * The plus keeps it from choosing the index.
 */
function dueIn(db: Kysely<Tables>, { tenant, queue, nowMs }: DueIn) {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('waiting', '=', sql.lit('due'))
    .where(sql`+run_at_ms`, '<=', nowMs)
    .orderBy('priority', 'desc')
    .orderBy('run_at_ms')
    .orderBy('seq');
}

/** The next jobs of the queue that may be claimed, best first. One read per task, so that other tasks' jobs cost nothing. */
export async function locateClaimable(
  { tx: { session }, tenant, nowMs }: Pick<Scene, 'tx' | 'tenant' | 'nowMs'>,
  queue: string,
  tasks: readonly string[] | null,
  limit: number,
): Promise<readonly LocatedJob[]> {
  const wanted = { tenant, queue, nowMs, limit };
  if (tasks === null) return (await session.all(DUE, wanted)).map(locatedOf);
  const found: JobRow[] = [];
  for (const task of new Set(tasks)) found.push(...(await session.all(DUE_OF_TASK, { ...wanted, task })));
  return found.toSorted(inClaimOrder).slice(0, limit).map(locatedOf);
}

const LAPSED = statement((db, values: { readonly tenant: TenantId; readonly queue: string; readonly nowMs: number; readonly limit: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', values.tenant)
    .where('queue_name', '=', values.queue)
    .where('lease_expires_at_ms', '<=', values.nowMs)
    .orderBy('lease_expires_at_ms')
    .limit(values.limit),
);

/** Running jobs of the queue whose lease is over. */
export async function locateLapsed({ session }: Tx, tenant: TenantId, queue: string, nowMs: number, limit: number): Promise<readonly LocatedJob[]> {
  return (await session.all(LAPSED, { tenant, queue, nowMs, limit })).map(locatedOf);
}

const OF_REQUEST = statement((db, values: { readonly tenant: TenantId; readonly workerId: string; readonly requestId: string; readonly nowMs: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', values.tenant)
    .where('lease_worker_id', '=', values.workerId)
    .where('lease_request_id', '=', values.requestId)
    .where('lease_expires_at_ms', '>', values.nowMs)
    .orderBy('fence')
    .orderBy('seq'),
);

/** Live leases that an earlier claim with this request id took. */
export async function locateLeasesOfRequest(
  { session }: Tx,
  tenant: TenantId,
  workerId: string,
  requestId: string,
  nowMs: number,
): Promise<readonly LocatedJob[]> {
  return (await session.all(OF_REQUEST, { tenant, workerId, requestId, nowMs })).map(locatedOf);
}

const NEXT_APPOINTMENT = statement((db, { tenant, queue }: { readonly tenant: TenantId; readonly queue: string }) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('jobs')
      .select('lease_expires_at_ms')
      .where('tenant_id', '=', tenant)
      .where('queue_name', '=', queue)
      .where('lease_expires_at_ms', 'is not', null)
      .orderBy('lease_expires_at_ms')
      .limit(1)
      .as('lapseAtMs'),
    eb
      .selectFrom('jobs')
      .select('run_at_ms')
      .where('tenant_id', '=', tenant)
      .where('queue_name', '=', queue)
      .where('waiting', '=', sql.lit('delayed'))
      .orderBy('run_at_ms')
      .limit(1)
      .as('dueAtMs'),
  ]),
);

/** The instant of the queue's next lapse or due job; null where neither is ahead. */
export async function nextAppointmentMs({ session }: Tx, tenant: TenantId, queue: string): Promise<number | null> {
  const { lapseAtMs, dueAtMs } = (await session.first(NEXT_APPOINTMENT, { tenant, queue })) ?? { lapseAtMs: null, dueAtMs: null };
  if (lapseAtMs === null || dueAtMs === null) return lapseAtMs ?? dueAtMs;
  return Math.min(lapseAtMs, dueAtMs);
}
