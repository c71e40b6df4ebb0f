/** What a resolver gets beside its arguments. */
import type { MintedKey } from '../auth/api-key.ts';
import type { Principal } from '../auth/principal.ts';
import type { TenantId } from '../domain/job.ts';
import type { Redaction } from '../domain/redaction.ts';
import type { FeedMessage, FeedRequest } from '../feed/tail.ts';
import type { TenantStore } from '../store/tenant-store.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { JobStore } from '../store/store.ts';

/** What a tenant has open at this server. */
export interface OpenNow {
  readonly feeds: number;
  readonly sockets: number;
}

/** Figures that are looked at again and again. */
export interface Looking<Figures> {
  look(): Promise<Figures>;
  /** Alike for figures that need not be told twice. */
  mark(figures: Figures): string;
  readonly everyMs: number;
}

export interface GraphQLContext {
  readonly store: JobStore;
  readonly keys: KeyStore;
  /** A new key of this tenant, not stored yet. */
  mintKey(tenant: TenantId): MintedKey;
  readonly tenants: TenantStore;
  readonly principal: Principal;
  /** What the tenant hides from readers now; null where nothing. At once where it is known. */
  redaction(): Redaction | null | Promise<Redaction | null>;
  /** A signal that aborts when the client goes away, or, with the error to tell as its reason, when the caller's key lapses. */
  gone(): AbortSignal;
  /** Follows the tenant's event log. `return()` ends a waiting `next()` at once. */
  follow(request: FeedRequest): AsyncIterableIterator<FeedMessage>;
  /** Follows figures: the first at once, then whenever a look every `everyMs` finds them changed. Those who ask for the same share it. */
  watch<Figures>(looking: Looking<Figures>): AsyncIterableIterator<Figures>;
  openNow(tenant: TenantId): OpenNow;
  /** Runs `undo` if the answer of this request cannot be written, the client having gone. */
  onUndelivered(undo: () => Promise<void>): void;
}
