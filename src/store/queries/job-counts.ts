/** Counting the jobs that a filter matches, without reading a whole table. */
import type { Kysely } from 'kysely';
import { JOB_STATES, type TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { CappedCount } from '../answers.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { evenly, jobConditions } from './job-filter.ts';
import { ofGroup, ofState, type Part, statesOf } from './merged-parts.ts';

/**
 * Counts up to the cap. By queue and state alone, or by group, queue and task, the counters answer; otherwise only the
 * newest jobs of each state or group are looked through, and the count is not exact where there are more.
 */
export async function countJobs(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean): Promise<CappedCount> {
  const { parts, rest } = await (filter.deadLetterGroups === undefined ? byState(db, tenant, filter) : byGroup(db, tenant, filter, filter.deadLetterGroups));
  const sum = parts.reduce((all, { jobs }) => all + jobs, 0);
  if (!withoutCancelRequested && Object.keys(rest).length === 0) return cappedCount(sum, true);
  const shares = sharesOf(parts);
  const looked = shares.filter(({ share }) => share > 0);
  const found = await Promise.all(looked.map((part) => countNewest(db, tenant, part, filter, withoutCancelRequested)));
  return cappedCount(
    found.reduce((all, jobs) => all + jobs, 0),
    shares.every(({ jobs, share }) => jobs === share),
  );
}

/** Jobs that an index holds in the order of submission. */
interface CountedPart {
  readonly part: Part;
  /** By the counters. */
  readonly jobs: number;
}
interface Counted {
  readonly parts: readonly CountedPart[];
  /** What of the filter the counters know nothing of. */
  readonly rest: JobFilter;
}

/** Matching jobs among the newest of the part. */
async function countNewest(
  db: Kysely<Tables>,
  tenant: TenantId,
  { part, share }: CountedPart & { readonly share: number },
  { queues, states: _states, deadLetterGroups: _groups, ...others }: JobFilter,
  withoutCancelRequested: boolean,
): Promise<number> {
  const newestJobs = db
    .selectFrom('jobs')
    .selectAll()
    .where((eb) => eb.and([jobConditions(eb, tenant, queues === undefined ? {} : { queues }), part(eb)]))
    .orderBy('seq', 'desc')
    .limit(share);
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

async function byState(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter): Promise<Counted> {
  const { queues, states: _states, ...rest } = filter;
  const rows = await db
    .selectFrom('queue_counters')
    .select(JOB_STATES)
    .where('tenant_id', '=', tenant)
    .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
    .execute();
  const parts = statesOf(filter).map((state) => ({ part: ofState(state), jobs: rows.reduce((sum, row) => sum + row[state], 0) }));
  return { parts, rest };
}

/** All jobs of a group are of one queue and one task. */
async function byGroup(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter, groups: readonly string[]): Promise<Counted> {
  const { queues, tasks, states: _states, deadLetterGroups: _groups, ...rest } = filter;
  if (!statesOf(filter).includes('dead')) return { parts: [], rest };
  const rows = await db
    .selectFrom('dead_groups')
    .select(['id', 'count'])
    .where('tenant_id', '=', tenant)
    .where('id', 'in', evenly(groups))
    .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
    .$if(tasks !== undefined, (query) => query.where('task', 'in', tasks ?? []))
    .execute();
  return { parts: rows.map(({ id, count }) => ({ part: ofGroup(id), jobs: count })), rest };
}

/** How many jobs of each part a count looks through: the same number, but for what a part does not have. */
function sharesOf(parts: readonly CountedPart[]): readonly (CountedPart & { readonly share: number })[] {
  let left: number = LIMITS.countedJobsMax;
  return parts
    .toSorted((a, b) => a.jobs - b.jobs)
    .map((part, index) => {
      const share = Math.min(part.jobs, Math.floor(left / (parts.length - index)));
      left -= share;
      return { ...part, share };
    });
}

function cappedCount(found: number, isWhole: boolean): CappedCount {
  return { value: Math.min(found, LIMITS.countMax), exact: isWhole && found <= LIMITS.countMax };
}
