/**
 * Jobs that an index has in order in each queue alone, or in each priority of a queue, in that order over all queues: the
 * database holds the first job of every lane, takes the nearest, and puts the next one of its lane there. One look into the
 * index for each lane and each job, however many wait, and one short statement for any number of queues.
 *
 * SQLite takes the rows of a recursive query in the order that it names: https://www.sqlite.org/lang_with.html
 */
import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type QueryCreator, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { JobRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { duePriorities } from './due-priorities.ts';
import { byPlace, evenly } from './job-filter.ts';
import type { Place } from './merged-parts.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;
type Condition = Expression<SqlBool>;

/** Lanes of one index. */
interface LaneKind {
  /** A queue has such jobs where this is not 0. */
  readonly counter: 'ready' | 'delayed' | 'running';
  /** One for each priority of a queue; else one for each queue. By this alone a walk tells two kinds from each other. */
  readonly isOfPriority: boolean;
  /** That a job is in such a lane. */
  readonly holds: (eb: Jobs) => Condition;
}

/** What is in order where. */
export interface Lanes {
  readonly column: 'run_at_ms' | 'lease_expires_at_ms';
  readonly kinds: readonly [LaneKind, ...LaneKind[]];
}

export const WAITING_LANES: Lanes = {
  column: 'run_at_ms',
  kinds: [
    { counter: 'ready', isOfPriority: true, holds: (eb) => eb('jobs.waiting', '=', sql.lit('due')) },
    { counter: 'delayed', isOfPriority: false, holds: (eb) => eb('jobs.waiting', '=', sql.lit('delayed')) },
  ],
};
export const LEASED_LANES: Lanes = {
  column: 'lease_expires_at_ms',
  kinds: [{ counter: 'running', isOfPriority: false, holds: (eb) => eb('jobs.lease_expires_at_ms', 'is not', null) }],
};

/** Which jobs are walked along, and which way. */
export interface Walk {
  readonly tenant: TenantId;
  readonly lanes: Lanes;
  /** Absent: all. */
  readonly queues: readonly string[] | undefined;
  readonly direction: 'asc' | 'desc';
  readonly matches: (eb: Jobs) => Condition;
  /** The same where a lane is entered already, so that only its index says from where on. */
  readonly matchesBeyond: (eb: Jobs) => Condition;
}

/** Which lane of its kind it is. */
interface LaneName {
  readonly queue_name: string;
  /** Null where it is that of a queue. */
  readonly priority: number | null;
}
type LaneNames = SelectQueryBuilder<never, never, LaneName>;

/** A job that was come to, and the lane in which the walk goes on from there. */
interface Head extends LaneName {
  readonly at_ms: number;
  readonly seq: number;
}
type WithHeads = Tables & { readonly head: Head };

/** The first `limit` jobs, in order. */
export function laneRows(db: Kysely<Tables>, walk: Walk, limit: number): Promise<readonly JobRow[]> {
  return heads(db, walk, limit)
    .selectFrom('head')
    .crossJoin('jobs')
    .selectAll('jobs')
    .where((eb) => byPlace(eb.ref('jobs.tenant_id'), walk.tenant))
    .whereRef('jobs.seq', '=', 'head.seq')
    .orderBy('head.at_ms', walk.direction)
    .orderBy('head.seq', walk.direction)
    .execute();
}

/** The places before and after which `count` jobs lie, as the walk comes to them; one or none where there are fewer. */
export async function lanePlacesAround(db: Kysely<Tables>, walk: Walk, count: number): Promise<readonly Place[]> {
  const places = await heads(db, walk, count + 1)
    .selectFrom('head')
    .select(['head.at_ms', 'head.seq'])
    .limit(2)
    .offset(count - 1)
    .execute();
  return places.map(({ at_ms, seq }) => ({ [walk.lanes.column]: at_ms, seq }));
}

/** How many jobs there are: for what is known to be few. */
export async function countInLanes(db: Kysely<Tables>, walk: Walk): Promise<number> {
  const [first, ...rest] = ofEachKind(walk, (kind) =>
    db
      .selectFrom(lanesOf(db, walk, kind).as('lane'))
      .crossJoin('jobs')
      .select('jobs.seq')
      .where((eb) => inLane(eb, kind, { queue: eb.ref('lane.queue_name'), priority: eb.ref('lane.priority').$notNull() }, walk.matches)),
  );
  const { found } = await db
    .selectFrom((rest.length === 0 ? first : first.unionAll(rest)).as('held'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

/** The walk itself, to be selected from in its order. */
function heads(db: Kysely<Tables>, walk: Walk, limit: number) {
  return db.withRecursive('head(queue_name, priority, at_ms, seq)', (cte) => {
    const [first, ...rest] = ofEachKind(walk, (kind) => entered(db, cte, walk, kind));
    return first
      .unionAll([...rest, ...ofEachKind(walk, (kind) => beyond(cte, walk, kind))])
      .orderBy('at_ms', walk.direction)
      .orderBy('seq', walk.direction)
      .limit(limit);
  });
}

function ofEachKind<Arm>({ lanes }: Walk, arm: (kind: LaneKind) => Arm): readonly [Arm, ...Arm[]] {
  const [first, ...rest] = lanes.kinds;
  return [arm(first), ...rest.map(arm)];
}

/** The first job of each lane of this kind. */
function entered(db: Kysely<Tables>, cte: QueryCreator<WithHeads>, walk: Walk, kind: LaneKind) {
  return cte
    .selectFrom(lanesOf(db, walk, kind).as('lane'))
    .crossJoin('jobs as found')
    .select(['lane.queue_name', 'lane.priority', `found.${walk.lanes.column} as at_ms`, 'found.seq'])
    .where((eb) => byPlace(eb.ref('found.tenant_id'), walk.tenant))
    .where((eb) =>
      eb(
        'found.seq',
        '=',
        nearest(walk, (jobs) => inLane(jobs, kind, { queue: eb.ref('lane.queue_name'), priority: eb.ref('lane.priority').$notNull() }, walk.matches)),
      ),
    );
}

/** The next job in the lane of the one that was come to, where it is of this kind. */
function beyond(db: QueryCreator<WithHeads>, walk: Walk, kind: LaneKind) {
  const { column } = walk.lanes;
  return db
    .selectFrom('head')
    .crossJoin('jobs as found')
    .select(['head.queue_name', 'head.priority', `found.${column} as at_ms`, 'found.seq'])
    .where('head.priority', kind.isOfPriority ? 'is not' : 'is', null)
    .where((eb) => byPlace(eb.ref('found.tenant_id'), walk.tenant))
    .where((eb) =>
      eb(
        'found.seq',
        '=',
        nearest(walk, (jobs) =>
          jobs.and([
            inLane(jobs, kind, { queue: eb.ref('head.queue_name'), priority: eb.ref('head.priority').$notNull() }, walk.matchesBeyond),
            jobs(jobs.refTuple(`jobs.${column}`, 'jobs.seq'), walk.direction === 'asc' ? '>' : '<', eb.refTuple('head.at_ms', 'head.seq')),
          ]),
        ),
      ),
    );
}

function nearest({ lanes, direction }: Walk, condition: (jobs: Jobs) => Condition) {
  return expressionBuilder<Tables, 'jobs'>()
    .selectFrom('jobs')
    .select('jobs.seq')
    .where(condition)
    .orderBy(`jobs.${lanes.column}`, direction)
    .orderBy('jobs.seq', direction)
    .limit(1);
}

interface LaneRef {
  readonly queue: Expression<string>;
  /** Not looked at where the lane is that of a queue. */
  readonly priority: Expression<number>;
}

function inLane(jobs: Jobs, { isOfPriority, holds }: LaneKind, { queue, priority }: LaneRef, matches: Walk['matches']): Condition {
  return jobs.and([matches(jobs), jobs('jobs.queue_name', '=', queue), holds(jobs), ...(isOfPriority ? [jobs('jobs.priority', '=', priority)] : [])]);
}

/** The lanes of this kind that may hold jobs. */
function lanesOf(db: Kysely<Tables>, walk: Walk, { counter, isOfPriority }: LaneKind): LaneNames {
  const queues = queuesOf(db, walk, counter).select('queue_counters.queue_name');
  return isOfPriority ? duePriorities(db, walk.tenant, queues) : queues.select(sql<number | null>`null`.as('priority'));
}

function queuesOf(db: Kysely<Tables>, { tenant, queues }: Walk, counter: LaneKind['counter']) {
  const busy = db.selectFrom('queue_counters').where('queue_counters.tenant_id', '=', tenant).where(`queue_counters.${counter}`, '>', 0);
  return queues === undefined ? busy : busy.where('queue_counters.queue_name', 'in', evenly(queues));
}
