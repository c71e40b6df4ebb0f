/** The columns of queue_activity and queue_series that are sums: they are added up whenever rows become one. */
import { sql } from 'kysely';
import { HISTOGRAM_BINS } from '../domain/histogram.ts';

/** Events. */
export const COUNT_COLUMNS = ['submitted', 'claimed', 'completed', 'failed', 'died', 'expired'] as const;
/** By how much each counter of the queue grew: what it was at any time follows from what it is now. */
export const CHANGE_COLUMNS = ['ready_change', 'delayed_change', 'running_change', 'retry_change', 'dead_change'] as const;

const BINS = Array.from({ length: HISTOGRAM_BINS }, (_, bin) => bin);
/** How long jobs had been due when they were claimed, by the bins of the histogram. */
export const WAIT_COLUMNS = BINS.map((bin) => `wait_${bin}` as const);
/** How long attempts had run when they ended, likewise. */
export const RUN_COLUMNS = BINS.map((bin) => `run_${bin}` as const);

export type SeriesColumn = (typeof COUNT_COLUMNS)[number] | (typeof CHANGE_COLUMNS)[number] | (typeof WAIT_COLUMNS | typeof RUN_COLUMNS)[number];
export type SeriesSums = Readonly<Record<SeriesColumn, number>>;

export const SERIES_COLUMNS: readonly SeriesColumn[] = [...COUNT_COLUMNS, ...CHANGE_COLUMNS, ...WAIT_COLUMNS, ...RUN_COLUMNS];

/** `sum(a) as a, …` as one fragment: a tree of so many columns takes longer to build than its rows to read. */
export function summed<Name extends SeriesColumn>(names: readonly Name[]) {
  const [last, ...others] = names.toReversed();
  if (last === undefined) throw new Error('no column to sum up');
  const before = others.toReversed().map((name) => `coalesce(sum(${name}), 0) as ${name}, `);
  return sql.raw<number>(`${before.join('')}coalesce(sum(${last}), 0)`).as(last);
}
