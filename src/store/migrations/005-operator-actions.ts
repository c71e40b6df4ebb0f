/** What operators did, in the order in which they did it. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

/** Nothing is known of what was done before. */
export async function up(db: Kysely<unknown>, words: ColumnWords): Promise<void> {
  for (const statement of statements(words)) await sql.raw(statement).execute(db);
}

function statements({ integer, clusteredEnd }: ColumnWords): readonly string[] {
  return [
    `create table operator_actions (
      tenant_id text not null,
      seq ${integer} not null check (seq > 0),
      at_ms ${integer} not null,
      actor text,
      action text not null,
      target text not null,
      changed ${integer} not null check (changed >= 0),
      skipped ${integer} not null check (skipped >= 0),
      reason text,
      primary key (tenant_id, seq)
    )${clusteredEnd}`,
    `create index operator_actions_by_age on operator_actions (at_ms)`,
  ];
}
