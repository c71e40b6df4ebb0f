/** What administrators do with API keys. A secret is shown once, in the answer that makes its key. */
import { keyPrefix } from '../auth/api-key.ts';
import { type KeyRequest, keyIssues, orderedKey } from '../auth/new-key.ts';
import { parseTenantId } from '../auth/principal.ts';
import type { ApiKey } from '../domain/access.ts';
import { failed } from '../domain/failures.ts';
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { ScopeEnum } from './enums.ts';
import { ApiKeyNotFoundRef, NameTakenRef, QuotaExceededRef, TenantNotFoundRef } from './failures.ts';
import * as check from './inputs.ts';
import { answer, memberType } from './outcome.ts';
import { fewItems, needs, weighs, WEIGHTS } from './terms.ts';

export const ApiKeyRef = builder.objectRef<ApiKey>('ApiKey').implement({
  description: 'An API key without its secret, of which only a digest is stored.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id in the tenant, by which it is revoked.' }),
    name: t.exposeString('name', { description: 'What people call it; the `actor` of the events that it causes.' }),
    prefix: t.string({ description: 'The part of the key that may be shown.', resolve: (key) => keyPrefix(key) }),
    scopes: t.field({ type: [ScopeEnum], description: 'What it may do.', resolve: ({ scopes }) => scopes }),
    queues: t.exposeStringList('queues', { description: 'Queues that it is restricted to. Empty means every queue.' }),
    createdAt: t.expose('createdAtMs', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAtMs', {
      type: 'DateTime',
      nullable: true,
      description: `When it was last used, up to ${LIMITS.keyUseWrittenMsMax / 1_000} seconds late; null where it never was.`,
    }),
    expiresAt: t.expose('expiresAtMs', { type: 'DateTime', nullable: true, description: 'It is refused from this instant on; null where it never expires.' }),
    revokedAt: t.expose('revokedAtMs', { type: 'DateTime', nullable: true, description: 'When it was revoked; null where it was not.' }),
  }),
});

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A key to make.',
  fields: (t) => ({
    tenantId: t.id({ description: 'SYSTEM keys only: whose key. Absent: of the own tenant.' }),
    name: t.string({
      required: true,
      description: `For people, 1 to ${LIMITS.displayNameCharactersMax} characters; unique among the tenant's keys that are not revoked. Events show it.`,
    }),
    scopes: t.field({ type: [ScopeEnum], required: true, description: 'What it may do, one scope at least. Only a SYSTEM key can grant SYSTEM.' }),
    queues: t.stringList({
      description: `Restricts it to these queues, up to ${LIMITS.keyQueuesMax}. Not together with ADMIN or SYSTEM. Absent or empty: every queue.`,
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'From when on it is refused, in the future. Absent: never.' }),
  }),
});

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'A key to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its id.' }) }),
});

type Input = typeof CreateApiKeyInput.$inferInput;

function requestedKey({ name, scopes, queues, expiresAt }: Input): KeyRequest {
  return { name, scopes, queues: queues ?? [], expiresAtMs: expiresAt ?? null };
}

async function createKey(context: GraphQLContext, input: Input) {
  const { principal, keys, store } = context;
  const request = requestedKey(input);
  check.requireNone(keyIssues(request, { grantsSystem: principal.scopes.has('SYSTEM'), nowMs: store.nowMs() }), ['input']);
  const tenantId = input.tenantId ?? principal.tenant;
  const tenant = tenantId === principal.tenant ? principal.tenant : otherTenant(context, tenantId);
  if (tenant === null) return failed({ code: 'TENANT_NOT_FOUND', id: tenantId });
  const { text, ...minted } = context.mintKey(tenant);
  // Where nobody signs in, a tenant exists by being named.
  const outcome = await keys.createKey(tenant, { ...orderedKey(request), ...minted }, principal.key === null && tenant === principal.tenant, principal);
  return outcome.ok ? { ...outcome, value: { apiKey: outcome.value, secret: text } } : outcome;
}

function otherTenant({ principal }: GraphQLContext, id: string) {
  return principal.scopes.has('SYSTEM') ? parseTenantId(id) : null;
}

const CreateApiKeySuccessRef = builder.objectRef<{ readonly apiKey: ApiKey; readonly secret: string }>('CreateApiKeySuccess').implement({
  description: 'The key is made and works at once.',
  fields: (t) => ({
    apiKey: t.expose('apiKey', { type: ApiKeyRef, description: 'The key.' }),
    secret: t.exposeString('secret', { description: 'The key itself, to be sent as `Authorization: Bearer …`. Shown once: nobody can read it again.' }),
  }),
});
const CreateApiKeyResultRef = builder.unionType('CreateApiKeyResult', {
  description: 'The answer to createApiKey.',
  types: [CreateApiKeySuccessRef, NameTakenRef, TenantNotFoundRef, QuotaExceededRef],
  resolveType: memberType('CreateApiKeySuccess'),
});

const RevokeApiKeySuccessRef = builder.objectRef<{ readonly apiKey: ApiKey }>('RevokeApiKeySuccess').implement({
  description: 'The key is refused from now on, and what was open with it is ended.',
  fields: (t) => ({ apiKey: t.expose('apiKey', { type: ApiKeyRef, description: 'The key.' }) }),
});
const RevokeApiKeyResultRef = builder.unionType('RevokeApiKeyResult', {
  description: 'The answer to revokeApiKey.',
  types: [RevokeApiKeySuccessRef, ApiKeyNotFoundRef],
  resolveType: memberType('RevokeApiKeySuccess'),
});

builder.queryFields((t) => ({
  apiKeys: t.field({
    type: [ApiKeyRef],
    nullable: true,
    extensions: { ...needs('ADMIN'), ...weighs(WEIGHTS.keys), ...fewItems() },
    description: "The tenant's keys, the newest first, with those that were revoked. As many as the quota `maxApiKeys` at most.",
    resolve: (_root, _args, { keys, principal }) => keys.keys(principal.tenant),
  }),
}));

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: CreateApiKeyResultRef,
    nullable: true,
    extensions: needs('ADMIN'),
    description: 'Makes a key. It may have scopes that the caller lacks, but for SYSTEM.',
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key.' }) },
    resolve: async (_root, { input }, context) => answer(await createKey(context, input)),
  }),
  revokeApiKey: t.field({
    type: RevokeApiKeyResultRef,
    nullable: true,
    extensions: needs('ADMIN'),
    description: `Revokes a key at once: feeds, sockets and waiting claims that were opened with it end within ${LIMITS.accessEndsMsMax} milliseconds. May be repeated.`,
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'The key.' }) },
    resolve: async (_root, { input }, { keys, principal }) => {
      const outcome = await keys.revokeKey(principal.tenant, input.id, principal);
      return answer(outcome.ok ? { ...outcome, value: { apiKey: outcome.value } } : outcome);
    },
  }),
}));
