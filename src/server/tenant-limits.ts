/**
 * What a tenant may use of this server at once: requests and cost per second, feeds and sockets. Its quotas are looked
 * up once and hold until somebody changes them.
 */
import type { Quotas } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { DEFAULT_QUOTAS } from '../domain/quotas.ts';
import { createTokenBucket, type TokenBucket } from '../domain/token-bucket.ts';

export interface TenantLimitsParts {
  readonly quotasOf: (tenant: TenantId) => Promise<Quotas>;
  readonly monotonicMs: () => number;
  /** Told of each refusal. */
  readonly refused: (quota: RateName | OpenName) => void;
}

export type RateName = 'requestsPerSecond' | 'costPerSecond';
export type OpenName = 'maxFeeds' | 'maxSockets';

/** One tenant's use of this server. */
interface Share {
  quotas: Quotas;
  /** False: its quotas have to be looked up before they are relied on. */
  isCurrent: boolean;
  readonly rates: Readonly<Record<RateName, TokenBucket>>;
  readonly open: Record<OpenName, number>;
}

/** Tenants that nothing is open for are forgotten beyond this many. */
const TENANTS_MAX = 10_000;
/** Where no time would do, since the quota itself is too small. */
const RETRY_MS_MAX = 3_600_000;

export class TenantLimits {
  readonly #parts: TenantLimitsParts;
  readonly #shares = new Map<TenantId, Share>();
  /** How often quotas may have changed: what was looked up before the last time is not relied on. */
  #changes = 0;

  constructor(parts: TenantLimitsParts) {
    this.#parts = parts;
  }

  /** Ends once the tenant's quotas are known; nothing to wait for where they are. */
  known(tenant: TenantId): Promise<void> | null {
    return this.#shares.get(tenant)?.isCurrent === true ? null : this.#look(tenant);
  }

  /** Takes so much of a rate. In how many milliseconds to come back, or null where it was taken. */
  take(tenant: TenantId, quota: RateName, count: number): number | null {
    const { rates } = this.#shareOf(tenant);
    const nowMs = this.#parts.monotonicMs();
    if (rates[quota].take(nowMs, count)) return null;
    this.#parts.refused(quota);
    return Math.min(rates[quota].waitMs(nowMs, count), RETRY_MS_MAX);
  }

  /** Opens one more. What closes it again, once, or null where the tenant is at its quota. */
  open(tenant: TenantId, quota: OpenName): (() => void) | null {
    const share = this.#shareOf(tenant);
    if (share.open[quota] >= share.quotas[quota]) {
      this.#parts.refused(quota);
      return null;
    }
    share.open[quota] += 1;
    let isOpen = true;
    return () => {
      if (isOpen) share.open[quota] -= 1;
      isOpen = false;
    };
  }

  openNow(tenant: TenantId): { readonly feeds: number; readonly sockets: number } {
    const { maxFeeds: feeds = 0, maxSockets: sockets = 0 } = this.#shares.get(tenant)?.open ?? {};
    return { feeds, sockets };
  }

  /** Quotas may have changed: they are looked up again, all of those in use at once, and until then the old ones hold. */
  async renew(): Promise<void> {
    this.#changes += 1;
    for (const share of this.#shares.values()) share.isCurrent = false;
    const inUse = [...this.#shares].filter(([, { open }]) => isAnyOpen(open));
    for (const [tenant] of inUse) await this.#look(tenant);
  }

  #shareOf(tenant: TenantId): Share {
    const known = this.#shares.get(tenant);
    if (known !== undefined) return known;
    const share: Share = { quotas: DEFAULT_QUOTAS, isCurrent: false, rates: bucketsOf(DEFAULT_QUOTAS), open: { maxFeeds: 0, maxSockets: 0 } };
    if (this.#shares.size >= TENANTS_MAX) this.#forgetIdle();
    this.#shares.set(tenant, share);
    return share;
  }

  async #look(tenant: TenantId): Promise<void> {
    const changes = this.#changes;
    const quotas = await this.#parts.quotasOf(tenant);
    const share = this.#shareOf(tenant);
    const nowMs = this.#parts.monotonicMs();
    share.quotas = quotas;
    share.isCurrent = changes === this.#changes;
    for (const name of RATE_NAMES) share.rates[name].setRate(nowMs, quotas[name], atOnceMax(name, quotas));
  }

  #forgetIdle(): void {
    for (const [tenant, { open }] of this.#shares) if (!isAnyOpen(open)) this.#shares.delete(tenant);
  }
}

const RATE_NAMES = ['requestsPerSecond', 'costPerSecond'] as const satisfies readonly RateName[];

const isAnyOpen = ({ maxFeeds, maxSockets }: Share['open']): boolean => maxFeeds > 0 || maxSockets > 0;

/** A second's worth; of cost, whatever one operation may cost at least, or it could never run. */
function atOnceMax(name: RateName, quotas: Quotas): number {
  return name === 'costPerSecond' ? Math.max(quotas[name], LIMITS.operationCostMax) : quotas[name];
}

function bucketsOf(quotas: Quotas): Share['rates'] {
  const bucket = (name: RateName): TokenBucket => createTokenBucket(quotas[name], atOnceMax(name, quotas));
  return { requestsPerSecond: bucket('requestsPerSecond'), costPerSecond: bucket('costPerSecond') };
}
