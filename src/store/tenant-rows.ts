/** The row of a tenant inside a transaction. */
import type { Selectable } from 'kysely';
import { QUOTA_NAMES, QUOTAS, type Quotas } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import type { TenantTable } from './tables.ts';
import type { Tx } from './transaction.ts';

export type TenantRow = Selectable<TenantTable>;

export async function findTenantRow({ db }: Tx, tenant: TenantId): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant).executeTakeFirst()) ?? null;
}
export async function ensureTenantRow(tx: Tx, tenant: TenantId, nowMs: number): Promise<void> {
  if ((await findTenantRow(tx, tenant)) !== null) return;
  await tx.db.insertInto('tenants').values({ tenant_id: tenant, name: tenant, suspended: 0, quotas: '{}', own_quotas: '{}', created_at_ms: nowMs }).execute();
}
export function quotasOf({ quotas, own_quotas: own }: TenantRow): Quotas {
  const set = { ...JSON.parse(quotas), ...JSON.parse(own) } as Partial<Quotas>;
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, set[name] ?? QUOTAS[name].default])) as unknown as Quotas;
}
