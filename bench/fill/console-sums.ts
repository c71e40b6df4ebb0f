/** What the server keeps beside the jobs, made to agree with them: groups, workers, figures over time, the audit log. */
import type Database from 'better-sqlite3';
import { BIG_TENANT } from './console-shape.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MINUTES = 26 * 60;
const HOURS = 8 * 24;
/** Every so many-th worker was not heard of for a while. */
const SILENT_EACH = 12;
const IDLE_WORKERS = 200;
const ACTIONS = 10_000;

/** Groups count their jobs, and since when. */
export function sumGroups(database: Database.Database): void {
  const own = 'jobs j where j.tenant_id = dead_groups.tenant_id and j.dead_group = dead_groups.id';
  database.exec(`
    update dead_groups set count = (select count(*) from ${own}),
      first_at_ms = (select min(finished_at_ms) from ${own}), last_at_ms = (select max(finished_at_ms) from ${own});
    delete from dead_group_activity;
    insert into dead_group_activity (tenant_id, group_id, bucket_ms, died)
      select tenant_id, dead_group, finished_at_ms - finished_at_ms % ${HOUR_MS}, count(*) from jobs where dead_group is not null group by 1, 2, 3`);
}

/** One for each that holds a lease, some of them silent, and others that hold none. */
export function sumWorkers(database: Database.Database, nowMs: number): void {
  database.exec(`
    delete from workers;
    insert into workers (tenant_id, id, queues, tasks, running, first_seen_at_ms, last_seen_at_ms, silent_at_ms)
      select tenant_id, lease_worker_id, json_group_array(distinct queue_name), null, count(*), ${nowMs - 24 * HOUR_MS}, ${nowMs - 30_000},
        case when cast(substr(lease_worker_id, 8) as integer) % ${SILENT_EACH} = 0 then ${nowMs - 5_000} else ${nowMs + 4 * HOUR_MS} end
      from jobs where lease_expires_at_ms is not null group by 1, 2;
    with recursive series(n) as (select 1 union all select n + 1 from series where n < ${IDLE_WORKERS})
    insert into workers (tenant_id, id, queues, tasks, running, first_seen_at_ms, last_seen_at_ms, silent_at_ms)
      select tenant_id, 'idle-' || n, '["queue-000"]', null, 0, ${nowMs - 24 * HOUR_MS}, ${nowMs - 10_000}, ${nowMs + 50_000} from series cross join tenants`);
}

const SERIES_COLUMNS = ['submitted', 'claimed', 'completed', 'failed', 'died', 'wait_3', 'wait_5', 'run_2', 'run_6'];

/** Every queue did something in every minute that is kept, and before that in every hour. */
export function fillSeries(database: Database.Database, nowMs: number): void {
  const names = SERIES_COLUMNS.join(', ');
  const steps = (seconds: number, count: number, startMs: number): string => `
    with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count}),
    done(tenant_id, name, n, c) as (select q.tenant_id, q.name, n, ${seconds} / 6 + (n * 7 + length(q.tenant_id) * q.created_at_ms) % 11 from series cross join queues q)
    insert into queue_series (tenant_id, queue_name, step_seconds, bucket_ms, ${names})
      select tenant_id, name, ${seconds}, ${startMs} - n * ${seconds * 1_000}, c, c, c, c / 5, case when (n + c) % 37 = 0 then 1 else 0 end, c - c / 5, c / 5, c - c / 3, c / 3 from done;`;
  const minute = nowMs - (nowMs % MINUTE_MS);
  const hour = nowMs - (nowMs % HOUR_MS);
  database.exec(`
    delete from queue_series;
    ${steps(60, MINUTES, minute)}
    ${steps(3_600, HOURS - MINUTES / 60, hour - (MINUTES / 60) * HOUR_MS)}
    insert into queue_series (tenant_id, queue_name, step_seconds, bucket_ms, ${names})
      select tenant_id, '', step_seconds, bucket_ms, ${SERIES_COLUMNS.map((name) => `sum(${name})`).join(', ')} from queue_series group by 1, 3, 4;
    update store_meta set value = '0' where key = 'series_since_ms'`);
}

export function fillAudit(database: Database.Database, nowMs: number): void {
  database.exec(`
    delete from operator_actions;
    with recursive series(n) as (select 1 union all select n + 1 from series where n < ${ACTIONS})
    insert into operator_actions (tenant_id, seq, at_ms, actor, action, target, changed, skipped, reason)
      select '${BIG_TENANT}', n, ${nowMs} - (${ACTIONS} - n) * 60000, 'key-' || (n % 9),
        case when n % 1000 = 0 then 'set_redaction_rules' when n % 3 = 0 then 'pause_queue' when n % 3 = 1 then 'cancel_jobs' else 'redrive_jobs' end,
        '{"queue":"queue-000"}', 1, 0, 'for the bench' from series`);
}

/** Leases that were made some time ago, and those who hold them, as if that were now. */
export function refreshLeases(database: Database.Database, nowMs: number): void {
  database.exec(`
    update jobs set lease_expires_at_ms = lease_expires_at_ms + max(0, ${nowMs + HOUR_MS} - (select min(lease_expires_at_ms) from jobs where lease_expires_at_ms is not null))
      where lease_expires_at_ms is not null`);
  sumWorkers(database, nowMs);
}
