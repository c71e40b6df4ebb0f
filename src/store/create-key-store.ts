/** Puts the store of API keys together. */
import type { Engine } from './engines/engine.ts';
import type { KeyStore } from './key-store.ts';
import type { OperationParts } from './operations/facts.ts';
import { createKey, findKey, hasTenant, keys, noteKeyUses, revokeKey } from './operations/keys.ts';

export function createKeyStore(parts: OperationParts, { db }: Engine): KeyStore {
  const explaining = (error: unknown): never => {
    throw parts.writer.explain(error);
  };
  return {
    findKey: (tenant, id) => findKey(db, tenant, id).catch(explaining),
    hasTenant: (tenant) => hasTenant(db, tenant).catch(explaining),
    keys: (tenant) => keys(db, tenant).catch(explaining),
    createKey: (tenant, key, createsTenant, caller) => createKey(parts, tenant, key, createsTenant, caller),
    revokeKey: (tenant, id, caller) => revokeKey(parts, tenant, id, caller),
    noteKeyUses: (uses) => noteKeyUses(parts, uses),
  };
}
