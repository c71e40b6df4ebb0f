/**
 * Tells who is calling: the holder of an API key, or, where nobody has to sign in, everybody, on behalf of the tenant
 * that a header names. Knows no transport: a refusal becomes an answer, or a close code, elsewhere.
 */
import { SCOPES } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { KeyRing, KnownKey, Lapse } from './key-ring.ts';
import { parseTenantId, type Principal } from './principal.ts';

export const TENANT_HEADER = 'x-leasequeue-tenant';
export const DEFAULT_TENANT = 'default' as TenantId;

export interface Refusal {
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'BAD_USER_INPUT';
  readonly message: string;
  /** Where the fault is, for BAD_USER_INPUT. */
  readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[];
}
interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}
export type Authentication = { readonly ok: true; readonly principal: Principal } | Refused;
/** Never throws for what was sent; rejects only where the keys cannot be looked up. At once wherever it can. */
export type Authenticate = (credentials: Credentials) => Authentication | Promise<Authentication>;

/** What a request brings along to say who sent it. */
export interface Credentials {
  /** Text after the `?` of the address. */
  readonly query: string;
  /** Values of the tenant header, and on a socket of the connection parameter of the same name; whatever their types. */
  readonly tenants: readonly unknown[];
  /** Values of the Authorization header and its like; the first that is there counts, whatever its type. */
  readonly authorizations: readonly unknown[];
}

const EVERY_SCOPE: Principal['scopes'] = new Set(SCOPES);
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['token', 'api_key', 'apikey', 'authorization', 'access_token']);
const BEARER = /^Bearer +(\S+) *$/i;

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** For a server at which nobody signs in. */
export const authenticateNobody: Authenticate = ({ query, tenants }) => {
  const misplaced = misplacedSecret(query);
  if (misplaced !== null) return misplaced;
  const named = tenantOf(tenants);
  if (!named.ok) return named;
  return { ok: true, principal: { tenant: named.tenant ?? DEFAULT_TENANT, key: null, actor: null, scopes: EVERY_SCOPE, queues: null } };
};

/** For a server that asks everybody for an API key. */
export function authenticateByKey(ring: KeyRing): Authenticate {
  return ({ query, tenants, authorizations }) => {
    const misplaced = misplacedSecret(query);
    if (misplaced !== null) return misplaced;
    const authorization = authorizations.find(isThere);
    if (authorization === undefined) return NOT_SIGNED_IN;
    const [, text = ''] = typeof authorization === 'string' ? (BEARER.exec(authorization) ?? []) : [];
    const known = ring.verify(text);
    return known instanceof Promise ? known.then((found) => admitted(ring, found, tenants)) : admitted(ring, known, tenants);
  };
}

function admitted(ring: KeyRing, known: KnownKey | null, tenants: readonly unknown[]): Authentication | Promise<Authentication> {
  if (known === null) return NO_KEY;
  const lapse = ring.lapseOf(known);
  if (lapse !== null) return refused(lapse === 'suspended' ? 'FORBIDDEN' : 'UNAUTHENTICATED', LAPSES[lapse]);
  const { principal } = known;
  const named = tenantOf(tenants);
  if (!named.ok) return named;
  const { tenant } = named;
  if (tenant === null || tenant === principal.tenant) return { ok: true, principal };
  if (!principal.scopes.has('SYSTEM')) return OTHER_TENANT;
  return ring.onBehalf(known, tenant).then((other) => (other === null ? badTenant('names no tenant') : { ok: true, principal: other }));
}

/** What a holder is told whose key is good for nothing any more. */
export const LAPSES: Readonly<Record<Lapse, string>> = {
  revoked: 'The API key was revoked. Use another one.',
  expired: 'The API key has expired. Use another one.',
  suspended: 'The tenant of this API key is suspended. Its jobs are kept; whoever runs the server can end that.',
};

function refused(code: Refusal['code'], message: string): Refused {
  return { ok: false, refusal: { code, message, issues: [] } };
}

const NOT_SIGNED_IN = refused(
  'UNAUTHENTICATED',
  'Sign in with an API key: send the header `Authorization: Bearer lq_…`, or the same as a connection parameter of a socket.',
);
/** The same for every key that is none, so that nobody learns which tenants and ids there are. */
const NO_KEY = refused('UNAUTHENTICATED', 'This is not a valid API key. Check that it was copied whole, as `Authorization: Bearer lq_…`.');
const OTHER_TENANT = refused(
  'FORBIDDEN',
  `The header ${TENANT_HEADER} names a tenant that this API key does not belong to. Leave it out, or use a key with the scope SYSTEM.`,
);

/** The refusal of an address that carries a secret; null where it carries none. */
export function misplacedSecret(query: string): Refused | null {
  const parameter = secretIn(query);
  if (parameter === null) return null;
  return refused(
    'UNAUTHENTICATED',
    `Credentials do not belong into the address, where every proxy on the way logs them. Send them as a header, or in a socket's connection parameters, instead of as \`${parameter}\`.`,
  );
}

function secretIn(query: string): string | null {
  if (query === '') return null;
  const names = new URLSearchParams(query).keys().map((name) => name.toLowerCase());
  return names.find((name) => SECRET_PARAMETERS.has(name)) ?? null;
}

type NamedTenant = { readonly ok: true; readonly tenant: TenantId | null } | Refused;

/** The tenant that a request names; null where it names none. */
function tenantOf(tenants: readonly unknown[]): NamedTenant {
  const named = tenants.filter(isThere);
  if (new Set(named).size > 1) return badTenant('differs between the request and the connection parameters');
  const [name] = named;
  if (name === undefined) return { ok: true, tenant: null };
  const tenant = typeof name === 'string' ? parseTenantId(name) : null;
  return tenant === null ? badTenant(`must be 1 to ${LIMITS.tenantCharactersMax} characters of a-z, 0-9 and -`) : { ok: true, tenant };
}

function badTenant(message: string): Refused {
  return {
    ok: false,
    refusal: {
      code: 'BAD_USER_INPUT',
      message: `The input is not valid: the header ${TENANT_HEADER} ${message}.`,
      issues: [{ path: [TENANT_HEADER], message }],
    },
  };
}
