/** What of payloads, results and error details is kept from readers. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

/** No tenant has rules yet. */
export async function up(db: Kysely<unknown>, words: ColumnWords): Promise<void> {
  for (const statement of statements(words)) await sql.raw(statement).execute(db);
}

function statements({ integer, clusteredEnd }: ColumnWords): readonly string[] {
  return [
    `create table redaction_rules (
      tenant_id text not null,
      version ${integer} not null check (version > 0),
      rules text not null,
      primary key (tenant_id)
    )${clusteredEnd}`,
  ];
}
