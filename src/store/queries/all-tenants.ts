/** The reads that look across tenants on purpose: the list of all of them, and whose a name is. */
import type { Kysely } from 'kysely';
import type { Tenant } from '../../domain/access.ts';
import type { TenantId } from '../../domain/job.ts';
import type { Page } from '../answers.ts';
import type { PageRequest } from '../requests.ts';
import { tenantOf } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { pageOf, rowsToRead } from './page.ts';

/** By id. Keys are `[id]`. */
export async function tenantsPage(db: Kysely<Tables>, request: PageRequest): Promise<Page<Tenant>> {
  let query = acrossTenants(db).selectFrom('tenants').selectAll();
  if (request.after !== null) query = query.where('tenant_id', '>', String(request.after[0]) as TenantId);
  if (request.before !== null) query = query.where('tenant_id', '<', String(request.before[0]) as TenantId);
  const rows = await query
    .orderBy('tenant_id', request.fromEnd ? 'desc' : 'asc')
    .limit(rowsToRead(request))
    .execute();
  return pageOf(rows, request, (row) => [row.tenant_id], tenantOf);
}

/** The tenant that goes by this name; null where none does. */
export async function ownerOfName(db: Kysely<Tables>, name: string): Promise<TenantId | null> {
  const row = await acrossTenants(db).selectFrom('tenants').select('tenant_id').where('name', '=', name).executeTakeFirst();
  return row?.tenant_id ?? null;
}
