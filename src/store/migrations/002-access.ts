/** Tenants with their quotas and what they use of them, and API keys. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

/** Creates the tables, and a row for every tenant that the database knows. */
export async function up(db: Kysely<unknown>, words: ColumnWords): Promise<void> {
  for (const statement of [...tables(words), ...indexes, ...rowsOfKnownTenants]) await sql.raw(statement).execute(db);
}

function tables({ integer, clusteredEnd }: ColumnWords): readonly string[] {
  return [
    `create table tenants (
      tenant_id text not null,
      name text not null,
      suspended ${integer} not null check (suspended = 0 or suspended = 1),
      quotas text not null,
      own_quotas text not null,
      created_at_ms ${integer} not null,
      primary key (tenant_id)
    )${clusteredEnd}`,
    `create table tenant_usage (
      tenant_id text not null,
      waiting ${integer} not null check (waiting >= 0),
      queues ${integer} not null check (queues >= 0),
      stored_bytes ${integer} not null check (stored_bytes >= 0),
      primary key (tenant_id)
    )${clusteredEnd}`,
    `create table api_keys (
      tenant_id text not null,
      id text not null,
      name text not null,
      secret_hash text not null,
      scopes text not null,
      queues text not null,
      created_at_ms ${integer} not null,
      last_used_at_ms ${integer},
      expires_at_ms ${integer},
      revoked_at_ms ${integer},
      primary key (tenant_id, id)
    )${clusteredEnd}`,
  ];
}

const indexes = [
  `create unique index tenants_by_name on tenants (name)`,
  `create unique index api_keys_by_name on api_keys (tenant_id, name) where revoked_at_ms is null`,
];

const rowsOfKnownTenants = [
  `insert into tenants (tenant_id, name, suspended, quotas, own_quotas, created_at_ms)
    select tenant_id, tenant_id, 0, '{}', '{}', min(created_at_ms) from queues group by tenant_id`,
  `insert into tenant_usage (tenant_id, waiting, queues, stored_bytes)
    select c.tenant_id, sum(c.queued + c.retry), count(*), coalesce((
      select sum(length(cast(j.payload as blob)) + coalesce(length(cast(j.result as blob)), 0)) from jobs as j where j.tenant_id = c.tenant_id
    ), 0) from queue_counters as c group by c.tenant_id`,
];
