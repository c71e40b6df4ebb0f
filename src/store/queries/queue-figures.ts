/** The figures of some queues, in three reads however many they are. */
import type { Kysely } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { QueueStats, Recent, Throughput } from '../answers.ts';
import { summed } from '../series-columns.ts';
import type { Tables } from '../tables.ts';
import { oldestDueMs } from './due-priorities.ts';
import { rowsPadded } from './page.ts';
import { COUNTERS, NO_JOBS, RATE_SECONDS, statesOf } from './queues.ts';
import type { SeriesQueries } from './series.ts';

const NOTHING_DONE: Throughput = { submitted: 0, claimed: 0, completed: 0, failed: 0 };
const NOTHING_RECENT: Recent = { waitP95Seconds: null, runP95Seconds: null, died: 0 };

export class QueueFigures {
  readonly #db: Kysely<Tables>;
  readonly #series: Pick<SeriesQueries, 'recent'>;

  constructor(db: Kysely<Tables>, series: Pick<SeriesQueries, 'recent'>) {
    this.#db = db;
    this.#series = series;
  }

  async one(tenant: TenantId, name: string, nowMs: number): Promise<QueueStats> {
    const [stats] = await this.of(tenant, [name], nowMs);
    if (stats === undefined) throw new Error('a queue without figures');
    return stats;
  }

  /** In the order of the names; a queue that nobody has used has zeros. */
  async of(tenant: TenantId, names: readonly string[], nowMs: number): Promise<readonly QueueStats[]> {
    if (names.length === 0) return [];
    const asked = rowsPadded(names);
    const [counters, throughput, recent] = await Promise.all([
      this.#counters(tenant, asked),
      this.#throughput(tenant, asked, nowMs),
      this.#series.recent(tenant, asked, nowMs),
    ]);
    const now = new Map(counters.map((row) => [row.queue_name, row]));
    const done = new Map(throughput.map((row) => [row.queue_name, ratesOf(row)]));
    return names.map((name) => {
      const row = now.get(name);
      return {
        ...statesOf(row ?? NO_JOBS),
        oldestReadySeconds: row?.oldestReadyMs == null || row.paused_at_ms !== null ? null : Math.max(0, nowMs - row.oldestReadyMs) / 1000,
        throughput: done.get(name) ?? NOTHING_DONE,
        lastHour: recent.get(name) ?? NOTHING_RECENT,
      };
    });
  }

  #counters(tenant: TenantId, names: readonly string[]) {
    return this.#db
      .selectFrom('queue_counters as counter')
      .innerJoin('queues as queue', (join) => join.onRef('queue.tenant_id', '=', 'counter.tenant_id').onRef('queue.name', '=', 'counter.queue_name'))
      .select(COUNTERS.map((name) => `counter.${name}` as const))
      .select(['counter.queue_name', 'queue.paused_at_ms'])
      .select((eb) => oldestDueMs(this.#db, tenant, this.#db.selectNoFrom(eb.ref('counter.queue_name').as('queue_name'))).as('oldestReadyMs'))
      .where('counter.tenant_id', '=', tenant)
      .where('counter.queue_name', 'in', names)
      .execute();
  }

  #throughput(tenant: TenantId, names: readonly string[], nowMs: number) {
    return this.#db
      .selectFrom('queue_activity')
      .select(['queue_name', summed(['submitted', 'claimed', 'completed', 'failed'])])
      .where('tenant_id', '=', tenant)
      .where('queue_name', 'in', names)
      .where('bucket_ms', '>', nowMs - RATE_SECONDS * 1000)
      .groupBy('queue_name')
      .execute() as unknown as Promise<readonly (Throughput & { readonly queue_name: string })[]>;
  }
}

function ratesOf({ submitted, claimed, completed, failed }: Throughput): Throughput {
  const rate = (sum: number): number => Number(sum) / RATE_SECONDS;
  return { submitted: rate(submitted), claimed: rate(claimed), completed: rate(completed), failed: rate(failed) };
}
