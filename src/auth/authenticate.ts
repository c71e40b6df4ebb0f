/**
 * Tells who is calling. Nobody has to sign in yet: every scope is granted, and everything belongs to the tenant that a
 * header names. Knows no transport: a refusal becomes an answer, or a close code, elsewhere.
 */
import { SCOPES } from '../domain/access.ts';
import { LIMITS } from '../domain/limits.ts';
import { parseTenantId, type Principal } from './principal.ts';

export const TENANT_HEADER = 'x-leasequeue-tenant';
const DEFAULT_TENANT = 'default';

export interface Refusal {
  readonly code: 'UNAUTHENTICATED' | 'BAD_USER_INPUT';
  readonly message: string;
  /** Where the fault is, for BAD_USER_INPUT. */
  readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[];
}
export type Authentication = { readonly ok: true; readonly principal: Principal } | { readonly ok: false; readonly refusal: Refusal };

/** What a request brings along to say who sent it. */
export interface Credentials {
  /** Text after the `?` of the address. */
  readonly query: string;
  /** Values of the tenant header, and on a socket of the connection parameter of the same name; whatever their types. */
  readonly tenants: readonly unknown[];
}

/** Tells who is calling by what they brought along. */
export type Authenticate = (credentials: Credentials) => Authentication;

const EVERY_SCOPE: Principal['scopes'] = new Set(SCOPES);
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['token', 'api_key', 'apikey', 'authorization', 'access_token']);

/** Never throws, whatever was sent. */
export function authenticate({ query, tenants }: Credentials): Authentication {
  const secret = secretIn(query);
  if (secret !== null) {
    const message = `Credentials do not belong into the address, where every proxy on the way logs them. Send them as a header, or in a socket's connection parameters, instead of as \`${secret}\`.`;
    return { ok: false, refusal: { code: 'UNAUTHENTICATED', message, issues: [] } };
  }
  const named = tenants.filter((tenant) => tenant !== undefined && tenant !== null);
  if (new Set(named).size > 1) return badTenant('differs between the request and the connection parameters');
  const [name = DEFAULT_TENANT] = named;
  const tenant = typeof name === 'string' ? parseTenantId(name) : null;
  if (tenant === null) return badTenant(`must be 1 to ${LIMITS.tenantCharactersMax} characters of a-z, 0-9 and -`);
  return { ok: true, principal: { tenant, key: null, actor: null, scopes: EVERY_SCOPE, queues: null } };
}

function secretIn(query: string): string | null {
  const names = new URLSearchParams(query).keys().map((name) => name.toLowerCase());
  return names.find((name) => SECRET_PARAMETERS.has(name)) ?? null;
}

function badTenant(message: string): Authentication {
  return {
    ok: false,
    refusal: {
      code: 'BAD_USER_INPUT',
      message: `The input is not valid: the header ${TENANT_HEADER} ${message}.`,
      issues: [{ path: [TENANT_HEADER], message }],
    },
  };
}
