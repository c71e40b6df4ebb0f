/** What breaks the rule of dead letters: each is in one group, and each group counts those that are in it. */
import { sql } from 'kysely';
import type { RowCheck } from './row-checks.ts';

export const deadLetterGroups: RowCheck = {
  name: 'groups',
  rule: 'each dead letter is in a group of its queue and task, which counts as many as are in it',
  breaches: sql`
    with counted as (select tenant_id, dead_group as id, count(*) as jobs from jobs where dead_group is not null group by tenant_id, dead_group)
    select kept.tenant_id as tenant, 'group ' || kept.id as what,
      'counts ' || kept.count || ' dead letters, and has ' || coalesce(counted.jobs, 0) as found
    from dead_groups as kept left join counted on counted.tenant_id = kept.tenant_id and counted.id = kept.id
    where kept.count <> coalesce(counted.jobs, 0) or kept.count = 0
    union all
    select counted.tenant_id, 'group ' || counted.id, 'has dead letters, and is not known'
    from counted left join dead_groups as kept on kept.tenant_id = counted.tenant_id and kept.id = counted.id
    where kept.id is null
    union all
    select tenant_id, 'job ' || id, case when state = 'dead' then 'is dead, and in no group' else 'is not dead, and in a group' end
    from jobs where (state = 'dead') <> (dead_group is not null)
    union all
    select job.tenant_id, 'job ' || job.id, 'is in a group of another queue or task'
    from jobs as job join dead_groups as kept on kept.tenant_id = job.tenant_id and kept.id = job.dead_group
    where kept.queue_name <> job.queue_name or kept.task <> job.task`,
};
