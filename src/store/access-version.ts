/** A number that grows with every change of a tenant or a key, so that other processes on the database notice. */
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../domain/job.ts';
import type { Tables } from './tables.ts';
import type { Tx } from './transaction.ts';

const KEY = 'access_version';

/** In the transaction of the change. Listeners of this process are told of the tenant once the change is durable. */
export async function bumpAccessVersion({ db, tally }: Tx, tenant: TenantId): Promise<void> {
  tally.changedAccess.add(tenant);
  await db
    .insertInto('store_meta')
    .values({ key: KEY, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql<string>`cast(cast(store_meta.value as integer) + 1 as text)` }))
    .execute();
}

/** 0 where nothing has changed yet. */
export async function readAccessVersion(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('store_meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return Number(row?.value ?? 0);
}
