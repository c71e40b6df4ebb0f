/** Where the jobs of a list are read from, so that an index has them in the order of the list. */
import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { JobRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { byPlace, jobConditions } from './job-filter.ts';
import { between, keyOf, matching, ORDER_RULES, type OrderRule, pastTheStart, readingDirection } from './job-orders.ts';
import { countInLanes, LEASED_LANES, lanePlacesAround, laneRows, type Lanes, WAITING_LANES, type Walk } from './job-lanes.ts';
import {
  countPlaces,
  groupParts,
  type MergedPlaces,
  mergedSeqs,
  type Part,
  type PlaceColumn,
  placesAround,
  queueStateParts,
  stateParts,
  statesOf,
} from './merged-parts.ts';
import { countTagged, type TaggedPlaces, taggedPlacesAround, taggedRows, tagToStartFrom, withoutTag } from './tagged-jobs.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;
/** A list before its filter is applied, and after; a request bounds both, and its `limit` is not looked at. */
export interface JobList {
  /** Every job that is looked through matches: the first ones are the page. */
  readonly allMatch: boolean;
  /** Matching jobs, in the direction of reading. */
  rows(request: PageRequest, limit: number): Promise<readonly JobRow[]>;
  /** The places before and after which so many jobs lie that match or not; one or none where there are fewer. */
  around(request: PageRequest, count: number): Promise<readonly PageKey[]>;
  /** How many jobs there are that match or not: for what is known to be few. */
  count(request: PageRequest): Promise<number>;
}

/** Parts of a list that are read side by side; SQLite joins up to 500 selects. */
const PARTS_MAX = 200;
/** Jobs of a tag that are put into another order than that of their submission. */
const SORTED_MAX = 1_000;
/** Up to here it is told how many jobs a tag has. */
const TAGGED_COUNTED_MAX = 10_000;

export async function jobListOf(db: Kysely<Tables>, tenant: TenantId, filter: JobFilter, order: JobOrder, lookThroughMax: number | null): Promise<JobList> {
  const rule = ORDER_RULES[order];
  const max = rule.timeColumn === null ? TAGGED_COUNTED_MAX : Math.min(SORTED_MAX, lookThroughMax ?? SORTED_MAX);
  // Where a look ended among the jobs of a tag, it may have come across jobs of any queue.
  const tag = filter.isConfined === true && lookThroughMax !== null ? null : await tagToStartFrom(db, tenant, filter, max);
  if (tag !== null && (rule.timeColumn === null || tag.jobs <= max))
    return taggedList(db, withoutTag(filter, tag.tag), { tenant, tag: tag.tag, direction: rule.direction }, order);
  const lanes = LANES[order];
  if (lanes === undefined) return mergedList(db, tenant, rule, partsOf(filter, order));
  return holdsNone(filter, order) ? mergedList(db, tenant, rule, { parts: [], filter: {} }) : laneList(db, tenant, rule, lanes, filter);
}

/** A dead letter waits for nothing, and nobody holds it; whoever is held runs. */
function holdsNone(filter: JobFilter, order: JobOrder): boolean {
  return filter.deadLetterGroups !== undefined || (order === 'lease_expiry' && !statesOf(filter).includes('running'));
}

const LANES: { readonly [Order in JobOrder]?: Lanes } = { next_to_run: WAITING_LANES, lease_expiry: LEASED_LANES };

/** Parts, and what of the filter they do not say themselves. */
interface Parts {
  readonly parts: readonly Part[];
  readonly filter: JobFilter;
}

/** The parts of the list that an index has in its order; all of it as one where they would be too many. */
function partsOf(filter: JobFilter, order: JobOrder): Parts {
  const { queues, states: _states, deadLetterGroups: groups, ...others } = filter;
  const states = statesOf(filter);
  const withQueues = queues === undefined ? others : { ...others, queues };
  if (groups !== undefined) return { parts: states.includes('dead') ? groupParts(groups) : [], filter: withQueues };
  if (order === 'recently_finished') return { parts: [(eb) => eb('jobs.finished_at_ms', 'is not', null)], filter };
  const parts = queues === undefined ? [] : queueStateParts(queues, states);
  return queues === undefined || parts.length > PARTS_MAX ? { parts: stateParts(states), filter: withQueues } : { parts, filter: others };
}

function mergedList(db: Kysely<Tables>, tenant: TenantId, rule: OrderRule, { parts, filter }: Parts): JobList {
  const order: readonly PlaceColumn[] = rule.timeColumn === null ? ['seq'] : [rule.timeColumn, 'seq'];
  const placesOf = (request: PageRequest, given: JobFilter): MergedPlaces => {
    const eb = expressionBuilder<Tables, 'jobs'>();
    // Built once: there may be hundreds of parts.
    const condition = matching(eb, tenant, rule, given, request);
    return { parts, order, direction: readingDirection(rule, request), narrow: (query) => query.where(condition) };
  };
  const unfiltered = inOrderOf(rule, filter);
  return {
    allMatch: asksNoMore(filter, unfiltered),
    rows: async (request, limit) => {
      const seqs = mergedSeqs(db, placesOf(request, filter), limit);
      if (seqs === null) return [];
      const found = db
        .selectFrom('jobs')
        .selectAll()
        .where((eb) => byPlace(eb.ref('jobs.tenant_id'), tenant))
        .where('seq', 'in', seqs);
      return order.reduce((query, column) => query.orderBy(column, readingDirection(rule, request)), found).execute();
    },
    around: async (request, count) => (await placesAround(db, placesOf(request, unfiltered), count)).map((place) => keyOf(rule, place)),
    count: (request) => countPlaces(db, placesOf(request, unfiltered)),
  };
}

function laneList(db: Kysely<Tables>, tenant: TenantId, rule: OrderRule, lanes: Lanes, { queues, states, ...others }: JobFilter): JobList {
  // Whoever has a lease runs.
  const filter = lanes === LEASED_LANES || states === undefined ? others : { ...others, states };
  const walkOf = (request: PageRequest, given: JobFilter): Walk => {
    const [begun, ahead] = pastTheStart(rule, request, given);
    return {
      tenant,
      lanes,
      queues,
      direction: readingDirection(rule, request),
      matches: (eb) => matching(eb, tenant, rule, given, request),
      matchesBeyond: (eb) => matching(eb, tenant, rule, ahead, begun),
    };
  };
  const unfiltered = inOrderOf(rule, filter);
  return {
    allMatch: asksNoMore(filter, unfiltered),
    rows: (request, limit) => laneRows(db, walkOf(request, filter), limit),
    around: async (request, count) => (await lanePlacesAround(db, walkOf(request, unfiltered), count)).map((place) => keyOf(rule, place)),
    count: (request) => countInLanes(db, walkOf(request, unfiltered)),
  };
}

/** What of the filter says which jobs are looked through, apart from the parts: what the index of the order answers itself, and what nobody may know more of. */
function inOrderOf({ timeColumn }: OrderRule, { runAt, finishedAt, queues, isConfined }: JobFilter): JobFilter {
  return {
    ...(timeColumn === 'run_at_ms' && runAt !== undefined && { runAt }),
    ...(timeColumn === 'finished_at_ms' && finishedAt !== undefined && { finishedAt }),
    ...(isConfined === true && queues !== undefined && { queues }),
  };
}

/** That the filter holds of all whom a part of it holds of. Who is confined is confined to queues that it names. */
function asksNoMore({ isConfined: _isConfined, ...filter }: JobFilter, part: JobFilter): boolean {
  return Object.keys(filter).every((name) => name in part);
}

function taggedList(db: Kysely<Tables>, filter: JobFilter, tagged: Pick<TaggedPlaces, 'tenant' | 'tag' | 'direction'>, order: JobOrder): JobList {
  const rule = ORDER_RULES[order];
  if (rule.timeColumn !== null) return sortedList(db, filter, tagged, order);
  const matches = (eb: Jobs): Expression<SqlBool> => jobConditions(eb, tagged.tenant, filter);
  const placesOf = (request: PageRequest): TaggedPlaces => {
    const [lower, upper] = rule.direction === 'asc' ? [request.after, request.before] : [request.before, request.after];
    return { ...tagged, direction: readingDirection(rule, request), aboveSeq: seqOf(lower), belowSeq: seqOf(upper) };
  };
  return {
    allMatch: false,
    rows: (request, limit) => taggedRows(db, placesOf(request), matches, ['seq'], limit),
    around: async (request, count) => (await taggedPlacesAround(db, placesOf(request), count)).map(({ seq }) => [seq]),
    count: (request) => countTagged(db, placesOf(request), Number.MAX_SAFE_INTEGER),
  };
}

/** Jobs of a tag that has few, all looked through and put in order. */
function sortedList(db: Kysely<Tables>, filter: JobFilter, tagged: Pick<TaggedPlaces, 'tenant' | 'tag'>, order: JobOrder): JobList {
  const rule = ORDER_RULES[order];
  const column = rule.timeColumn ?? 'seq';
  const places = { ...tagged, aboveSeq: null, belowSeq: null };
  return {
    allMatch: false,
    rows: (request, limit) =>
      taggedRows(
        db,
        { ...places, direction: readingDirection(rule, request) },
        (eb) =>
          eb.and([
            jobConditions(eb, tagged.tenant, filter),
            eb(`jobs.${column}`, 'is not', null),
            ...(order === 'next_to_run' ? [eb('jobs.waiting', 'is not', null)] : []),
            ...between(eb, rule, request),
          ]),
        [column, 'seq'],
        limit,
      ),
    around: () => Promise.resolve([]),
    count: () => countTagged(db, { ...places, direction: 'asc' }, Number.MAX_SAFE_INTEGER),
  };
}

function seqOf(key: PageKey | null): number | null {
  return key === null ? null : Number(key[0]);
}
