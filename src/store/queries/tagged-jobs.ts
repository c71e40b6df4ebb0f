/** Lists that start from a tag: its jobs stand in its index in the order of their submission. */
import type { ExpressionBuilder, Expression, Kysely, SqlBool } from 'kysely';
import type { Tag, TenantId } from '../../domain/job.ts';
import type { JobFilter } from '../requests.ts';
import type { JobRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { type PlaceColumn, statesOf } from './merged-parts.ts';
import { stateTotals } from './state-totals.ts';

/** Jobs of one tag, by their place. */
export interface TaggedPlaces {
  readonly tenant: TenantId;
  readonly tag: Tag;
  readonly direction: 'asc' | 'desc';
  /** Exclusive; null is open. */
  readonly aboveSeq: number | null;
  readonly belowSeq: number | null;
}

function places(db: Kysely<Tables>, { tenant, tag, aboveSeq, belowSeq }: TaggedPlaces) {
  return db
    .selectFrom('job_tags')
    .select('job_tags.job_seq as seq')
    .where('job_tags.tenant_id', '=', tenant)
    .where('job_tags.key', '=', tag.key)
    .where('job_tags.value', '=', tag.value)
    .$if(aboveSeq !== null, (query) => query.where('job_tags.job_seq', '>', aboveSeq ?? 0))
    .$if(belowSeq !== null, (query) => query.where('job_tags.job_seq', '<', belowSeq ?? 0));
}

/** Its jobs that match, in order. `cross join` keeps the planner from reading the jobs first. */
export function taggedRows(
  db: Kysely<Tables>,
  tagged: TaggedPlaces,
  matches: (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>,
  order: readonly PlaceColumn[],
  limit: number,
): Promise<readonly JobRow[]> {
  const rows = matching(db, tagged, matches).selectAll('jobs');
  // The places of the index stand in the order of submission, which the planner knows of them alone.
  const inOrder = order.reduce((query, column) => query.orderBy(column === 'seq' ? 'tagged.seq' : `jobs.${column}`, tagged.direction), rows);
  return inOrder.limit(limit).execute();
}

function matching(db: Kysely<Tables>, tagged: TaggedPlaces, matches: (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>) {
  return db
    .selectFrom(places(db, tagged).as('tagged'))
    .crossJoin('jobs')
    .whereRef('jobs.seq', '=', 'tagged.seq')
    .where((eb) => matches(eb as unknown as ExpressionBuilder<Tables, 'jobs'>));
}

/** How many of its jobs match, up to a number. */
export async function countMatching(
  db: Kysely<Tables>,
  tagged: TaggedPlaces,
  matches: (eb: ExpressionBuilder<Tables, 'jobs'>) => Expression<SqlBool>,
  max: number,
): Promise<number> {
  const { found } = await db
    .selectFrom(matching(db, tagged, matches).select('tagged.seq').limit(max).as('matching'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

/** The places before and after which `count` of its jobs lie; one or none where there are fewer. */
export function taggedPlacesAround(db: Kysely<Tables>, tagged: TaggedPlaces, count: number): Promise<readonly { readonly seq: number }[]> {
  return places(db, tagged)
    .orderBy('job_tags.job_seq', tagged.direction)
    .limit(2)
    .offset(count - 1)
    .execute();
}

/** How many jobs it has there, up to a number. */
export async function countTagged(db: Kysely<Tables>, tagged: TaggedPlaces, max: number): Promise<number> {
  const { found } = await db
    .selectFrom(places(db, tagged).limit(max).as('tagged'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

export interface CountedTag {
  readonly tag: Tag;
  readonly jobs: number;
}

/** The tag of fewest jobs, as far as `max` tells, with how many it has. */
async function rarestTag(db: Kysely<Tables>, tenant: TenantId, tags: readonly Tag[], max: number): Promise<CountedTag | null> {
  const any = { tenant, direction: 'asc', aboveSeq: null, belowSeq: null } as const;
  const counts = await Promise.all(tags.map(async (tag) => ({ tag, jobs: await countTagged(db, { ...any, tag }, max) })));
  return counts.toSorted((a, b) => a.jobs - b.jobs)[0] ?? null;
}

/** The rarest tag, where it has fewer jobs than the states and queues of the filter; null where no tag is worth it. */
export async function tagToStartFrom(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter, max: number): Promise<CountedTag | null> {
  if (filter.tags === undefined || filter.tags.length === 0) return null;
  const rarest = await rarestTag(db, tenant, filter.tags, max + 1);
  if (rarest === null) return null;
  const totals = await stateTotals(db, tenant, filter.queues, statesOf(filter));
  return rarest.jobs <= totals.reduce((sum, { jobs }) => sum + jobs, 0) ? rarest : null;
}

/** What is left to be asked of the jobs of the tag. */
export function withoutTag(filter: JobFilter, tag: Tag): JobFilter {
  return { ...filter, tags: (filter.tags ?? []).filter((one) => one !== tag) };
}
