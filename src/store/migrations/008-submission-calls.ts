/** Calls to submit that may be repeated by their request id, and the jobs that they made. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

export async function up(db: Kysely<unknown>, { integer, clusteredEnd }: ColumnWords): Promise<void> {
  const statements = [
    `create table submission_calls (
      tenant_id text not null,
      queue_name text not null,
      request_id text not null,
      fingerprint text not null,
      call_seq ${integer} not null,
      jobs text not null,
      at_ms ${integer} not null,
      primary key (tenant_id, queue_name, request_id)
    )${clusteredEnd}`,
    `create index submission_calls_by_age on submission_calls (at_ms)`,
    `alter table jobs add column call_seq ${integer}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
