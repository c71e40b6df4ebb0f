/** The quotas of tenants and what they use of them, for the metrics page, where the settings ask for tenants by name. */
import { QUOTA_NAMES, type QuotaName, type Quotas } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import type { OpenNow } from '../graphql/context.ts';
import type { TenantStore } from '../store/tenant-store.ts';

export interface TenantGauge {
  readonly tenant: TenantId;
  readonly quotas: Quotas;
  /** In the units of the quota. Rates have no use at an instant. */
  readonly used: { readonly [Name in QuotaName]?: number };
}

export interface TenantGaugeParts {
  readonly store: Pick<TenantStore, 'tenants' | 'usage'>;
  readonly openNow: (tenant: TenantId) => OpenNow;
  /** How many tenants are named, by id; those beyond are not shown. */
  readonly tenantsMax: number;
}

const BYTES_PER_MEBIBYTE = 1_048_576;

export async function readTenantGauges({ store, openNow, tenantsMax }: TenantGaugeParts): Promise<readonly TenantGauge[]> {
  if (tenantsMax === 0) return [];
  const { rows } = await store.tenants({ after: null, before: null, limit: tenantsMax, fromEnd: false });
  return Promise.all(
    rows.map(async ({ row: { id, quotas } }) => {
      const { waitingJobs, queues, storedBytes } = await store.usage(id);
      const { feeds, sockets } = openNow(id);
      const used = {
        maxWaitingJobs: waitingJobs,
        maxQueues: queues,
        maxStoredMebibytes: storedBytes / BYTES_PER_MEBIBYTE,
        maxFeeds: feeds,
        maxSockets: sockets,
      };
      return { tenant: id, quotas, used };
    }),
  );
}

/** Each figure of a gauge with the name of its quota. */
export function figuresOf({ quotas, used }: TenantGauge): readonly { readonly quota: QuotaName; readonly limit: number; readonly used: number | null }[] {
  return QUOTA_NAMES.map((quota) => ({ quota, limit: quotas[quota], used: used[quota] ?? null }));
}
