/** Counting the jobs that a filter matches, without reading a whole table. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { CappedCount } from '../answers.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { evenly, jobConditions } from './job-filter.ts';
import { ofGroup, ofState, type Part, statesOf } from './merged-parts.ts';
import { stateTotals } from './state-totals.ts';
import { type CountedTag, countMatching, type TaggedPlaces, tagToStartFrom, withoutTag } from './tagged-jobs.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;

/**
 * Counts up to the cap. By queue and state alone, or by group, queue and task, the counters answer, and a tag that few jobs
 * have by these; otherwise only the newest jobs of each state or group are looked through, `lookThroughMax` in all, and the
 * count is not exact where there are more.
 */
export async function countJobs(
  db: Kysely<Tables>,
  tenant: TenantId,
  filter: JobFilter,
  withoutCancelRequested: boolean,
  lookThroughMax: number = LIMITS.countedJobsMax,
): Promise<CappedCount> {
  const { parts, rest } = await (filter.deadLetterGroups === undefined ? byState(db, tenant, filter) : byGroup(db, tenant, filter, filter.deadLetterGroups));
  const sum = parts.reduce((all, { jobs }) => all + jobs, 0);
  const { isConfined = false, ...others } = rest;
  if (!withoutCancelRequested && Object.keys(others).length === 0) return cappedCount(sum, true);
  const matching =
    (asked: JobFilter) =>
    (eb: Jobs): Expression<SqlBool> =>
      eb.and([jobConditions(eb, tenant, asked), ...(withoutCancelRequested ? [eb('jobs.cancel_requested_at_ms', 'is', null)] : [])]);
  // Whether a tag has few jobs is nothing that its jobs in other queues may tell.
  const tag = isConfined ? null : await tagToStartFrom(db, tenant, filter, lookThroughMax);
  if (tag !== null && tag.jobs <= lookThroughMax)
    return cappedCount(await countMatching(db, ofTag(tenant, tag), matching(withoutTag(filter, tag.tag)), LIMITS.countMax + 1), true);
  const shares = sharesOf(parts, lookThroughMax);
  const looked = shares.filter(({ share }) => share > 0);
  const found = await Promise.all(looked.map((share) => countNewest(db, tenant, filter, share, matching(filter))));
  return cappedCount(
    found.reduce((all, jobs) => all + jobs, 0),
    shares.every(({ jobs, share }) => jobs === share),
  );
}

function ofTag(tenant: TenantId, { tag }: CountedTag): TaggedPlaces {
  return { tenant, tag, direction: 'asc', aboveSeq: null, belowSeq: null };
}

/** Matching jobs among the newest of the part. */
async function countNewest(
  db: Kysely<Tables>,
  tenant: TenantId,
  { queues }: JobFilter,
  { part, jobs, share }: Share,
  matches: (eb: Jobs) => Expression<SqlBool>,
): Promise<number> {
  const places = (conditions: (eb: Jobs) => Expression<SqlBool>) =>
    db
      .selectFrom('jobs')
      .select('jobs.seq')
      .where((eb) => eb.and([conditions(eb), part(eb)]));
  const ofQueues = places((eb) => jobConditions(eb, tenant, queues === undefined ? {} : { queues }));
  // Where the look ends is found in the index: the rows themselves are then read in place, and not copied for it.
  const edge =
    jobs === share
      ? undefined
      : await ofQueues
          .orderBy('jobs.seq', 'desc')
          .limit(1)
          .offset(share - 1)
          .executeTakeFirst();
  const capped = places(matches)
    .$if(edge !== undefined, (query) => query.where('jobs.seq', '>=', edge?.seq ?? 0))
    .limit(LIMITS.countMax + 1);
  const { found } = await db
    .selectFrom(capped.as('capped'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
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
interface Share extends CountedPart {
  readonly share: number;
}

async function byState(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter): Promise<Counted> {
  const { queues, states: _states, ...rest } = filter;
  const totals = await stateTotals(db, tenant, queues, statesOf(filter));
  return { parts: totals.map(({ state, jobs }) => ({ part: ofState(state), jobs })), rest };
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
function sharesOf(parts: readonly CountedPart[], lookThroughMax: number): readonly Share[] {
  let left = lookThroughMax;
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
