/** A job filter as conditions of a query. */
import { type Expression, type ExpressionBuilder, expressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { JobState, TenantId } from '../../domain/job.ts';
import type { InstantRange, JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;
type Condition = Expression<SqlBool>;
type ListColumn = 'queue_name' | 'task' | 'lease_worker_id' | 'concurrency_key' | 'dead_group';
type TimeColumn = 'created_at_ms' | 'run_at_ms' | 'finished_at_ms';

/** The tenant first, then whatever the filter names. */
export function jobConditions(eb: Jobs, tenant: TenantId, filter: JobFilter): Condition {
  return eb.and([
    eb('jobs.tenant_id', '=', tenant),
    ...oneOf(eb, 'queue_name', filter.queues),
    ...oneOf(eb, 'task', filter.tasks),
    ...states(eb, filter.states),
    ...oneOf(eb, 'lease_worker_id', filter.workerIds),
    ...oneOf(eb, 'concurrency_key', filter.concurrencyKeys),
    ...(filter.tags ?? []).map((tag) => hasTag(eb, tenant, tag)),
    ...within(eb, 'created_at_ms', filter.createdAt),
    ...within(eb, 'run_at_ms', filter.runAt),
    ...within(eb, 'finished_at_ms', filter.finishedAt),
    ...oneOf(eb, 'dead_group', filter.deadLetterGroups),
  ]);
}

function oneOf(eb: Jobs, column: ListColumn, values: readonly string[] | undefined): readonly Condition[] {
  if (values === undefined) return [];
  const [first] = values;
  return [values.length === 1 && first !== undefined ? eb(`jobs.${column}`, '=', first) : eb(`jobs.${column}`, 'in', evenly(values))];
}

/** Lists of similar length share one statement: the last value is repeated up to the next power of two. */
export function evenly<Value>(values: readonly Value[]): readonly Value[] {
  const last = values.at(-1);
  if (last === undefined) return values;
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: length - values.length }, () => last)];
}

/**
 * The one state, in the words of the indexes that hold it. A job runs if and only if it has a lease, which its index tells
 * alone. Every queue has a name: saying so makes the index of leases, by tenant and queue, the best one for running jobs.
 */
export function inState(eb: Jobs, state: JobState): Condition {
  if (state === 'running') return eb.and([eb('jobs.lease_expires_at_ms', 'is not', null), eb('jobs.queue_name', '>', '')]);
  return eb.and([eb('jobs.state', '=', sql.lit(state)), eb('jobs.lease_expires_at_ms', 'is', null)]);
}

/** Written out, for partial indexes are only used where the statement itself names the state. */
function states(eb: Jobs, values: JobFilter['states']): readonly Condition[] {
  if (values === undefined) return [];
  const [first] = values;
  if (first === undefined) return [sql<SqlBool>`1 = 0`];
  return [
    values.length === 1
      ? eb('jobs.state', '=', sql.lit(first))
      : eb(
          'jobs.state',
          'in',
          values.toSorted().map((state) => sql.lit(state)),
        ),
  ];
}

function hasTag(eb: Jobs, tenant: TenantId, { key, value }: { readonly key: string; readonly value: string }): Condition {
  return eb.exists(
    eb
      .selectFrom('job_tags')
      .select('job_tags.job_seq')
      .where('job_tags.tenant_id', '=', tenant)
      .where('job_tags.key', '=', key)
      .where('job_tags.value', '=', value)
      .whereRef('job_tags.job_seq', '=', 'jobs.seq'),
  );
}

function within(eb: Jobs, column: TimeColumn, range: InstantRange | undefined): readonly Condition[] {
  if (range === undefined) return [];
  return [
    ...(range.fromMs === null ? [] : [eb(`jobs.${column}`, '>=', range.fromMs)]),
    ...(range.toMs === null ? [] : [eb(`jobs.${column}`, '<', range.toMs)]),
  ];
}

/** That a job is of the tenant. Not the column alone, so that the planner does not read all of the tenant's jobs where a few places are given. */
export function byPlace(tenantId: ExpressionWrapper<Tables, 'jobs', TenantId>, tenant: TenantId): Condition {
  const eb = expressionBuilder<Tables, 'jobs'>();
  return eb(eb(tenantId.$castTo<string>(), '||', sql.lit('')), '=', tenant);
}
