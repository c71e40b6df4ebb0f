/** Hand-made rights of whoever asks. */
import type { Rights } from '../../src/graphql/demands.ts';
import type { Scope } from '../../src/domain/access.ts';
import { tenant } from './tenants.ts';

/** Those of a key with these scopes. */
export const keyWith = (...scopes: readonly Scope[]): Rights => ({ key: { tenant: tenant('default'), id: 'k', expiresAtMs: null }, scopes: new Set(scopes) });
