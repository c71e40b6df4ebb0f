/** Who is calling: the same value for HTTP, WebSocket and event streams. */
import { type Scope, SCOPES } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS, TENANT_PATTERN } from '../domain/limits.ts';

export interface PrincipalKey {
  readonly tenant: TenantId;
  readonly id: string;
  /** Null: never. */
  readonly expiresAtMs: number | null;
}

export interface Principal {
  /** Whose data it works on: the key's own tenant, or the one that a SYSTEM key names. */
  readonly tenant: TenantId;
  /** The API key; null where nobody has to sign in. */
  readonly key: PrincipalKey | null;
  /** Name of the API key; null where nobody has to sign in. */
  readonly actor: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** Null: every queue. */
  readonly queues: ReadonlySet<string> | null;
}

/** Everything of a principal that can change what a feed shows, alike for those who may see the same. */
export function rightsOf({ tenant, scopes, queues }: Principal): string {
  return JSON.stringify([tenant, SCOPES.filter((scope) => scopes.has(scope)), queues === null ? null : [...queues].toSorted()]);
}

/** The tenant of this name, or null where no tenant can have it. The only maker of a TenantId from outside text. */
export function parseTenantId(text: string): TenantId | null {
  const isValid = text.length >= 1 && text.length <= LIMITS.tenantCharactersMax && TENANT_PATTERN.test(text);
  return isValid ? (text as TenantId) : null;
}
