/** Counting the jobs that a filter matches, without reading a whole table. */
import type { Kysely } from 'kysely';
import { JOB_STATES, type JobState, type TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { CappedCount } from '../answers.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { inState, jobConditions } from './job-filter.ts';
import { statesOf } from './merged-parts.ts';

/**
 * Counts up to the cap. By queue and state alone the counters answer; otherwise only the newest jobs of each state are
 * looked through, and the count is not exact where there are more.
 */
export async function countJobs(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean): Promise<CappedCount> {
  const { queues, states: _states, ...others } = filter;
  const totals = await counted(db, tenant, queues, statesOf(filter));
  const sum = totals.reduce((all, { jobs }) => all + jobs, 0);
  if (!withoutCancelRequested && Object.keys(others).length === 0) return cappedCount(sum, true);
  const shares = sharesOf(totals);
  const looked = shares.filter(({ share }) => share > 0);
  const found = await Promise.all(looked.map(({ state, share }) => countNewest(db, tenant, filter, state, share, withoutCancelRequested)));
  return cappedCount(
    found.reduce((all, jobs) => all + jobs, 0),
    shares.every(({ jobs, share }) => jobs === share),
  );
}

/** Matching jobs among the newest `newest` of the state. */
async function countNewest(
  db: Kysely<Tables>,
  tenant: TenantId,
  { queues, ...others }: JobFilter,
  state: JobState,
  newest: number,
  withoutCancelRequested: boolean,
): Promise<number> {
  const newestJobs = db
    .selectFrom('jobs')
    .selectAll()
    .where((eb) => eb.and([jobConditions(eb, tenant, queues === undefined ? {} : { queues }), inState(eb, state)]))
    .orderBy('seq', 'desc')
    .limit(newest);
  const capped = db
    .selectFrom(newestJobs.as('jobs'))
    .select('seq')
    .where((eb) => jobConditions(eb, tenant, others))
    .$if(withoutCancelRequested, (query) => query.where('cancel_requested_at_ms', 'is', null))
    .limit(LIMITS.countMax + 1);
  const { found } = await db
    .selectFrom(capped.as('capped'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

async function counted(db: Kysely<Tables>, tenant: TenantId, queues: JobFilter['queues'], states: readonly JobState[]): Promise<readonly StateTotal[]> {
  const rows = await db
    .selectFrom('queue_counters')
    .select(JOB_STATES)
    .where('tenant_id', '=', tenant)
    .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
    .execute();
  return states.map((state) => ({ state, jobs: rows.reduce((sum, row) => sum + row[state], 0) }));
}

interface StateTotal {
  readonly state: JobState;
  readonly jobs: number;
}

/** How many jobs of each state a count looks through: the same number, but for what a state does not have. */
function sharesOf(totals: readonly StateTotal[]): readonly (StateTotal & { readonly share: number })[] {
  let left: number = LIMITS.countedJobsMax;
  return totals
    .toSorted((a, b) => a.jobs - b.jobs)
    .map((total, index) => {
      const share = Math.min(total.jobs, Math.floor(left / (totals.length - index)));
      left -= share;
      return { ...total, share };
    });
}

function cappedCount(found: number, isWhole: boolean): CappedCount {
  return { value: Math.min(found, LIMITS.countMax), exact: isWhole && found <= LIMITS.countMax };
}
