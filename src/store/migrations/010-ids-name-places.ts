/** Ids that say where their job lies need no index of ids, which is kept for the jobs that are there already. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

export async function up(db: Kysely<unknown>, { integer }: ColumnWords): Promise<void> {
  const statements = [
    // The default is the value of every row that is there, without one being written.
    `alter table jobs add column old_id ${integer} default 1`,
    `drop index jobs_by_id`,
    `create unique index jobs_by_old_id on jobs (tenant_id, id) where old_id = 1`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
