/** Tenants with their quotas and what they use of them, for administrators: of their own tenant, or with SYSTEM of all. */
import { parseTenantId, type Principal } from '../auth/principal.ts';
import type { Quotas, StoredUsage, Tenant } from '../domain/access.ts';
import type { NameTaken, Outcome, TenantNotFound } from '../domain/failures.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { DEFAULT_QUOTAS } from '../domain/quotas.ts';
import type { TenantChange } from '../store/tenant-store.ts';
import { builder } from './builder.ts';
import type { GraphQLContext, OpenNow } from './context.ts';
import { NameTakenRef, TenantNotFoundRef } from './failures.ts';
import { answer, memberType } from './outcome.ts';
import { type Connection, connection, type Edge, PAGE_DEFAULTS, parsePage } from './pages.ts';
import { CreateTenantInput, parseNewTenant, parseTenantChange, quotaWords, UpdateTenantInput } from './tenant-inputs.ts';
import { needs, pageItems } from './terms.ts';
import { PageInfoRef } from './types.ts';

const TenantQuotasRef = builder.objectRef<Quotas>('TenantQuotas').implement({
  description: 'The quotas that hold for a tenant. At a quota is accepted, one more is refused.',
  fields: (t) => ({
    maxWaitingJobs: t.exposeInt('maxWaitingJobs', { description: quotaWords('maxWaitingJobs') }),
    maxQueues: t.exposeInt('maxQueues', { description: quotaWords('maxQueues') }),
    maxSchedules: t.exposeInt('maxSchedules', { description: quotaWords('maxSchedules') }),
    maxApiKeys: t.exposeInt('maxApiKeys', { description: quotaWords('maxApiKeys') }),
    maxStoredMebibytes: t.exposeInt('maxStoredMebibytes', { description: quotaWords('maxStoredMebibytes') }),
    requestsPerSecond: t.exposeInt('requestsPerSecond', { description: quotaWords('requestsPerSecond') }),
    costPerSecond: t.exposeInt('costPerSecond', { description: quotaWords('costPerSecond') }),
    maxFeeds: t.exposeInt('maxFeeds', { description: quotaWords('maxFeeds') }),
    maxSockets: t.exposeInt('maxSockets', { description: quotaWords('maxSockets') }),
  }),
});

interface Usage extends StoredUsage {
  readonly open: OpenNow;
}

const TenantUsageRef = builder.objectRef<Usage>('TenantUsage').implement({
  description: 'How much of its quotas a tenant uses, from counters kept with every change.',
  fields: (t) => ({
    waitingJobs: t.exposeInt('waitingJobs', { description: 'Jobs that are QUEUED or in RETRY.' }),
    queues: t.exposeInt('queues', { description: 'Queues.' }),
    schedules: t.int({ description: 'Schedules: always 0, since this version has none.', resolve: () => 0 }),
    storedBytes: t.exposeFloat('storedBytes', { description: 'Bytes of the payloads and results that are kept, as UTF-8.' }),
    openFeeds: t.int({ description: 'Event feeds that are open at this server.', resolve: ({ open }) => open.feeds }),
    openSockets: t.int({ description: 'WebSockets that are open at this server.', resolve: ({ open }) => open.sockets }),
  }),
});

export const TenantRef = builder.objectRef<Tenant>('Tenant');

TenantRef.implement({
  description: 'Whose jobs, queues and keys are kept apart from those of all others. It comes into being by name, or with its first queue or key.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Part of its keys. Never changes.' }),
    name: t.exposeString('name', { description: 'For people. Unique.' }),
    suspended: t.exposeBoolean('suspended', { description: 'True: every key of it is refused. Its jobs stay.' }),
    quotas: t.expose('quotas', { type: TenantQuotasRef, description: 'The quotas that hold.' }),
    usage: t.field({
      type: TenantUsageRef,
      extensions: needs('ADMIN', 'SYSTEM'),
      description: 'How much of them it uses, over all its queues.',
      resolve: async ({ id }, _args, { tenants, openNow }) => ({ ...(await tenants.usage(id)), open: openNow(id) }),
    }),
    createdAt: t.expose('createdAtMs', { type: 'DateTime', description: 'When it came into being.' }),
  }),
});

const TenantEdgeRef = builder.objectRef<Edge<Tenant>>('TenantEdge').implement({
  description: 'A tenant with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on from here.' }),
    node: t.expose('node', { type: TenantRef, description: 'The tenant.' }),
  }),
});

const TenantConnectionRef = builder.objectRef<Connection<Tenant>>('TenantConnection').implement({
  description: 'A page of tenants, by id.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [TenantEdgeRef], extensions: pageItems(), description: 'The tenants with their cursors.' }),
    nodes: t.field({ type: [TenantRef], extensions: pageItems(), description: 'The tenants.', resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
  }),
});

