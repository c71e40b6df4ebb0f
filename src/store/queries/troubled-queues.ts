/**
 * The queues that need somebody to look at them, the worst first. Counters and dead letters of the last hour choose who
 * is looked at more closely, so that the reads are bounded however many queues and jobs there are.
 */
import { type Kysely, sql } from 'kysely';
import type { Retention, TenantId } from '../../domain/job.ts';
import { troublePoints } from '../../domain/trouble.ts';
import type { Queue } from '../answers.ts';
import { queueOf } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { oldestDueMs } from './due-priorities.ts';
import { rowsPadded } from './page.ts';

const HOUR_MS = 3_600_000;
/** Of each sign, the queues that have most of it. */
const CANDIDATES_MAX = 200;
/** Minutes with dead letters that are added up, the newest first. */
const DEATHS_MAX = 20_000;

interface Candidate {
  readonly name: string;
  readonly ready: number;
  readonly retry: number;
  readonly waiting: number;
  readonly paused_at_ms: number | null;
  readonly oldestReadyMs: number | null;
}
interface Asked {
  readonly tenant: TenantId;
  /** Null: all of the tenant. */
  readonly among: readonly string[] | null;
  readonly nowMs: number;
}

export class TroubledQueues {
  readonly #db: Kysely<Tables>;
  readonly #retention: Retention;

  constructor(db: Kysely<Tables>, retention: Retention) {
    this.#db = db;
    this.#retention = retention;
  }

  /** The first `limit`; those without trouble follow by name. */
  async first(asked: Asked, limit: number): Promise<readonly Queue[]> {
    const died = await this.#died(asked);
    const candidates = await this.#candidates(asked, [...died.keys()]);
    const pointsOf = new Map(candidates.map((candidate) => [candidate.name, points(candidate, died.get(candidate.name) ?? 0, asked.nowMs)]));
    const worst = [...pointsOf.entries()]
      .filter(([, score]) => score > 0)
      .toSorted(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
      .slice(0, limit)
      .map(([name]) => name);
    return [...(await this.#named(asked.tenant, worst)), ...(await this.#others(asked, worst, limit))].slice(0, limit);
  }

  /** Dead letters of the last hour, of the queues that have most. */
  async #died({ tenant, among, nowMs }: Asked): Promise<ReadonlyMap<string, number>> {
    const ofTable = (table: 'queue_activity' | 'queue_series') =>
      this.#db
        .selectFrom(table)
        .select(['queue_name', 'died'])
        .where('tenant_id', '=', tenant)
        .where('bucket_ms', '>=', nowMs - HOUR_MS)
        .where('died', '>', sql.lit(0))
        .where('queue_name', '<>', sql.lit(''))
        .$if(among !== null, (query) => query.where('queue_name', 'in', among ?? []))
        .orderBy('bucket_ms', 'desc')
        .limit(DEATHS_MAX);
    const rows = await this.#db
      .selectFrom(
        this.#db
          .selectFrom(ofTable('queue_activity').as('second'))
          .selectAll()
          .unionAll(this.#db.selectFrom(ofTable('queue_series').as('minute')).selectAll())
          .as('death'),
      )
      .select(['queue_name', (eb) => eb.fn.sum<number>('died').as('died')])
      .groupBy('queue_name')
      .orderBy('died', 'desc')
      .limit(CANDIDATES_MAX)
      .execute();
    return new Map(rows.map(({ queue_name, died }) => [queue_name, Number(died)]));
  }

  /** With the oldest ready job of each. */
  async #candidates(asked: Asked, withDeaths: readonly string[]): Promise<readonly Candidate[]> {
    const part = () => this.#pressing(asked);
    const retrying = part().where('counter.retry', '>', 0).orderBy('counter.retry', 'desc').limit(CANDIDATES_MAX);
    const paused = part().where('queue.paused_at_ms', 'is not', null).where(sql<number>`queued + retry`, '>', 0).limit(CANDIDATES_MAX);
    const ready = part().where('counter.ready', '>', 0).where('queue.paused_at_ms', 'is', null).orderBy('counter.ready', 'desc').limit(CANDIDATES_MAX);
    const dying = part().where('counter.queue_name', 'in', withDeaths.length === 0 ? [''] : rowsPadded(withDeaths));
    const [first, ...others] = [retrying, paused, ready, dying].map((query) => this.#db.selectFrom(query.as('part')).selectAll());
    if (first === undefined) return [];
    return this.#db
      .selectFrom(others.reduce((all, other) => all.union(other), first).as('candidate'))
      .selectAll('candidate')
      .select((eb) => oldestDueMs(this.#db, asked.tenant, this.#db.selectNoFrom(eb.ref('candidate.name').as('queue_name'))).as('oldestReadyMs'))
      .execute();
  }

  #pressing({ tenant, among }: Asked) {
    return this.#db
      .selectFrom('queue_counters as counter')
      .innerJoin('queues as queue', (join) => join.onRef('queue.tenant_id', '=', 'counter.tenant_id').onRef('queue.name', '=', 'counter.queue_name'))
      .select(['counter.queue_name as name', 'counter.ready', 'counter.retry', sql<number>`queued + retry`.as('waiting'), 'queue.paused_at_ms'])
      .where('counter.tenant_id', '=', tenant)
      .$if(among !== null, (query) => query.where('counter.queue_name', 'in', among ?? []));
  }

  /** In the order of the names. */
  async #named(tenant: TenantId, names: readonly string[]): Promise<readonly Queue[]> {
    if (names.length === 0) return [];
    const rows = await this.#db.selectFrom('queues').selectAll().where('tenant_id', '=', tenant).where('name', 'in', rowsPadded(names)).execute();
    const found = new Map(rows.map((row) => [row.name, queueOf(row, this.#retention)]));
    return names.map((name) => found.get(name)).filter((queue) => queue !== undefined);
  }

  async #others({ tenant, among }: Asked, but: readonly string[], limit: number): Promise<readonly Queue[]> {
    if (but.length >= limit) return [];
    const rows = await this.#db
      .selectFrom('queues')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .$if(among !== null, (query) => query.where('name', 'in', among ?? []))
      .orderBy('name')
      .limit(limit + but.length)
      .execute();
    return rows.filter(({ name }) => !but.includes(name)).map((row) => queueOf(row, this.#retention));
  }
}

function points({ retry, waiting, paused_at_ms, oldestReadyMs }: Candidate, died: number, nowMs: number): number {
  const isPaused = paused_at_ms !== null;
  const oldestReadySeconds = oldestReadyMs === null || isPaused ? null : Math.max(0, nowMs - oldestReadyMs) / 1000;
  return troublePoints({ died, oldestReadySeconds, retrying: Number(retry), isPausedWithJobs: isPaused && Number(waiting) > 0 });
}
