/** An index of the delayed jobs alone, in place of one of all waiting jobs by their time. Frozen once released. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `drop index jobs_waiting`,
    // Which delayed job is next. A job that is due as it is submitted is never in it.
    `create index jobs_delayed on jobs (tenant_id, queue_name, run_at_ms, seq) where waiting = 'delayed'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
