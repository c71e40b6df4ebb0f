/** Tenants and callers of the tests. */
import { parseTenantId } from '../../src/auth/principal.ts';
import type { TenantId } from '../../src/domain/job.ts';
import type { Caller } from '../../src/store/requests.ts';

export function tenant(name: string): TenantId {
  const id = parseTenantId(name);
  if (id === null) throw new Error(`${name} is no tenant's name`);
  return id;
}

export const NOBODY: Caller = { actor: null };
