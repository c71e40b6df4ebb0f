/** A count of the changes to tenants and keys, by which other processes on the same database notice them. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';
import type { Tx } from './transaction.ts';

const KEY = 'access_version';

/** Part of every transaction that changes a tenant's row or a key. */
export async function bumpAccessVersion({ db }: Tx): Promise<void> {
  await db
    .insertInto('store_meta')
    .values({ key: KEY, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql<string>`cast(cast(store_meta.value as integer) + 1 as text)` }))
    .execute();
}

/** 0 before the first change. */
export async function readAccessVersion(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('store_meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return Number(row?.value ?? 0);
}
