/** Counting the jobs that a filter matches, without reading a whole table. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { CappedCount } from '../answers.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { inState, jobConditions } from './job-filter.ts';
import { statesOf } from './merged-parts.ts';
import { type StateTotal, stateTotals } from './state-totals.ts';
import { type CountedTag, countMatching, type TaggedPlaces, tagToStartFrom, withoutTag } from './tagged-jobs.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;

/**
 * Counts up to the cap. By queue and state alone the counters answer, and a tag that few jobs have by these; otherwise only
 * the newest jobs of each state are looked through, `lookThroughMax` in all, and the count is not exact where there are more.
 */
export async function countJobs(
  db: Kysely<Tables>,
  tenant: TenantId,
  filter: JobFilter,
  withoutCancelRequested: boolean,
  lookThroughMax: number = LIMITS.countedJobsMax,
): Promise<CappedCount> {
  const { queues, states: _states, isConfined = false, ...others } = filter;
  const totals = await stateTotals(db, tenant, queues, statesOf(filter));
  const sum = totals.reduce((all, { jobs }) => all + jobs, 0);
  if (!withoutCancelRequested && Object.keys(others).length === 0) return cappedCount(sum, true);
  const matching =
    (asked: JobFilter) =>
    (eb: Jobs): Expression<SqlBool> =>
      eb.and([jobConditions(eb, tenant, asked), ...(withoutCancelRequested ? [eb('jobs.cancel_requested_at_ms', 'is', null)] : [])]);
  // Whether a tag has few jobs is nothing that its jobs in other queues may tell.
  const tag = isConfined ? null : await tagToStartFrom(db, tenant, filter, lookThroughMax);
  if (tag !== null && tag.jobs <= lookThroughMax)
    return cappedCount(await countMatching(db, ofTag(tenant, tag), matching(withoutTag(filter, tag.tag)), LIMITS.countMax + 1), true);
  const shares = sharesOf(totals, lookThroughMax);
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

/** Matching jobs among the newest of the state. */
async function countNewest(
  db: Kysely<Tables>,
  tenant: TenantId,
  { queues }: JobFilter,
  { state, jobs, share }: Share,
  matches: (eb: Jobs) => Expression<SqlBool>,
): Promise<number> {
  const places = (conditions: (eb: Jobs) => Expression<SqlBool>) =>
    db
      .selectFrom('jobs')
      .select('jobs.seq')
      .where((eb) => eb.and([conditions(eb), inState(eb, state)]));
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

interface Share extends StateTotal {
  readonly share: number;
}

/** How many jobs of each state a count looks through: the same number, but for what a state does not have. */
function sharesOf(totals: readonly StateTotal[], lookThroughMax: number): readonly Share[] {
  let left = lookThroughMax;
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
