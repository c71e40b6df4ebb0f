/** The quotas of a tenant: their names for people, and how much of each is used. */
import type { TenantFieldsFragment, TenantUsageFieldsFragment } from '../../../client/index.ts';
import { type QuotaName, type QuotaRule, QUOTAS } from '../../../domain/access.ts';

export type Tenant = TenantFieldsFragment & TenantUsageFieldsFragment;

/** What this version does not have yet is not shown. */
export const QUOTA_TITLES = {
  maxWaitingJobs: 'Waiting jobs',
  maxQueues: 'Queues',
  maxStoredMebibytes: 'Payloads and results, MiB',
  maxFeeds: 'Open feeds',
  maxSockets: 'Open sockets',
  maxApiKeys: 'API keys',
  requestsPerSecond: 'Requests per second',
  costPerSecond: 'Cost per second',
} as const satisfies { readonly [Name in QuotaName]?: string };
export type ShownQuota = keyof typeof QUOTA_TITLES;
export const SHOWN_QUOTAS = Object.keys(QUOTA_TITLES) as readonly ShownQuota[];

const MEBIBYTE = 1_048_576;

/** In the unit of the quota; null where nothing counts it. */
export function used({ usage }: Tenant, quota: ShownQuota): number | null {
  switch (quota) {
    case 'maxWaitingJobs':
      return usage.waitingJobs;
    case 'maxQueues':
      return usage.queues;
    case 'maxStoredMebibytes':
      return usage.storedBytes / MEBIBYTE;
    case 'maxFeeds':
      return usage.openFeeds;
    case 'maxSockets':
      return usage.openSockets;
    case 'maxApiKeys':
    case 'requestsPerSecond':
    case 'costPerSecond':
      return null;
    default:
      return quota satisfies never;
  }
}

export const ruleOf = (quota: ShownQuota): QuotaRule => QUOTAS[quota];
