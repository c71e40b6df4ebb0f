/** Reading queues, their counters and rates. No query counts jobs. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Retention, TenantId } from '../../domain/job.ts';
import type { QueueGauge } from '../housekeeping.ts';
import { queueOf } from '../rows.ts';
import type { JobStateCounts, Page, Queue, Stats, Throughput } from '../answers.ts';
import type { PageRequest } from '../requests.ts';
import type { QueueCounterTable, Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { oldestDueMs } from './due-priorities.ts';
import { pageOf, rowsToRead } from './page.ts';
import { heardOf } from './workers.ts';

type Counters = Omit<Selectable<QueueCounterTable>, 'tenant_id' | 'queue_name'>;

export const NO_JOBS: Counters = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0, ready: 0, delayed: 0 };
export const COUNTERS = ['queued', 'running', 'retry', 'completed', 'dead', 'cancelled', 'ready', 'delayed'] as const;
export const RATE_SECONDS = 60;
/** Workers that claimed or sent a heartbeat within this time count as there. */
export const WORKER_SEEN_MS = 300_000;

export class QueueQueries {
  readonly #db: Kysely<Tables>;
  readonly #retention: Retention;

  constructor(db: Kysely<Tables>, retention: Retention) {
    this.#db = db;
    this.#retention = retention;
  }

  async queue(tenant: TenantId, name: string): Promise<Queue | null> {
    const row = await this.#db.selectFrom('queues').selectAll().where('tenant_id', '=', tenant).where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : queueOf(row, this.#retention);
  }

  async page(tenant: TenantId, request: PageRequest, namePrefix: string): Promise<Page<Queue>> {
    const direction = request.fromEnd ? 'desc' : 'asc';
    let query = this.#db.selectFrom('queues').selectAll().where('tenant_id', '=', tenant);
    // No character of a name comes behind it.
    if (namePrefix !== '') query = query.where('name', '>=', namePrefix).where('name', '<', `${namePrefix}\x7f`);
    if (request.after !== null) query = query.where('name', '>', String(request.after[0]));
    if (request.before !== null) query = query.where('name', '<', String(request.before[0]));
    const rows = await query.orderBy('name', direction).limit(rowsToRead(request)).execute();
    return pageOf(
      rows,
      request,
      ({ name }) => [name],
      (row) => queueOf(row, this.#retention),
    );
  }

  async stats(tenant: TenantId, nowMs: number): Promise<Stats> {
    const counters = await this.#db
      .selectFrom('queue_counters')
      .select((eb) => COUNTERS.map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), sql<number>`0`).as(name)))
      .where('tenant_id', '=', tenant)
      .executeTakeFirst();
    const { counts, ready } = statesOf(counters ?? NO_JOBS);
    const oldestReadySeconds = ready === 0 ? null : await this.#oldestReadySeconds(tenant, null, nowMs);
    const workers = await this.#countWorkers(tenant, nowMs - WORKER_SEEN_MS);
    return { counts, ready, oldestReadySeconds, throughput: await this.#throughput(tenant, nowMs), workers, asOfMs: nowMs };
  }

  async #countWorkers(tenant: TenantId, seenSinceMs: number): Promise<number> {
    const { found } = await this.#db
      .selectFrom('workers')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where((eb) => heardOf(eb, tenant, seenSinceMs))
      .executeTakeFirstOrThrow();
    return Number(found);
  }

  /** The biggest queues of all tenants by name, the rest as one. */
  async gauges(limit: number, nowMs: number): Promise<readonly QueueGauge[]> {
    const named = await acrossTenants(this.#db)
      .selectFrom('queue_counters')
      .selectAll()
      .orderBy(sql`queued + running + retry + dead`, 'desc')
      .orderBy('tenant_id')
      .orderBy('queue_name')
      .limit(limit)
      .execute();
    const gaugeOf = async (row: Selectable<QueueCounterTable>): Promise<QueueGauge> => {
      const oldestReadySeconds = row.ready === 0 ? null : await this.#oldestReadySeconds(row.tenant_id, row.queue_name, nowMs);
      return { tenant: row.tenant_id, queue: row.queue_name, ...statesOf(row), oldestReadySeconds };
    };
    // Asked at once: one after another, two hundred queues are two hundred ways to another thread and back.
    const gauges = await Promise.all(named.map(gaugeOf));
    return named.length < limit ? gauges : [...gauges, ...(await this.#otherGauge(named))];
  }

  /** What is not named, from the sum over all less the sum of the named. */
  async #otherGauge(named: readonly Selectable<QueueCounterTable>[]): Promise<readonly QueueGauge[]> {
    const [first] = named;
    const all = await acrossTenants(this.#db)
      .selectFrom('queue_counters')
      .select((eb) => COUNTERS.map((name) => eb.fn.sum<number>(name).as(name)))
      .executeTakeFirst();
    if (all === undefined || first === undefined) return [];
    const rest = Object.fromEntries(COUNTERS.map((name) => [name, Number(all[name]) - named.reduce((sum, row) => sum + row[name], 0)])) as unknown as Counters;
    return [{ tenant: first.tenant_id, queue: 'other', ...statesOf(rest), oldestReadySeconds: null }];
  }

  /** Age of the job that has been due longest, in queues that are not paused. */
  async #oldestReadySeconds(tenant: TenantId, queue: string | null, nowMs: number): Promise<number | null> {
    const queues = this.#db
      .selectFrom('queue_counters as counter')
      .innerJoin('queues as queue', (join) => join.onRef('queue.tenant_id', '=', 'counter.tenant_id').onRef('queue.name', '=', 'counter.queue_name'))
      .select('counter.queue_name')
      .where('counter.tenant_id', '=', tenant)
      .where('counter.ready', '>', 0)
      .where('queue.paused_at_ms', 'is', null)
      .$if(queue !== null, (query) => query.where('counter.queue_name', '=', queue ?? ''));
    const { runAtMs } = await oldestDueMs(this.#db, tenant, queues).executeTakeFirstOrThrow();
    return runAtMs === null ? null : Math.max(0, nowMs - runAtMs) / 1000;
  }

  async #throughput(tenant: TenantId, nowMs: number): Promise<Throughput> {
    const row = await this.#db
      .selectFrom('queue_activity')
      .select((eb) =>
        (['submitted', 'claimed', 'completed', 'failed'] as const).map((name) => eb.fn.coalesce(eb.fn.sum<number>(name), sql<number>`0`).as(name)),
      )
      .where('tenant_id', '=', tenant)
      .where('bucket_ms', '>', nowMs - RATE_SECONDS * 1000)
      .executeTakeFirst();
    const rate = (sum: number | undefined): number => Number(sum ?? 0) / RATE_SECONDS;
    return { submitted: rate(row?.submitted), claimed: rate(row?.claimed), completed: rate(row?.completed), failed: rate(row?.failed) };
  }
}

export function statesOf(counters: Counters): { readonly counts: JobStateCounts; readonly ready: number; readonly delayed: number } {
  const { ready, delayed, ...counts } = Object.fromEntries(COUNTERS.map((name) => [name, Number(counters[name])])) as unknown as Counters;
  return { counts, ready, delayed };
}
