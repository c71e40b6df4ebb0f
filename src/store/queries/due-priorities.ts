/**
 * The priorities that due jobs of a queue have. The index of due jobs is in the order of claims, so in that of time within
 * each priority alone: whoever wants the jobs by time looks at the first ones of each.
 */
import { type Expression, expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { Tables } from '../tables.ts';

/** Queues of the tenant by name, each once. */
type QueueNames = SelectQueryBuilder<never, never, { readonly queue_name: string }>;

/** From the highest down, by one look into the index for each and one more for each queue, however many jobs are due. */
export function duePriorities(db: Kysely<Tables>, tenant: TenantId, queues: QueueNames) {
  return db
    .withRecursive('step(queue_name, priority)', (cte) =>
      cte
        .selectFrom(queues.as('queue'))
        .select((eb) => ['queue.queue_name', highest(tenant, eb.ref('queue.queue_name')).as('priority')])
        .unionAll(
          cte
            .selectFrom('step')
            .select((eb) => ['step.queue_name', highest(tenant, eb.ref('step.queue_name'), eb.ref('step.priority').$notNull()).as('priority')])
            .where('step.priority', 'is not', null),
        ),
    )
    .selectFrom('step')
    .select(['step.queue_name', 'step.priority'])
    .where('step.priority', 'is not', null);
}

/** When the job of the queues became due that has been so longest; null where none is. */
export function oldestDueMs(db: Kysely<Tables>, tenant: TenantId, queues: QueueNames) {
  return db
    .selectFrom(duePriorities(db, tenant, queues).as('lane'))
    .select((eb) =>
      eb.fn
        .min<number | null>(
          dueIn(tenant, eb.ref('lane.queue_name'))
            .select('jobs.run_at_ms')
            .where('jobs.priority', '=', eb.ref('lane.priority'))
            .orderBy('jobs.run_at_ms')
            .limit(1),
        )
        .as('runAtMs'),
    );
}

/** The highest priority of the queue's due jobs, or of those below one. */
function highest(tenant: TenantId, queue: Expression<string>, below?: Expression<number>) {
  const due = dueIn(tenant, queue).select('jobs.priority').orderBy('jobs.priority', 'desc').limit(1);
  return below === undefined ? due : due.where('jobs.priority', '<', below);
}

function dueIn(tenant: TenantId, queue: Expression<string>) {
  return expressionBuilder<Tables, 'jobs'>()
    .selectFrom('jobs')
    .where('jobs.tenant_id', '=', tenant)
    .where('jobs.queue_name', '=', queue)
    .where('jobs.waiting', '=', sql.lit('due'));
}
