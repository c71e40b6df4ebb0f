/**
 * Figures over time, added up from the seconds, minutes and hours that are kept. The depth of a queue at an earlier time is
 * what it is now less all changes since.
 */
import { type Kysely, sql } from 'kysely';
import { quantileMs } from '../../domain/histogram.ts';
import type { TenantId } from '../../domain/job.ts';
import type { Depth, Durations, Recent, Series, SeriesPeriod, SeriesPoint } from '../answers.ts';
import { COUNT_COLUMNS, RUN_COLUMNS, SERIES_COLUMNS, type SeriesSums, summed, WAIT_COLUMNS } from '../series-columns.ts';
import type { Tables } from '../tables.ts';

/** How long a step is, and how many of them there are, the running one included. */
const STEPS: { readonly [Period in SeriesPeriod]: { readonly seconds: number; readonly count: number } } = {
  hour: { seconds: 60, count: 60 },
  day: { seconds: 900, count: 96 },
  week: { seconds: 3_600, count: 168 },
};
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The name under which queue_series keeps the sums over all queues. */
const WHOLE_TENANT = '';

const DEPTHS = ['ready', 'delayed', 'running', 'retry', 'dead'] as const;

interface Window {
  readonly tenant: TenantId;
  /** Null: all of the tenant. */
  readonly queues: readonly string[] | null;
  readonly fromMs: number;
}
type StepSums = SeriesSums & { readonly at_ms: number };

export class SeriesQueries {
  readonly #db: Kysely<Tables>;
  readonly #sinceMs: number;

  /** `sinceMs`: before it, nothing was kept. */
  constructor(db: Kysely<Tables>, sinceMs: number) {
    this.#db = db;
    this.#sinceMs = sinceMs;
  }

