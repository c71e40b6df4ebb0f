/** Who may do what: the scopes of a key, the key itself, and a tenant with its quotas. */
import type { TenantId } from './job.ts';
import { LIMITS } from './limits.ts';

export const SCOPES = ['READ', 'PAYLOADS', 'SUBMIT', 'WORK', 'OPERATE', 'ADMIN', 'SYSTEM'] as const;
export type Scope = (typeof SCOPES)[number];

/** A key as it may be shown. Its secret is known to nobody but its holder; the store has the digest. */
export interface ApiKey {
  /** Unique in its tenant. Part of the key's text. */
  readonly id: string;
  readonly tenant: TenantId;
  /** For people, and as the actor of events. Unique among the tenant's keys that are not revoked. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Empty: every queue. */
  readonly queues: readonly string[];
  readonly createdAtMs: number;
  /** Written lazily: up to `LIMITS.keyUseWrittenMsMax` late. Null: never used. */
  readonly lastUsedAtMs: number | null;
  /** From this instant on the key is refused. Null: it never expires. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** Whether the key is over by time alone. */
export function isExpired({ expiresAtMs }: Pick<ApiKey, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** A key with what only authentication may see. */
export interface StoredKey {
  readonly key: ApiKey;
  /** Of the key's whole text. */
  readonly secretHash: string;
  /** Of its tenant. */
  readonly isSuspended: boolean;
}

export interface KeyUse {
  readonly tenant: TenantId;
  readonly id: string;
  readonly atMs: number;
}

/** A quota of a tenant. `max`: what may be set at most. */
export interface QuotaRule {
  readonly default: number;
  /** What may be set at least; absent: 0, which lets nothing through. */
  readonly min?: number;
  readonly max: number;
  /** What counts, for the documentation. */
  readonly meaning: string;
}

const INT_MAX = 2_147_483_647;

/** Every quota. At the quota is accepted, one more is refused. */
export const QUOTAS = {
  maxWaitingJobs: {
    default: 100_000_000,
    max: INT_MAX,
    meaning: 'Jobs that are QUEUED or in RETRY at once. Submissions and redrives past it get QuotaExceeded.',
  },
  maxQueues: { default: 10_000, max: 1_000_000, meaning: 'Queues. What would create another one gets QuotaExceeded.' },
  maxSchedules: { default: 1_000, max: 100_000, meaning: 'Schedules, which this version does not have yet.' },
  maxApiKeys: {
    default: 200,
    max: 1_000,
    meaning: 'API keys, those that were revoked included; at the quota the one that was revoked longest ago gives way to a new one.',
  },
  maxStoredMebibytes: {
    default: 1_048_576,
    max: INT_MAX,
    meaning: 'Payloads and results kept, in MiB of 1,048,576 bytes. Submissions past it get QuotaExceeded; a result is never refused.',
  },
  requestsPerSecond: { default: 50_000, min: 1, max: INT_MAX, meaning: 'Requests and subscriptions begun in a second, as a rate with a burst of one second.' },
  costPerSecond: {
    default: 1_000_000,
    min: 1,
    max: INT_MAX,
    meaning: 'Cost of operations in a second, as a rate with a burst of one second, but of one operation at least.',
  },
  maxFeeds: { default: 10_000, max: 1_000_000, meaning: 'Subscriptions open at once, over WebSocket and event streams.' },
  maxSockets: { default: LIMITS.socketsMax, max: LIMITS.socketsMax, meaning: 'WebSockets open at once.' },
} as const satisfies Readonly<Record<string, QuotaRule>>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as readonly QuotaName[];
export type Quotas = { readonly [Name in QuotaName]: number };

export interface Tenant {
  readonly id: TenantId;
  /** For people. Unique. */
  readonly name: string;
  /** True: every key of it is refused, and nothing of it is served. Its jobs stay. */
  readonly suspended: boolean;
  readonly quotas: Quotas;
  readonly createdAtMs: number;
}

/** How much of its quotas a tenant uses, as far as the store knows it. */
export interface StoredUsage {
  readonly waitingJobs: number;
  readonly queues: number;
  readonly storedBytes: number;
}
