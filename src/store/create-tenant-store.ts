/** Puts together the part of the repository that keeps tenants. */
import type { TenantId } from '../domain/job.ts';
import type { TenantStore } from './tenant-store.ts';
import { readAccessVersion } from './access-version.ts';
import type { Engine } from './engines/engine.ts';
import { createTenant, updateTenant } from './operations/tenants.ts';
import { setRedactionRules } from './operations/redaction.ts';
import { tenantsPage } from './queries/all-tenants.ts';
import { operatorActions } from './queries/operator-actions.ts';
import { readRedactionRules } from './queries/redaction-rules.ts';
import { readTenantRow, readUsage } from './queries/tenants.ts';
import { tenantOf } from './rows.ts';
import type { Writer } from './transaction.ts';

export interface TenantStoreParts {
  readonly engine: Engine;
  readonly writer: Writer;
  /** Called for each tenant that was changed, or whose keys were, after the commit. */
  readonly listeners: ((tenant: TenantId) => void)[];
}

/** Lets a read that the database could not serve fail with a StoreFault, as a write does. */
type Guard = <Args extends readonly unknown[], Result>(query: (...args: Args) => Promise<Result>) => (...args: Args) => Promise<Result>;

export function createTenantStore({ engine: { db, reads }, writer, listeners }: TenantStoreParts, guard: Guard): TenantStore {
  return {
    tenant: guard(async (id) => {
      const row = await readTenantRow(db, id);
      return row === null ? null : tenantOf(row);
    }),
    tenants: guard((page) => tenantsPage(reads, page)),
    createTenant: (tenant, caller) => createTenant(writer, tenant, caller),
    updateTenant: (id, change, level, caller) => updateTenant(writer, id, change, level, caller),
    usage: guard((tenant) => readUsage(db, tenant)),
    operatorActions: guard((tenant, kinds, page) => operatorActions(reads, tenant, kinds, page)),
    redactionRules: guard((tenant) => readRedactionRules(db, tenant)),
    setRedactionRules: (tenant, caller, request) => setRedactionRules(writer, tenant, caller, request),
    accessVersion: guard(() => readAccessVersion(db)),
    onAccessChanged: (listener) => void listeners.push(listener),
  };
}
