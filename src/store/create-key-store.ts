/** Puts the store of API keys together. */
import type { TenantId } from '../domain/job.ts';
import type { Engine } from './engines/engine.ts';
import type { KeyStore } from './key-store.ts';
import type { OperationParts } from './operations/facts.ts';
import { createKey, findKey, hasTenant, keys, noteKeyUses, revokeKey } from './operations/keys.ts';

/** `changed` is told of each tenant whose keys changed, once that is durable and before the caller has its answer. */
export function createKeyStore(parts: OperationParts, { db }: Engine, changed: (tenant: TenantId) => void): KeyStore {
  const explaining = (error: unknown): never => {
    throw parts.writer.explain(error);
  };
  async function telling<Result>(tenant: TenantId, change: Promise<Result>): Promise<Result> {
    const result = await change;
    changed(tenant);
    return result;
  }
  return {
    findKey: (tenant, id) => findKey(db, tenant, id).catch(explaining),
    hasTenant: (tenant) => hasTenant(db, tenant).catch(explaining),
    keys: (tenant) => keys(db, tenant).catch(explaining),
    createKey: (tenant, key, createsTenant) => telling(tenant, createKey(parts, tenant, key, createsTenant)),
    revokeKey: (tenant, id) => telling(tenant, revokeKey(parts, tenant, id)),
    noteKeyUses: (uses) => noteKeyUses(parts, uses),
  };
}
