/**
 * Jobs that an index has in order in each queue alone, in that order over all queues: the database holds the first job of
 * every lane, takes the nearest, and puts the next one of its lane there. One look into the index for each lane and each job,
 * however many wait, and one short statement for any number of queues.
 *
 * SQLite takes the rows of a recursive query in the order that it names: https://www.sqlite.org/lang_with.html
 */
import { type Expression, type ExpressionBuilder, expressionBuilder, type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { JobRow } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { byPlace, evenly } from './job-filter.ts';
import type { Place } from './merged-parts.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;
type Condition = Expression<SqlBool>;

/** What is in order where. */
export interface Lanes {
  readonly column: 'run_at_ms' | 'lease_expires_at_ms';
  /** A queue has such jobs where one of them is not 0. */
  readonly counters: readonly ('ready' | 'delayed' | 'running')[];
  /** Of each queue. */
  readonly names: readonly [string, ...string[]];
  /** That a job is in the lane of its queue. */
  readonly holds: (eb: Jobs, lane: Expression<string>) => Condition;
}

export const WAITING_LANES: Lanes = {
  column: 'run_at_ms',
  counters: ['ready', 'delayed'],
  names: ['due', 'delayed'],
  holds: (eb, lane) => eb('jobs.waiting', '=', lane as Expression<never>),
};
export const LEASED_LANES: Lanes = {
  column: 'lease_expires_at_ms',
  counters: ['running'],
  names: ['leased'],
  holds: (eb) => eb('jobs.lease_expires_at_ms', 'is not', null),
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

/** A job that was come to, and the lane in which the walk goes on from there. */
interface Head {
  readonly queue_name: string;
  readonly lane: string;
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
  const [first, ...rest] = armsOf(walk, (name) =>
    queuesOf(db, walk)
      .crossJoin('jobs')
      .select('jobs.seq')
      .where((eb) => inLane(eb, walk, eb.ref('queue_counters.queue_name'), sql.lit(name), walk.matches)),
  );
  const { found } = await db
    .selectFrom((rest.length === 0 ? first : first.unionAll(rest)).as('held'))
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return Number(found);
}

/** The walk itself, to be selected from in its order. */
function heads(db: Kysely<Tables>, walk: Walk, limit: number) {
  return db.withRecursive('head(queue_name, lane, at_ms, seq)', (cte) => {
    const [first, ...rest] = armsOf(walk, (name) => entered(cte, walk, name));
    return first
      .unionAll([...rest, beyond(cte, walk)])
      .orderBy('at_ms', walk.direction)
      .orderBy('seq', walk.direction)
      .limit(limit);
  });
}

function armsOf<Arm>({ lanes }: Walk, arm: (name: string) => Arm): readonly [Arm, ...Arm[]] {
  const [first, ...rest] = lanes.names;
  return [arm(first), ...rest.map(arm)];
}

/** The first job of the lane of this name in each queue. */
function entered(db: QueryCreator<WithHeads>, walk: Walk, name: string) {
  const lane = sql.lit(name);
  return queuesOf(db, walk)
    .crossJoin('jobs as found')
    .select(['queue_counters.queue_name', lane.as('lane'), `found.${walk.lanes.column} as at_ms`, 'found.seq'])
    .where((eb) => byPlace(eb.ref('found.tenant_id'), walk.tenant))
    .where((eb) =>
      eb(
        'found.seq',
        '=',
        nearest(walk, (jobs) => inLane(jobs, walk, eb.ref('queue_counters.queue_name'), lane, walk.matches)),
      ),
    );
}

/** The next job in the lane of the one that was come to. */
function beyond(db: QueryCreator<WithHeads>, walk: Walk) {
  const { column } = walk.lanes;
  return db
    .selectFrom('head')
    .crossJoin('jobs as found')
    .select(['head.queue_name', 'head.lane', `found.${column} as at_ms`, 'found.seq'])
    .where((eb) => byPlace(eb.ref('found.tenant_id'), walk.tenant))
    .where((eb) =>
      eb(
        'found.seq',
        '=',
        nearest(walk, (jobs) =>
          jobs.and([
            inLane(jobs, walk, eb.ref('head.queue_name'), eb.ref('head.lane'), walk.matchesBeyond),
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

function inLane(jobs: Jobs, { lanes }: Walk, queue: Expression<string>, lane: Expression<string>, matches: Walk['matches']): Condition {
  return jobs.and([matches(jobs), jobs('jobs.queue_name', '=', queue), lanes.holds(jobs, lane)]);
}

function queuesOf(db: Pick<QueryCreator<Tables>, 'selectFrom'>, { tenant, lanes, queues }: Walk) {
  const busy = db
    .selectFrom('queue_counters')
    .where('queue_counters.tenant_id', '=', tenant)
    .where((eb) => eb.or(lanes.counters.map((name) => eb(`queue_counters.${name}`, '>', 0))));
  return queues === undefined ? busy : busy.where('queue_counters.queue_name', 'in', evenly(queues));
}