  async series(tenant: TenantId, queues: readonly string[] | null, period: SeriesPeriod, nowMs: number): Promise<Series> {
    const { seconds, count } = STEPS[period];
    const stepMs = seconds * 1_000;
    const fromMs = startOf(nowMs, stepMs) - (count - 1) * stepMs;
    const [rows, depth] = await this.#read({ tenant, queues, fromMs }, stepMs);
    const steps = sumsOfSteps(rows, fromMs, stepMs, count);
    return { period, stepSeconds: seconds, fromMs, toMs: nowMs, points: pointsOf(steps, depth, { fromMs, stepMs, sinceMs: this.#sinceMs }) };
  }

  /** Of each queue that had anything: over the last hour, to the minute. */
  async recent(tenant: TenantId, queues: readonly string[], nowMs: number): Promise<ReadonlyMap<string, Recent>> {
    const fromMs = startOf(nowMs - HOUR_MS, MINUTE_MS);
    const names = ['died', ...WAIT_COLUMNS, ...RUN_COLUMNS] as const;
    const seconds = this.#seconds({ tenant, queues, fromMs })
      .select(['queue_name', summed(names)])
      .groupBy('queue_name');
    const minutes = this.#steps({ tenant, queues, fromMs })
      .select(['queue_name', summed(names)])
      .groupBy('queue_name');
    const rows = (await seconds.unionAll(minutes).execute()) as unknown as readonly (SeriesSums & { readonly queue_name: string })[];
    return new Map([...Map.groupBy(rows, ({ queue_name }) => queue_name)].map(([name, parts]) => [name, recentOf(parts)]));
  }

  /** The sums of each step that has any, and the depth now, of one state of the store: in one statement. */
  async #read(window: Window, stepMs: number): Promise<readonly [readonly StepSums[], Depth]> {
    const step = sql<number>`bucket_ms - bucket_ms % ${sql.lit(stepMs)}`;
    const seconds = this.#seconds(window)
      .select([step.as('at_ms'), summed(SERIES_COLUMNS)])
      .groupBy(step);
    const steps = this.#steps(window)
      .select([step.as('at_ms'), summed(SERIES_COLUMNS)])
      .groupBy(step);
    const rows = (await seconds.unionAll(steps).unionAll(this.#now(window)).execute()) as unknown as readonly StepSums[];
    const now = rows.find(({ at_ms }) => at_ms === NOW);
    return [rows.filter(({ at_ms }) => at_ms !== NOW), depthOf((name) => now?.[`${name}_change`] ?? 0)];
  }

  #seconds({ tenant, queues, fromMs }: Window) {
    return this.#db
      .selectFrom('queue_activity')
      .where('tenant_id', '=', tenant)
      .where('bucket_ms', '>=', fromMs)
      .$if(queues !== null, (query) => query.where('queue_name', 'in', queues ?? []));
  }

  #steps({ tenant, queues, fromMs }: Window) {
    return this.#db
      .selectFrom('queue_series')
      .where('tenant_id', '=', tenant)
      .where('queue_name', 'in', queues ?? [WHOLE_TENANT])
      .where('step_seconds', 'in', [60, 3600])
      .where('bucket_ms', '>=', fromMs);
  }

  /** The counters, in the columns of their changes. */
  #now({ tenant, queues }: Window) {
    return this.#db
      .selectFrom('queue_counters')
      .select([sql.lit(NOW).as('at_ms'), NOW_COLUMNS])
      .where('tenant_id', '=', tenant)
      .$if(queues !== null, (query) => query.where('queue_name', 'in', queues ?? []));
  }
}

/** No step begins there. */
const NOW = -1;
const COUNTER_SUMS: Readonly<Record<string, string>> = Object.fromEntries(DEPTHS.map((name) => [`${name}_change`, `coalesce(sum(${name}), 0)`]));
const [LAST_COLUMN = 'run_0', ...OTHER_COLUMNS] = SERIES_COLUMNS.toReversed();
const NOW_COLUMNS = sql
  .raw<number>(
    `${OTHER_COLUMNS.toReversed()
      .map((name) => `${COUNTER_SUMS[name] ?? '0'} as ${name}, `)
      .join('')}0`,
  )
  .as(LAST_COLUMN);

function startOf(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}

/** One for each step of the window; what lies past its end, after a clock that was set back, counts to the last. */
function sumsOfSteps(rows: readonly StepSums[], fromMs: number, stepMs: number, count: number): readonly (readonly StepSums[])[] {
  const ofStep = Map.groupBy(rows, ({ at_ms }) => Math.min((at_ms - fromMs) / stepMs, count - 1));
  return Array.from({ length: count }, (_, step) => ofStep.get(step) ?? []);
}

function pointsOf(
  steps: readonly (readonly StepSums[])[],
  now: Depth,
  { fromMs, stepMs, sinceMs }: { readonly fromMs: number; readonly stepMs: number; readonly sinceMs: number },
): readonly SeriesPoint[] {
  const points: SeriesPoint[] = [];
  let depth = now;
  for (let step = steps.length - 1; step >= 0; step--) {
    const rows = steps[step] ?? [];
    const atMs = fromMs + step * stepMs;
    points.push({ atMs, ...countsOf(rows), depth: atMs + stepMs > sinceMs ? depth : null, ...durationsOf(rows) });
    const later = depth;
    depth = depthOf((name) => Math.max(0, later[name] - total(rows, `${name}_change`)));
  }
  return points.toReversed();
}

function depthOf(of: (name: keyof Depth) => number): Depth {
  return { ready: of('ready'), delayed: of('delayed'), running: of('running'), retry: of('retry'), dead: of('dead') };
}

function total(rows: readonly SeriesSums[], name: keyof SeriesSums): number {
  return rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
}

function countsOf(rows: readonly SeriesSums[]): Record<(typeof COUNT_COLUMNS)[number], number> {
  return Object.fromEntries(COUNT_COLUMNS.map((name) => [name, total(rows, name)])) as Record<(typeof COUNT_COLUMNS)[number], number>;
}

function durationsOf(rows: readonly SeriesSums[]): { readonly wait: Durations; readonly run: Durations } {
  return { wait: quantiles(rows, WAIT_COLUMNS), run: quantiles(rows, RUN_COLUMNS) };
}

function quantiles(rows: readonly SeriesSums[], columns: typeof WAIT_COLUMNS | typeof RUN_COLUMNS): Durations {
  const counts = columns.map((name) => total(rows, name));
  const seconds = (share: number): number | null => {
    const ms = quantileMs(counts, share);
    return ms === null ? null : ms / 1_000;
  };
  return { p50Seconds: seconds(0.5), p95Seconds: seconds(0.95), p99Seconds: seconds(0.99) };
}

function recentOf(rows: readonly SeriesSums[]): Recent {
  const { wait, run } = durationsOf(rows);
  return { waitP95Seconds: wait.p95Seconds, runP95Seconds: run.p95Seconds, died: total(rows, 'died') };
}
