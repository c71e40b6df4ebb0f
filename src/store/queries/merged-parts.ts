/**
 * Lists whose order no single index has, but each of a few parts has in one: a few rows of every part, side by side,
 * hold the first rows of all.
 */
import { type Expression, type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { JOB_STATES, type JobState } from '../../domain/job.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { inState } from './job-filter.ts';

/** What the rows of one part have in common. */
export type Part = (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>;
export type JobPlaces = SelectQueryBuilder<Tables, 'jobs', { seq: number; run_at_ms: number; finished_at_ms: number | null }>;

export interface MergedRequest {
  readonly parts: readonly Part[];
  readonly order: readonly ('run_at_ms' | 'finished_at_ms' | 'seq')[];
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  /** What all rows have to be, whatever their part. */
  readonly narrow: (query: JobPlaces) => JobPlaces;
}

/** The states that the filter leaves, each once. */
export function statesOf({ states = JOB_STATES }: JobFilter): readonly JobState[] {
  return [...new Set(states)];
}

/** In the order of submission: one for each state, or for each group where dead letters of groups are asked for. */
export function submissionParts(filter: JobFilter): readonly Part[] {
  const states = statesOf(filter);
  if (filter.deadLetterGroups !== undefined) return states.includes('dead') ? groupParts(filter.deadLetterGroups) : [];
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
  return (eb) => eb('dead_group', '=', group);
}

/** Two for each queue: in the order of due times. */
export function waitingParts(queues: readonly string[]): readonly Part[] {
  return [...new Set(queues)].flatMap((queue) =>
    (['due', 'delayed'] as const).map(
      (lane): Part =>
        (eb) =>
          eb.and([eb('queue_name', '=', queue), eb('waiting', '=', sql.lit(lane))]),
    ),
  );
}

/** The places of the first `limit` rows, to be selected from; null where there is no part. */
export function mergedSeqs(db: Kysely<Tables>, { parts, order, direction, limit, narrow }: MergedRequest) {
  const [first, ...rest] = parts.map((part) => {
    const rows = narrow(db.selectFrom('jobs').select(['seq', 'run_at_ms', 'finished_at_ms']).where(part));
    const inOrder = order.reduce((query, column) => query.orderBy(column, direction), rows).limit(limit);
    return db.selectFrom(inOrder.as('part')).select(['part.seq', 'part.run_at_ms', 'part.finished_at_ms']);
  });
  if (first === undefined) return null;
  const all = rest.reduce((sum, part) => sum.unionAll(part), first);
  const firstOfAll = order.reduce((query, column) => query.orderBy(column, direction), all).limit(limit);
  return db.selectFrom(firstOfAll.as('merged')).select('merged.seq');
}
