/** Since when workers are known, what they claim, and when they count as silent; who holds a lease, without its job. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

/** Of a worker that is known already, its last sign is the first that is known of. */
export async function up(db: Kysely<unknown>, { integer, clusteredEnd }: ColumnWords): Promise<void> {
  const statements = [
    `alter table workers rename to workers_before`,
    `create table workers (
      tenant_id text not null,
      id text not null,
      queues text not null,
      tasks text,
      running ${integer} not null check (running >= 0),
      first_seen_at_ms ${integer} not null,
      last_seen_at_ms ${integer} not null,
      silent_at_ms ${integer} not null,
      primary key (tenant_id, id)
    )${clusteredEnd}`,
    `insert into workers (tenant_id, id, queues, tasks, running, first_seen_at_ms, last_seen_at_ms, silent_at_ms)
      select w.tenant_id, w.id, w.queues, null, w.running, w.last_seen_at_ms, w.last_seen_at_ms, w.last_seen_at_ms + coalesce(held.lease_seconds, 60) * 500 + 5000
      from workers_before as w left join (
        select tenant_id, lease_worker_id, max(lease_seconds) as lease_seconds from jobs where lease_expires_at_ms is not null group by tenant_id, lease_worker_id
      ) as held on held.tenant_id = w.tenant_id and held.lease_worker_id = w.id`,
    `drop table workers_before`,
    // Not by `running`: it changes with every claim, and what changes costs its indexes too.
    `create index workers_by_silence on workers (tenant_id, silent_at_ms)`,
    `drop index jobs_leased`,
    // In the order of a list by expiry, and with the worker, so that who holds what is told without reading a job.
    `create index jobs_leased on jobs (tenant_id, queue_name, lease_expires_at_ms, seq, lease_worker_id) where lease_expires_at_ms is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
