/** Reading the registry of workers, with what each holds. Leases are read from their index alone, never from jobs. */
import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { GONE_AFTER_MS, SIGN_NOTED_EVERY_MS, type WorkerState, workerState } from '../../domain/worker-state.ts';
import type { Worker } from '../answers.ts';
import type { WorkerSelection } from '../requests.ts';
import type { Tables, WorkerTable } from '../tables.ts';
import { evenly } from './job-filter.ts';

type Workers = ExpressionBuilder<Tables, 'workers'>;
type Condition = Expression<SqlBool>;
type WorkerRow = Selectable<WorkerTable>;

/** What a worker holds. */
interface Held {
  readonly leases: number;
  readonly soonestExpiresAtMs: number;
}

/** Past these, asking for each by name costs more than looking at all leases. */
const NAMED_MAX = 128;

/** Whoever was heard of since then, or holds a lease. */
export function heardOf(eb: Workers, tenant: TenantId, seenSinceMs: number): Condition {
  return eb.and([eb('tenant_id', '=', tenant), eb.or([eb('last_seen_at_ms', '>=', seenSinceMs), eb('running', '>', 0)])]);
}

export class WorkerQueries {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async workers(tenant: TenantId, seenSinceMs: number, nowMs: number, selection: WorkerSelection = {}): Promise<readonly Worker[]> {
    if (selection.queues !== undefined) return this.#ofQueues(tenant, seenSinceMs, nowMs, { ...selection, queues: selection.queues });
    const { states, after, limit } = selection;
    const rows = await this.#db
      .selectFrom('workers')
      .selectAll()
      .where((eb) => heardOf(eb, tenant, seenSinceMs))
      .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
      .$if(states !== undefined, (query) => query.where((eb) => inStates(eb, tenant, states ?? [], nowMs)))
      .orderBy('id')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute();
    const holders = rows.filter(({ running }) => running > 0).map(({ id }) => id);
    const held = holders.length === 0 ? new Map<string, Held>() : await this.#held(tenant, null, holders);
    return rows.map((row) => workerOf(row, row.running, held.get(row.id)?.soonestExpiresAtMs ?? null, nowMs));
  }

  /** A worker that was not seen lately is there for a job that it holds: which has to be one of these queues'. */
  async #ofQueues(
    tenant: TenantId,
    seenSinceMs: number,
    nowMs: number,
    { queues, states, after = '', limit }: WorkerSelection & { readonly queues: readonly string[] },
  ): Promise<readonly Worker[]> {
    const rows = await this.#db
      .selectFrom('workers')
      .selectAll()
      .where((eb) => heardOf(eb, tenant, seenSinceMs))
      .where('id', '>', after)
      .orderBy('id')
      .execute();
    const held = await this.#held(tenant, queues, null);
    return rows
      .map((row) => workerOf(row, held.get(row.id)?.leases ?? 0, held.get(row.id)?.soonestExpiresAtMs ?? null, nowMs))
      .map((worker) => seenFrom(worker, new Set(queues)))
      .filter((worker) => worker.queues.length > 0 && (worker.lastSeenAtMs >= seenSinceMs || worker.runningJobs > 0))
      .filter(({ state }) => states === undefined || states.includes(state))
      .slice(0, limit);
  }

  async #held(tenant: TenantId, queues: readonly string[] | null, ids: readonly string[] | null): Promise<ReadonlyMap<string, Held>> {
    const rows = await this.#db
      .selectFrom('jobs')
      .select((eb) => ['lease_worker_id', eb.fn.countAll<number>().as('leases'), eb.fn.min<number>('lease_expires_at_ms').as('soonestExpiresAtMs')])
      .where('tenant_id', '=', tenant)
      .where((eb) => (queues === null ? eb('queue_name', '>', '') : eb('queue_name', 'in', evenly(queues))))
      .where('lease_expires_at_ms', 'is not', null)
      .$if(ids !== null && ids.length <= NAMED_MAX, (query) => query.where('lease_worker_id', 'in', evenly(ids ?? [])))
      .groupBy('lease_worker_id')
      .execute();
    return new Map(rows.map(({ lease_worker_id, leases, soonestExpiresAtMs }) => [lease_worker_id ?? '', { leases: Number(leases), soonestExpiresAtMs }]));
  }
}

