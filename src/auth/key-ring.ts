/**
 * The keys that were used lately, so that a request with one costs a digest and no look at the database. What changes
 * is forgotten at once; a look that was on its way then is not remembered.
 */
import type { KeyUse, StoredKey } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { digest, equalDigests } from '../runtime/digest.ts';
import type { KeyName } from './api-key.ts';
import type { Principal } from './principal.ts';

export interface KeySource {
  findKey(tenant: TenantId, id: string): Promise<StoredKey | null>;
  hasTenant(tenant: TenantId): Promise<boolean>;
  nowMs(): number;
}

/** A key and who it makes of its holder. */
export interface KnownKey {
  readonly stored: StoredKey;
  /** On behalf of the key's own tenant. */
  readonly principal: Principal;
  /** On behalf of other tenants, for a SYSTEM key. */
  readonly others: Map<TenantId, Principal>;
}

/** Why a key is good for nothing any more. */
export type Lapse = 'revoked' | 'expired' | 'suspended';

const KEYS_MAX = 10_000;
const OTHER_TENANTS_MAX = 100;

export class KeyRing {
  readonly #source: KeySource;
  #known = new Map<string, KnownKey>();
  #uses = new Map<string, KeyUse>();

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** The key of this text; null where there is none, or its secret is another. At once where it was used lately. */
  verify(name: KeyName, text: string): KnownKey | null | Promise<KnownKey | null> {
    const known = this.find(name);
    return known instanceof Promise ? known.then((found) => this.#checked(found, text)) : this.#checked(known, text);
  }

  /** The key of this name, whoever asks. */
  find({ tenant, id }: KeyName): KnownKey | null | Promise<KnownKey | null> {
    return this.#known.get(`${tenant} ${id}`) ?? this.#load(tenant, id);
  }

  lapseOf({ stored: { key, isSuspended } }: KnownKey): Lapse | null {
    if (key.revokedAtMs !== null) return 'revoked';
    if (key.expiresAtMs !== null && key.expiresAtMs <= this.#source.nowMs()) return 'expired';
    return isSuspended ? 'suspended' : null;
  }

  /** The holder on behalf of another tenant; null where there is no such tenant. */
  async onBehalf({ principal, others }: KnownKey, tenant: TenantId): Promise<Principal | null> {
    const known = others.get(tenant);
    if (known !== undefined) return known;
    if (!(await this.#source.hasTenant(tenant))) return null;
    const other = { ...principal, tenant };
    if (others.size >= OTHER_TENANTS_MAX) others.clear();
    others.set(tenant, other);
    return other;
  }

  /** Every key is looked up again before it is used. */
  forget(): void {
    this.#known = new Map();
  }

  /** The uses since the last time, one per key. */
  takeUses(): readonly KeyUse[] {
    const uses = [...this.#uses.values()];
    this.#uses = new Map();
    return uses;
  }

  #checked(known: KnownKey | null, text: string): KnownKey | null {
    if (known === null || !equalDigests(known.stored.secretHash, digest(text))) return null;
    const { tenant, id } = known.stored.key;
    this.#uses.set(`${tenant} ${id}`, { tenant, id, atMs: this.#source.nowMs() });
    return known;
  }

  async #load(askedTenant: TenantId, askedId: string): Promise<KnownKey | null> {
    const known = this.#known;
    const stored = await this.#source.findKey(askedTenant, askedId);
    if (stored === null) return null;
    // Not the texts that were asked for: a piece of a key keeps the whole key in memory.
    const { tenant, id, name, scopes, queues, expiresAtMs } = stored.key;
    const principal: Principal = {
      tenant,
      key: { tenant, id, expiresAtMs },
      actor: name,
      scopes: new Set(scopes),
      queues: queues.length === 0 ? null : new Set(queues),
    };
    const found: KnownKey = { stored, principal, others: new Map() };
    if (known !== this.#known) return found;
    if (known.size >= KEYS_MAX) known.delete(known.keys().next().value ?? '');
    known.set(`${tenant} ${id}`, found);
    return found;
  }
}
