/**
 * Lists whose order no single index has, but each of a few parts has in one: a few rows of every part, side by side,
 * hold the first rows of all.
 */
import { type Expression, type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { JOB_STATES, type JobState } from '../../domain/job.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { inState } from './job-filter.ts';

/** What the rows of one part have in common. */
export type Part = (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>;
/** By which columns a list is in order. An index that holds them answers without reading the jobs. */
export type PlaceColumn = 'run_at_ms' | 'finished_at_ms' | 'lease_expires_at_ms' | 'seq';
/** Of a row, the columns of the order alone. */
export interface Place {
  readonly seq: number;
  readonly run_at_ms?: number;
  readonly finished_at_ms?: number | null;
  readonly lease_expires_at_ms?: number | null;
}
export type JobPlaces = SelectQueryBuilder<Tables, 'jobs', Place>;

export interface MergedPlaces {
  readonly parts: readonly Part[];
  /** The last one is `seq`. */
  readonly order: readonly PlaceColumn[];
  readonly direction: 'asc' | 'desc';
  /** What all rows have to be, whatever their part. */
  readonly narrow: (query: JobPlaces) => JobPlaces;
}

/** The states that the filter leaves, each once. Only running jobs have a worker. */
export function statesOf({ states = JOB_STATES, workerIds }: JobFilter): readonly JobState[] {
  return [...new Set(states)].filter((state) => workerIds === undefined || state === 'running');
}

/** In the order of submission: one for each state, or for each group where dead letters of groups are asked for. */
export function submissionParts(filter: JobFilter): readonly Part[] {
  const states = statesOf(filter);
  if (filter.deadLetterGroups !== undefined) return states.includes('dead') ? groupParts(filter.deadLetterGroups) : [];
  return stateParts(states);
}

/** One for each state: in the order of submission. */
export function stateParts(states: readonly JobState[]): readonly Part[] {
  return states.map(ofState);
}

/** One for each group: in the order of submission, and in that of the end. */
export function groupParts(groups: readonly string[]): readonly Part[] {
  return [...new Set(groups)].map(ofGroup);
}

export function ofState(state: JobState): Part {
  return (eb) => inState(eb, state);
}

export function ofGroup(group: string): Part {
  return (eb) => eb('jobs.dead_group', '=', group);
}

/** One for each state of each queue: in the order of submission. */
export function queueStateParts(queues: readonly string[], states: readonly JobState[]): readonly Part[] {
  return [...new Set(queues)].flatMap((queue) =>
    states.map(
      (state): Part =>
        (eb) =>
          eb.and([eb('jobs.queue_name', '=', queue), inState(eb, state)]),
    ),
  );
}

/** The places of the first `limit` rows, to be selected from; null where there is no part. */
export function mergedSeqs(db: Kysely<Tables>, merged: MergedPlaces, limit: number) {
  const { parts, order, direction, narrow } = merged;
  const [first, ...rest] = parts.map((part) => {
    const rows = narrow(placesOf(db, order, part));
    const inOrder = order.reduce((query, column) => query.orderBy(column, direction), rows).limit(limit);
    return db.selectFrom(inOrder.as('part')).selectAll();
  });
  if (first === undefined) return null;
  const all = rest.length === 0 ? first : first.unionAll(rest);
  const firstOfAll = order.reduce((query, column) => query.orderBy(column, direction), all).limit(limit);
  return db.selectFrom(firstOfAll.as('merged')).select('merged.seq');
}

/** The places before and after which `count` rows lie, in order; one or none where the list is shorter. Read side by side, so that each part is read no further than needed. */
export async function placesAround(db: Kysely<Tables>, merged: MergedPlaces, count: number): Promise<readonly Place[]> {
  const all = allPlaces(db, merged);
  if (all === null) return [];
  const inOrder = merged.order.reduce((query, column) => query.orderBy(column, merged.direction), all);
  return inOrder
    .limit(2)
    .offset(count - 1)
    .execute();
}

/** How many rows there are: for what is known to be few. */
export async function countPlaces(db: Kysely<Tables>, merged: MergedPlaces): Promise<number> {
  const all = allPlaces(db, merged);
  if (all === null) return 0;
  const { found } = await db
    .selectFrom(all.as('places'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

function allPlaces(db: Kysely<Tables>, { parts, order, narrow }: MergedPlaces): JobPlaces | null {
  const [first, ...rest] = parts.map((part) => narrow(placesOf(db, order, part)));
  if (first === undefined) return null;
  return rest.length === 0 ? first : first.unionAll(rest);
}

function placesOf(db: Kysely<Tables>, order: readonly PlaceColumn[], part: Part): JobPlaces {
  return db
    .selectFrom('jobs')
    .select(order.map((column) => `jobs.${column}` as const))
    .where(part) as JobPlaces;
}
