/** API keys as the repository keeps them: digests of secrets, never a secret. */
import type { ApiKey, KeyUse, StoredKey } from '../domain/access.ts';
import type { ApiKeyNotFound, NameTaken, Outcome, QuotaExceeded, TenantNotFound } from '../domain/failures.ts';
import type { TenantId } from '../domain/job.ts';
import type { Caller } from './requests.ts';

export interface NewKey extends Pick<ApiKey, 'id' | 'name' | 'scopes' | 'queues' | 'expiresAtMs'> {
  readonly secretHash: string;
}

/** Whoever names no caller acts on the database itself. */
export interface KeyStore {
  findKey(tenant: TenantId, id: string): Promise<StoredKey | null>;
  hasTenant(tenant: TenantId): Promise<boolean>;
  /** Every key of the tenant, the revoked ones included, the newest first; at most as many as its quota. */
  keys(tenant: TenantId): Promise<readonly ApiKey[]>;
  /** `createsTenant`: a tenant that does not exist comes into being with its first key. */
  createKey(tenant: TenantId, key: NewKey, createsTenant: boolean, caller?: Caller): Promise<Outcome<ApiKey, NameTaken | TenantNotFound | QuotaExceeded>>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(tenant: TenantId, id: string, caller?: Caller): Promise<Outcome<ApiKey, ApiKeyNotFound>>;
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>;
}
