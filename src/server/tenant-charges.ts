/** How the use of a tenant's rates and quotas is charged for, and the errors of whoever is past them. */
import type { TenantId } from '../domain/job.ts';
import { rateLimited } from '../graphql/outcome.ts';
import type { Admit } from './gate.ts';
import type { TenantLimits } from './tenant-limits.ts';

/** Opens a feed of the tenant, and answers what closes it. Throws RATE_LIMITED where the tenant has too many. */
export type OpenFeed = (tenant: TenantId) => () => void;

/** When to come back for a feed: as long as it takes others to go is not known. */
const FEED_RETRY_MS = 5_000;

/** Charges for the cost of each operation. */
export function charging(limits: TenantLimits): Admit {
  return ({ tenant }, cost) => {
    const waitMs = limits.take(tenant, 'costPerSecond', cost);
    return waitMs === null ? null : rateLimited(waitMs);
  };
}

export function feedOpener(limits: TenantLimits): OpenFeed {
  return (tenant) => {
    const close = limits.open(tenant, 'maxFeeds');
    if (close === null) throw rateLimited(FEED_RETRY_MS);
    return close;
  };
}

/** Charges for one request, or for one subscription. In how many milliseconds to come back, or null where it may go on. At once wherever it can. */
export function chargeRequest(limits: TenantLimits, tenant: TenantId): number | null | Promise<number | null> {
  const looking = limits.known(tenant);
  const take = (): number | null => limits.take(tenant, 'requestsPerSecond', 1);
  return looking === null ? take() : looking.then(take);
}
