/** Reading one tenant, and what it uses. */
import type { Kysely } from 'kysely';
import type { StoredUsage } from '../../domain/access.ts';
import type { TenantId } from '../../domain/job.ts';
import { NO_USAGE } from '../../domain/quotas.ts';
import { type TenantRow, usageOf } from '../rows.ts';
import type { Tables } from '../tables.ts';

export async function readTenantRow(db: Kysely<Tables>, tenant: TenantId): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant).executeTakeFirst()) ?? null;
}

export async function readUsage(db: Kysely<Tables>, tenant: TenantId): Promise<StoredUsage> {
  const row = await db.selectFrom('tenant_usage').selectAll().where('tenant_id', '=', tenant).executeTakeFirst();
  return row === undefined ? NO_USAGE : usageOf(row);
}
