/** Tenants inside a transaction: their quotas and what they use, read once, and their rows, created by their first queue or key. */
import type { Quotas, StoredUsage } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { DEFAULT_QUOTAS, effectiveQuotas, NO_USAGE, sumOfUsage } from '../domain/quotas.ts';
import { ownerOfName } from './queries/all-tenants.ts';
import { quotaSettingsOf, type TenantRow, usageOf } from './rows.ts';
import { type Soon, statement } from './statements.ts';
import type { Tx } from './transaction.ts';

/** A tenant as its transaction knows it. */
export interface KnownTenant {
  /** False: it has no row yet, and the default quotas. */
  readonly exists: boolean;
  readonly quotas: Quotas;
  /** Before this transaction. */
  readonly usageBefore: StoredUsage;
}

const TENANT = statement((db, values: { readonly tenant: TenantId }) =>
  db
    .selectFrom('tenants')
    .innerJoin('tenant_usage', 'tenant_usage.tenant_id', 'tenants.tenant_id')
    .select(['quotas as granted', 'own_quotas', 'waiting', 'queues', 'stored_bytes'])
    .where('tenants.tenant_id', '=', values.tenant),
);

/** At once where the transaction has read it before. */
export function findTenant(tx: Tx, tenant: TenantId): Soon<KnownTenant> {
  return tx.tenants.get(tenant) ?? readTenant(tx, tenant);
}

const UNKNOWN: KnownTenant = { exists: false, quotas: DEFAULT_QUOTAS, usageBefore: NO_USAGE };

async function readTenant(tx: Tx, tenant: TenantId): Promise<KnownTenant> {
  const row = await tx.session.first(TENANT, { tenant });
  const known = row === null ? UNKNOWN : { exists: true, quotas: quotasOf({ quotas: row.granted, own_quotas: row.own_quotas }), usageBefore: usageOf(row) };
  tx.tenants.set(tenant, known);
  return known;
}

const NONE_SET = '{}';

/** Of most tenants nobody sets any. */
function quotasOf(row: Pick<TenantRow, 'quotas' | 'own_quotas'>): Quotas {
  return row.quotas === NONE_SET && row.own_quotas === NONE_SET ? DEFAULT_QUOTAS : effectiveQuotas(quotaSettingsOf(row));
}

/** What the tenant uses with all that this transaction has done so far. */
export function usageNow(tx: Tx, tenant: TenantId, { usageBefore }: KnownTenant): StoredUsage {
  return sumOfUsage(usageBefore, tx.tally.usage.of(tenant));
}

/** Creates the tenant where this is the first that it owns. */
export async function ensureTenantRow(tx: Tx, tenant: TenantId, nowMs: number): Promise<void> {
  if ((await findTenant(tx, tenant)).exists) return;
  const name = await freeName(tx, tenant);
  await insertTenantRow(tx, { tenant_id: tenant, name, suspended: 0, quotas: NONE_SET, own_quotas: NONE_SET, created_at_ms: nowMs });
}

/** Its id, or the first of `id (2)`, `id (3)`, … that no other tenant goes by. */
async function freeName(tx: Tx, tenant: TenantId): Promise<string> {
  let name: string = tenant;
  for (let number = 2; (await ownerOfName(tx.db, name)) !== null; number++) name = `${tenant} (${number})`;
  return name;
}

export async function insertTenantRow(tx: Tx, row: TenantRow): Promise<void> {
  const tenant = row.tenant_id;
  await tx.db.insertInto('tenants').values(row).execute();
  await tx.db.insertInto('tenant_usage').values({ tenant_id: tenant, waiting: 0, queues: 0, stored_bytes: 0 }).execute();
  tx.tenants.set(tenant, { exists: true, quotas: quotasOf(row), usageBefore: NO_USAGE });
}

/** Holds for whatever follows in the same transaction, too. */
export async function changeTenantRow(tx: Tx, row: TenantRow): Promise<void> {
  const { tenant_id: tenant, name, suspended, quotas, own_quotas } = row;
  await tx.db.updateTable('tenants').set({ name, suspended, quotas, own_quotas }).where('tenant_id', '=', tenant).execute();
  tx.tenants.set(tenant, { ...(await findTenant(tx, tenant)), quotas: quotasOf(row) });
}
