/**
 * The keys that were used lately, so that a request with one costs a digest and no look at the database. What changes
 * is forgotten at once; a look that was on its way then is not remembered.
 */
import { isExpired, type KeyUse, type StoredKey } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { digest, equalDigests } from '../runtime/digest.ts';
import { type KeyName, keyPrefix, parseKey, prefixIn } from './api-key.ts';
import type { Principal, PrincipalKey } from './principal.ts';

export interface KeySource {
  findKey(tenant: TenantId, id: string): Promise<StoredKey | null>;
  hasTenant(tenant: TenantId): Promise<boolean>;
  nowMs(): number;
}

/** A key and who it makes of its holder. */
export interface KnownKey {
  readonly stored: StoredKey;
  /** On behalf of the key's own tenant. */
  readonly principal: Principal & { readonly key: PrincipalKey };
  /** On behalf of other tenants, for a SYSTEM key. */
  readonly others: Map<TenantId, Principal>;
}

/** Why a key is good for nothing any more. */
export type Lapse = 'revoked' | 'expired' | 'suspended';

const KEYS_MAX = 10_000;
const OTHER_TENANTS_MAX = 100;

export class KeyRing {
  readonly #source: KeySource;
  /** By the part of their text that may be shown. */
  #known = new Map<string, KnownKey>();
  #usedAtMs = new Map<PrincipalKey, number>();

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** The key of this text; null where there is none, or its secret is another. At once where it was used lately. */
  verify(text: string): KnownKey | null | Promise<KnownKey | null> {
    const known = this.#known.get(prefixIn(text));
    if (known !== undefined) return this.#checked(known, text);
    const name = parseKey(text);
    return name === null ? null : this.#load(name).then((found) => this.#checked(found, text));
  }

  /** The key of this name, whoever asks. */
  find(name: KeyName): KnownKey | null | Promise<KnownKey | null> {
    return this.#known.get(keyPrefix(name)) ?? this.#load(name);
  }

  lapseOf({ stored: { key, isSuspended } }: KnownKey): Lapse | null {
    if (key.revokedAtMs !== null) return 'revoked';
    if (isExpired(key, this.#source.nowMs())) return 'expired';
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
    const uses = new Map([...this.#usedAtMs].map(([{ tenant, id }, atMs]) => [keyPrefix({ tenant, id }), { tenant, id, atMs }]));
    this.#usedAtMs = new Map();
    return [...uses.values()];
  }

  #checked(known: KnownKey | null, text: string): KnownKey | null {
    if (known === null || !equalDigests(known.stored.secretHash, digest(text))) return null;
    this.#usedAtMs.set(known.principal.key, this.#source.nowMs());
    return known;
  }

  async #load(asked: KeyName): Promise<KnownKey | null> {
    const known = this.#known;
    const stored = await this.#source.findKey(asked.tenant, asked.id);
    if (stored === null) return null;
    // Not the texts that were asked for: a piece of a key keeps the whole key in memory.
    const { tenant, id, name, scopes, queues, expiresAtMs } = stored.key;
    const principal: KnownKey['principal'] = {
      tenant,
      key: { tenant, id, expiresAtMs },
      actor: name,
      scopes: new Set(scopes),
      queues: queues.length === 0 ? null : new Set(queues),
    };
    const found: KnownKey = { stored, principal, others: new Map() };
    if (known !== this.#known) return found;
    if (known.size >= KEYS_MAX) known.delete(known.keys().next().value ?? '');
    known.set(keyPrefix({ tenant, id }), found);
    return found;
  }
}
