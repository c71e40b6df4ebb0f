/** Which quotas hold for a tenant, and whether a change fits into them. */
import { QUOTA_NAMES, type QuotaName, QUOTAS, type Quotas, type StoredUsage } from './access.ts';
import type { QuotaExceeded } from './failures.ts';

/** Quotas that somebody set; an absent one is not set. */
export type SetQuotas = { readonly [Name in QuotaName]?: number };
/** A change of quotas: an absent one stays as it is, null takes it back. */
export type QuotaChanges = { readonly [Name in QuotaName]?: number | null };

/** What a SYSTEM key granted, and what the tenant's own administrators made of it: never more. */
export interface QuotaSettings {
  readonly granted: SetQuotas;
  readonly own: SetQuotas;
}

/** SYSTEM keys set what is granted, up to the greatest value that there is; ADMIN keys set their own tenant's, up to that. */
export type QuotaLevel = 'own' | 'system';

export const DEFAULT_QUOTAS = Object.fromEntries(QUOTA_NAMES.map((name) => [name, QUOTAS[name].default])) as Quotas;

/** A quota's own value, else the granted one, else the default. */
export function effectiveQuotas({ granted, own }: QuotaSettings): Quotas {
  return { ...DEFAULT_QUOTAS, ...granted, ...own };
}

/** The changes that ask for more than was granted, which `level` may not. */
export function ungranted(
  { granted }: QuotaSettings,
  changes: QuotaChanges,
  level: QuotaLevel,
): readonly { readonly quota: QuotaName; readonly max: number }[] {
  if (level === 'system') return [];
  const limits = effectiveQuotas({ granted, own: {} });
  return QUOTA_NAMES.filter((name) => (changes[name] ?? 0) > limits[name]).map((name) => ({ quota: name, max: limits[name] }));
}

/** What is set afterwards. A value that a SYSTEM key sets or takes back takes the tenant's own with it. */
export function changedQuotas({ granted, own }: QuotaSettings, changes: QuotaChanges, level: QuotaLevel): QuotaSettings {
  if (level === 'own') return { granted, own: applied(own, changes) };
  const dropped = Object.fromEntries(QUOTA_NAMES.filter((name) => changes[name] !== undefined).map((name) => [name, null]));
  return { granted: applied(granted, changes), own: applied(own, dropped) };
}

function applied(before: SetQuotas, changes: QuotaChanges): SetQuotas {
  const after = QUOTA_NAMES.map((name) => [name, changes[name] === undefined ? before[name] : changes[name]] as const);
  return Object.fromEntries(after.filter(([, value]) => value !== null && value !== undefined));
}

export const NO_USAGE: StoredUsage = { waitingJobs: 0, queues: 0, storedBytes: 0 };

/** Which quota limits which figure, and how many of the figure's units one of the quota's is. In the order in which they are judged. */
const STORED: readonly { readonly quota: QuotaName; readonly figure: keyof StoredUsage; readonly unit: number }[] = [
  { quota: 'maxWaitingJobs', figure: 'waitingJobs', unit: 1 },
  { quota: 'maxQueues', figure: 'queues', unit: 1 },
  { quota: 'maxStoredMebibytes', figure: 'storedBytes', unit: 1_048_576 },
];

/** The first quota that `added` does not fit into beside what is used; null where all of it fits. What adds nothing always fits. */
export function exceededQuota(quotas: Quotas, used: StoredUsage, added: StoredUsage): QuotaExceeded | null {
  for (const { quota, figure, unit } of STORED) {
    if (added[figure] > 0 && used[figure] + added[figure] > quotas[quota] * unit) return { code: 'QUOTA_EXCEEDED', quota, limit: quotas[quota] };
  }
  return null;
}

export function sumOfUsage(left: StoredUsage, right: StoredUsage): StoredUsage {
  return { waitingJobs: left.waitingJobs + right.waitingJobs, queues: left.queues + right.queues, storedBytes: left.storedBytes + right.storedBytes };
}
