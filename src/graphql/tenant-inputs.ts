/** The inputs of tenants: what may be created and changed, checked. */
import { z } from 'zod';
import { parseTenantId } from '../auth/principal.ts';
import { type QuotaName, type QuotaRule, QUOTAS } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { QuotaChanges } from '../domain/quotas.ts';
import type { NewTenant, TenantChange } from '../store/tenant-store.ts';
import { builder } from './builder.ts';
import * as check from './inputs.ts';

const NAME = `For people. Unique, 1 to ${LIMITS.displayNameCharactersMax} characters, none of them a control character.`;

const leastOf = (name: QuotaName): number => {
  const { min = 0 }: QuotaRule = QUOTAS[name];
  return min;
};

/** What a quota counts and what it may be, for its descriptions. */
export const quotaWords = (name: QuotaName): string =>
  `${QUOTAS[name].meaning} ${leastOf(name)} to ${QUOTAS[name].max}; the default is ${QUOTAS[name].default}.`;

const TenantQuotasInput = builder.inputType('TenantQuotasInput', {
  description:
    'Quotas to set. An absent one stays as it is, null takes it back: a SYSTEM key goes back to the default, an ADMIN key to what was granted. ' +
    'An ADMIN key can set at most what was granted.',
  fields: (t) => ({
    maxWaitingJobs: t.int({ description: quotaWords('maxWaitingJobs') }),
    maxQueues: t.int({ description: quotaWords('maxQueues') }),
    maxSchedules: t.int({ description: quotaWords('maxSchedules') }),
    maxApiKeys: t.int({ description: quotaWords('maxApiKeys') }),
    maxStoredMebibytes: t.int({ description: quotaWords('maxStoredMebibytes') }),
    requestsPerSecond: t.int({ description: quotaWords('requestsPerSecond') }),
    costPerSecond: t.int({ description: quotaWords('costPerSecond') }),
    maxFeeds: t.int({ description: quotaWords('maxFeeds') }),
    maxSockets: t.int({ description: quotaWords('maxSockets') }),
  }),
});

export const CreateTenantInput = builder.inputType('CreateTenantInput', {
  description: 'A tenant to create.',
  fields: (t) => ({
    id: t.id({
      description:
        `Part of its keys, for ever: 1 to ${LIMITS.tenantCharactersMax} characters of a-z, 0-9 and "-". ` +
        'Absent: made from the name, in lower case and with "-" for everything else.',
    }),
    name: t.string({ required: true, description: NAME }),
    quotas: t.field({ type: TenantQuotasInput, description: 'Absent: the defaults.' }),
  }),
});

export const UpdateTenantInput = builder.inputType('UpdateTenantInput', {
  description: 'A tenant, and what to change of it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The tenant. ADMIN keys have their own only.' }),
    name: t.string({ description: `SYSTEM keys only. ${NAME} Absent or null: as it is.` }),
    suspended: t.boolean({ description: 'SYSTEM keys only. True: every key of it is refused; its jobs stay. Absent or null: as it is.' }),
    quotas: t.field({ type: TenantQuotasInput, description: 'Absent or null: as they are.' }),
  }),
});

const quota = (name: QuotaName) => check.whole(leastOf(name), QUOTAS[name].max).nullable().exactOptional();

const quotas = z
  .object({
    maxWaitingJobs: quota('maxWaitingJobs'),
    maxQueues: quota('maxQueues'),
    maxSchedules: quota('maxSchedules'),
    maxApiKeys: quota('maxApiKeys'),
    maxStoredMebibytes: quota('maxStoredMebibytes'),
    requestsPerSecond: quota('requestsPerSecond'),
    costPerSecond: quota('costPerSecond'),
    maxFeeds: quota('maxFeeds'),
    maxSockets: quota('maxSockets'),
  } satisfies Record<QuotaName, unknown>)
  .nullish()
  .transform((changes): QuotaChanges => changes ?? {});

const tenantId = z.string().transform((text, context): TenantId => {
  const id = parseTenantId(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: `must be 1 to ${LIMITS.tenantCharactersMax} characters of a-z, 0-9 and "-"` });
  return z.NEVER;
});

/** Null where the name has no character that an id could have. */
function idFromName(name: string): TenantId | null {
  const text = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
  return parseTenantId(trimmed(trimmed(text).slice(0, LIMITS.tenantCharactersMax)));
}

const trimmed = (text: string): string => text.replaceAll(/^-+|-+$/g, '');

const creation = z.object({ id: check.optional(tenantId), name: check.displayName, quotas }).transform(({ id, ...tenant }, context): NewTenant => {
  const made = id ?? idFromName(tenant.name);
  if (made !== null) return { id: made, ...tenant };
  context.addIssue({ code: 'custom', path: ['name'], message: 'must hold a letter of a-z or a digit, unless an id is given' });
  return z.NEVER;
});

const change = z
  .object({ id: z.string(), name: check.optional(check.displayName), suspended: check.optional(z.boolean()), quotas })
  .transform(({ id, name, suspended, quotas: changes }): TenantChange & { readonly id: string } => ({
    id,
    ...(name !== null && { name }),
    ...(suspended !== null && { suspended }),
    quotas: changes,
  }));

/** Throws BAD_USER_INPUT. */
export function parseNewTenant(input: typeof CreateTenantInput.$inferInput): NewTenant {
  return check.parseInput(creation, input, ['input']);
}

/** The id is as it was asked for: of a tenant, or of none. Throws BAD_USER_INPUT. */
export function parseTenantChange(input: typeof UpdateTenantInput.$inferInput): { readonly id: string; readonly change: TenantChange } {
  const { id, ...rest } = check.parseInput(change, input, ['input']);
  return { id, change: rest };
}
