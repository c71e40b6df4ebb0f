/**
 * What one transaction adds to the figures over time of a queue: one row for a few seconds, written with the counters. A
 * statement names the columns that it adds to and few others, since each one costs.
 */
import type { EventKind } from '../domain/events.ts';
import { binOf, HISTOGRAM_BINS } from '../domain/histogram.ts';
import type { TenantId } from '../domain/job.ts';
import type { CommittedEvent } from './housekeeping.ts';
import { RUN_COLUMNS, type SeriesColumn, type SeriesSums, WAIT_COLUMNS } from './series-columns.ts';
import { type Session, type Statement, statement } from './statements.ts';

/** Rates are kept per this many milliseconds. */
export const ACTIVITY_BUCKET_MS = 5_000;

const COUNTS = ['submitted', 'claimed', 'completed', 'failed', 'died', 'expired'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

const COUNTS_OF_KIND: { readonly [Kind in EventKind]?: readonly (keyof Counts)[] } = {
  SUBMITTED: ['submitted'],
  CLAIMED: ['claimed'],
  COMPLETED: ['completed'],
  RETRY_SCHEDULED: ['failed'],
  DEAD_LETTERED: ['failed', 'died'],
  LEASE_EXPIRED: ['expired'],
};

/** Of the counters whose changes are kept. */
export type CounterChanges = Readonly<Partial<Record<'ready' | 'delayed' | 'running' | 'retry' | 'dead', number>>>;

interface Bucket {
  readonly counts: Counts;
  readonly waits: Bins;
  readonly runs: Bins;
  changes: CounterChanges;
}

interface Place {
  readonly tenant: TenantId;
  readonly queue: string;
}
type Values = Place & { readonly bucketMs: number } & Partial<SeriesSums>;

/** In nearly every commit. */
const USUAL: readonly SeriesColumn[] = ['submitted', 'claimed', 'completed', 'failed', 'ready_change', 'running_change'];
/** In few commits, and all together. */
const SELDOM: readonly SeriesColumn[] = ['died', 'expired', 'delayed_change', 'retry_change', 'dead_change'];

const NO_COUNTS: readonly number[] = Array.from({ length: HISTOGRAM_BINS }, () => 0);

/** How many of one transaction took how long. */
class Bins {
  counts: number[] | null = null;
  /** The only bin that counts anything; null where there are several, or none. */
  #only: number | null = null;

  note(ms: number): void {
    const bin = binOf(ms);
    if (this.counts === null) {
      this.counts = [...NO_COUNTS];
      this.#only = bin;
    } else if (this.#only !== bin) this.#only = null;
    this.counts[bin] = (this.counts[bin] ?? 0) + 1;
  }

  /** Which columns of a statement it takes: none, all, or one. */
  get code(): number {
    if (this.counts === null) return NO_BINS;
    return this.#only ?? ALL_BINS;
  }
}
const ALL_BINS = HISTOGRAM_BINS;
const NO_BINS = HISTOGRAM_BINS + 1;
const CODES = HISTOGRAM_BINS + 2;

function binColumns(columns: typeof WAIT_COLUMNS | typeof RUN_COLUMNS, code: number): readonly SeriesColumn[] {
  if (code === NO_BINS) return [];
  return code === ALL_BINS ? columns : columns.slice(code, code + 1);
}

/** Adds to these columns of the bucket; the others of a new one are zero. */
function addition(names: readonly SeriesColumn[]): Statement<Values, unknown> {
  return statement((db, values: Values) => {
    const sums = Object.fromEntries(names.map((name) => [name, values[name]])) as SeriesSums;
    return db
      .insertInto('queue_activity')
      .values({ tenant_id: values.tenant, queue_name: values.queue, bucket_ms: values.bucketMs, ...sums })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'queue_name', 'bucket_ms'])
          .doUpdateSet((eb) => Object.fromEntries(names.map((name) => [name, eb(`queue_activity.${name}`, '+', eb.ref(`excluded.${name}`))]))),
      );
  });
}

const additions = new Map<number, Statement<Values, unknown>>();

function additionOf(isSeldom: boolean, waits: number, runs: number): Statement<Values, unknown> {
  const key = ((isSeldom ? 1 : 0) * CODES + waits) * CODES + runs;
  const known = additions.get(key);
  if (known !== undefined) return known;
  const fresh = addition([...USUAL, ...(isSeldom ? SELDOM : []), ...binColumns(WAIT_COLUMNS, waits), ...binColumns(RUN_COLUMNS, runs)]);
  additions.set(key, fresh);
  return fresh;
}

/** Of one queue. */
export class ActivityTally {
  readonly #buckets = new Map<number, Bucket>();

  note({ kind, waitMs, runMs }: Pick<CommittedEvent, 'kind' | 'waitMs' | 'runMs'>, atMs: number): void {
    const names = COUNTS_OF_KIND[kind];
    if (names === undefined && waitMs === null && runMs === null) return;
    const { counts, waits, runs } = this.#bucket(atMs);
    if (names !== undefined) for (const name of names) counts[name] += 1;
    if (waitMs !== null) waits.note(waitMs);
    if (runMs !== null) runs.note(runMs);
  }

  /** Writes the sums, with the changes of the counters as of `nowMs`. */
  async flush(session: Session, place: Place, changes: CounterChanges, nowMs: number): Promise<void> {
    const { ready, delayed, running, retry, dead } = changes;
    if (ready || delayed || running || retry || dead) this.#bucket(nowMs).changes = changes;
    for (const [bucketMs, bucket] of this.#buckets) await write(session, { ...place, bucketMs }, bucket);
  }

  #bucket(atMs: number): Bucket {
    const startMs = atMs - (atMs % ACTIVITY_BUCKET_MS);
    const known = this.#buckets.get(startMs);
    if (known !== undefined) return known;
    const counts = { submitted: 0, claimed: 0, completed: 0, failed: 0, died: 0, expired: 0 };
    const bucket: Bucket = { counts, waits: new Bins(), runs: new Bins(), changes: {} };
    this.#buckets.set(startMs, bucket);
    return bucket;
  }
}

function write(session: Session, at: Place & { readonly bucketMs: number }, { counts, waits, runs, changes }: Bucket) {
  const { ready = 0, delayed = 0, running = 0, retry = 0, dead = 0 } = changes;
  const { submitted, claimed, completed, failed, died, expired } = counts;
  const values: Values & Partial<Record<SeriesColumn, number>> = { ...at, submitted, claimed, completed, failed, ready_change: ready, running_change: running };
  const isSeldom = died + expired > 0 || delayed !== 0 || retry !== 0 || dead !== 0;
  if (isSeldom) Object.assign(values, { died, expired, delayed_change: delayed, retry_change: retry, dead_change: dead });
  addBins(values, WAIT_COLUMNS, waits);
  addBins(values, RUN_COLUMNS, runs);
  return session.change(additionOf(isSeldom, waits.code, runs.code), values);
}

function addBins(values: Partial<Record<SeriesColumn, number>>, columns: typeof WAIT_COLUMNS | typeof RUN_COLUMNS, { counts, code }: Bins): void {
  if (counts === null) return;
  const [from, to] = code === ALL_BINS ? [0, HISTOGRAM_BINS] : [code, code + 1];
  for (let bin = from; bin < to; bin++) {
    const name = columns[bin];
    if (name !== undefined) values[name] = counts[bin] ?? 0;
  }
}
