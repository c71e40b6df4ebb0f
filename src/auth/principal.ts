/** Who is calling: the same value for HTTP, WebSocket and event streams. */
import { LIMITS, TENANT_PATTERN } from '../domain/limits.ts';
import type { TenantId } from '../domain/job.ts';

export const SCOPES = ['READ', 'PAYLOADS', 'SUBMIT', 'WORK', 'OPERATE', 'ADMIN', 'SYSTEM'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Principal {
  readonly tenant: TenantId;
  /** Name of the API key; null where nobody has to sign in. */
  readonly actor: string | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** Everything of a principal that can change an answer, alike for those who may see the same. */
export function rightsOf(principal: Principal): string {
  return JSON.stringify({ ...principal, scopes: SCOPES.filter((scope) => principal.scopes.has(scope)) });
}

/** The tenant of this name, or null where no tenant can have it. The only maker of a TenantId from outside text. */
export function parseTenantId(text: string): TenantId | null {
  const isValid = text.length >= 1 && text.length <= LIMITS.tenantCharactersMax && TENANT_PATTERN.test(text);
  return isValid ? (text as TenantId) : null;
}