const TenantSuccessRef = builder.objectRef<{ readonly tenant: Tenant }>('TenantSuccess').implement({
  description: 'The tenant is created or changed.',
  fields: (t) => ({ tenant: t.expose('tenant', { type: TenantRef, description: 'The tenant, as it is now.' }) }),
});
const TenantResultRef = builder.unionType('TenantResult', {
  description: 'The answer to creating or changing a tenant.',
  types: [TenantSuccessRef, NameTakenRef, TenantNotFoundRef],
  resolveType: memberType('TenantSuccess'),
});

const isSystem = ({ scopes }: Principal): boolean => scopes.has('SYSTEM');

/** The tenant of this id, if the caller may see it; one that it may not see is as good as none. */
function visibleId(text: string, principal: Principal): TenantId | null {
  return isSystem(principal) || text === principal.tenant ? parseTenantId(text) : null;
}

/** Where nobody has to sign in, a tenant is there before it has stored anything. */
const isOwnWithoutKey = (id: TenantId, { key, tenant }: Principal): boolean => key === null && id === tenant;

/** The tenant that the caller works for: where nobody has to sign in, it may not have stored anything yet. */
export async function ownTenant({ tenants, principal: { tenant: id }, store }: GraphQLContext): Promise<Tenant> {
  return (await tenants.tenant(id)) ?? { id, name: id, suspended: false, quotas: DEFAULT_QUOTAS, createdAtMs: store.nowMs() };
}

async function readTenant(text: string, context: GraphQLContext): Promise<Tenant | null> {
  const id = visibleId(text, context.principal);
  if (id === null) return null;
  return isOwnWithoutKey(id, context.principal) ? ownTenant(context) : context.tenants.tenant(id);
}

async function changeTenant(text: string, change: TenantChange, { tenants, principal }: GraphQLContext): Promise<Outcome<Tenant, NameTaken | TenantNotFound>> {
  const id = visibleId(text, principal);
  if (id === null) return { ok: false, failure: { code: 'TENANT_NOT_FOUND', id: text } };
  if (isOwnWithoutKey(id, principal) && (await tenants.tenant(id)) === null) await tenants.createTenant({ id, name: id, quotas: {} }, principal);
  return tenants.updateTenant(id, change, isSystem(principal) ? 'system' : 'own', principal);
}

function tenantAnswer<Refusal extends NameTaken | TenantNotFound>(outcome: Outcome<Tenant, Refusal>): { readonly tenant: Tenant } | Refusal {
  return outcome.ok ? { tenant: outcome.value } : answer(outcome);
}

builder.queryFields((t) => ({
  tenant: t.field({
    type: TenantRef,
    nullable: true,
    extensions: needs('ADMIN', 'SYSTEM'),
    description: 'One tenant: any with a SYSTEM key, else the own. Null for every other id.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context) => readTenant(id, context),
  }),
  tenants: t.field({
    type: TenantConnectionRef,
    nullable: true,
    extensions: needs('SYSTEM'),
    description: 'A page of all tenants, by id.',
    args: {
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.tenants, description: `Page size, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      after: t.arg.string({ description: '`endCursor` of the page before.' }),
    },
    resolve: async (_root, args, { tenants, principal: { tenant } }) => {
      const name = { tenant, list: 'tenants', firstDefault: PAGE_DEFAULTS.tenants };
      return connection(await tenants.tenants(parsePage(args, name)), name);
    },
  }),
}));

builder.mutationFields((t) => ({
  createTenant: t.field({
    type: TenantResultRef,
    nullable: true,
    extensions: needs('SYSTEM'),
    description: 'Creates a tenant. An id or a name that another one has answers NameTaken.',
    args: { input: t.arg({ type: CreateTenantInput, required: true, description: 'The tenant.' }) },
    resolve: async (_root, { input }, { tenants, principal }) => tenantAnswer(await tenants.createTenant(parseNewTenant(input), principal)),
  }),
  updateTenant: t.field({
    type: TenantResultRef,
    nullable: true,
    extensions: needs('ADMIN', 'SYSTEM'),
    description:
      'Changes a tenant; quotas hold at once, and take nothing away that is stored already. A SYSTEM key sets of any tenant what is granted to it. ' +
      'An ADMIN key sets quotas of its own tenant that are not above what was granted.',
    args: { input: t.arg({ type: UpdateTenantInput, required: true, description: 'The tenant, and what to change.' }) },
    resolve: async (_root, { input }, context) => {
      const { id, change } = parseTenantChange(input);
      return tenantAnswer(await changeTenant(id, change, context));
    },
  }),
}));
