/** Since when figures over time are kept: what a database held before cannot be told from its rows. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

const KEY = 'series_since_ms';

/** Notes the instant in a database that keeps none yet, as its owner. */
export async function noteSeriesSince(db: Kysely<Tables>, nowMs: number): Promise<void> {
  await db
    .insertInto('store_meta')
    .values({ key: KEY, value: String(nowMs) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** 0 where it was not noted. */
export async function seriesSinceMs(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('store_meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return Number(row?.value ?? 0);
}
