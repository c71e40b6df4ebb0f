/**
 * Jobs of several states in the order of submission. Each state is in that order by itself in an index, so that a few
 * rows of each, side by side, hold the first rows of all.
 */
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { JOB_STATES, type JobState, type TenantId } from '../../domain/job.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { inState, jobConditions } from './job-filter.ts';

export type JobSeqs = SelectQueryBuilder<Tables, 'jobs', { seq: number }>;

export interface MergedRequest {
  readonly tenant: TenantId;
  readonly filter: JobFilter;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  /** What else the rows have to be, such as beyond a cursor. */
  readonly narrow: (query: JobSeqs) => JobSeqs;
}

/** The states that the filter leaves, each once. */
export function statesOf({ states = JOB_STATES }: JobFilter): readonly JobState[] {
  return [...new Set(states)];
}

/** The first `limit` places among the matching jobs, to be selected from; null where no state is wanted. */
export function mergedSeqs(db: Kysely<Tables>, { tenant, filter, direction, limit, narrow }: MergedRequest) {
  const { states: _states, ...others } = filter;
  const parts = statesOf(filter).map((state) =>
    narrow(
      db
        .selectFrom('jobs')
        .select('seq')
        .where((eb) => eb.and([jobConditions(eb, tenant, others), inState(eb, state)])),
    )
      .orderBy('seq', direction)
      .limit(limit),
  );
  const [first, ...rest] = parts.map((part) => db.selectFrom(part.as('part')).select('part.seq'));
  if (first === undefined) return null;
  return rest
    .reduce((all, part) => all.unionAll(part), first)
    .orderBy('seq', direction)
    .limit(limit);
}