/** The same decision as `workerState`, for the rows to be found by. */
function inStates(eb: Workers, tenant: TenantId, states: readonly WorkerState[], nowMs: number): Condition {
  const [only] = states;
  const isLastSilence = eb('silent_at_ms', '<=', nowMs);
  const isOver = eb('id', 'in', holdersOfLapsed(eb, tenant, nowMs));
  const goneBeforeMs = nowMs - GONE_AFTER_MS;
  const conditions: Readonly<Record<WorkerState, Condition>> = {
    active: eb.and([eb('running', '>', 0), eb.not(isLastSilence), eb.not(isOver)]),
    silent: eb.and([eb('running', '>', 0), eb.or([isLastSilence, isOver])]),
    idle: eb.and([eb('running', '=', 0), eb('last_seen_at_ms', '>=', goneBeforeMs)]),
    gone: eb.and([eb('running', '=', 0), eb('last_seen_at_ms', '<', goneBeforeMs)]),
  };
  if (only === 'silent' && states.every((state) => state === only))
    return eb.and([eb('running', '>', 0), eb('id', 'in', silentSince(eb, tenant, nowMs).union(holdersOfLapsed(eb, tenant, nowMs)))]);
  return eb.or([...new Set(states)].map((state) => conditions[state]));
}

/** By the index of silence: who fell silent long before the longest lease began holds none that nobody noticed. */
function silentSince(eb: Workers, tenant: TenantId, nowMs: number) {
  return eb
    .selectFrom('workers as silent')
    .select('silent.id')
    .where('silent.tenant_id', '=', tenant)
    .where('silent.silent_at_ms', '<=', nowMs)
    .where('silent.silent_at_ms', '>', nowMs - LIMITS.leaseSecondsMax * 1000 - SIGN_NOTED_EVERY_MS)
    .where('silent.running', '>', 0);
}

/** Workers of leases that are over and that nobody has noticed yet: one look into each queue where something runs. */
function holdersOfLapsed(eb: Workers, tenant: TenantId, nowMs: number) {
  return eb
    .selectFrom('jobs')
    .select((jobs) => jobs.fn.coalesce('jobs.lease_worker_id', sql.lit('')).as('id'))
    .where('jobs.tenant_id', '=', tenant)
    .where('jobs.queue_name', 'in', (queues) =>
      queues
        .selectFrom('queue_counters')
        .select('queue_counters.queue_name')
        .where('queue_counters.tenant_id', '=', tenant)
        .where('queue_counters.running', '>', 0),
    )
    .where('jobs.lease_expires_at_ms', '<=', nowMs);
}

function workerOf(row: WorkerRow, runningJobs: number, soonestLeaseExpiresAtMs: number | null, nowMs: number): Worker {
  const signs = { runningJobs, soonestLeaseExpiresAtMs, lastSeenAtMs: row.last_seen_at_ms, silentAtMs: row.silent_at_ms };
  return {
    id: row.id,
    queues: JSON.parse(row.queues) as string[],
    tasks: row.tasks === null ? null : (JSON.parse(row.tasks) as string[]),
    state: workerState(signs, nowMs),
    runningJobs,
    soonestLeaseExpiresAtMs,
    firstSeenAtMs: row.first_seen_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
  };
}

/** The tasks of a claim are those of all its queues: who may not see all of these learns none of them. */
function seenFrom(worker: Worker, queues: ReadonlySet<string>): Worker {
  const own = worker.queues.filter((name) => queues.has(name));
  return { ...worker, queues: own, tasks: own.length === worker.queues.length ? worker.tasks : null };
}
