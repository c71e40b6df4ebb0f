/** Who is asking: the tenant and the key of the caller, for consoles that draw only what a key may do. */
import type { Principal } from '../auth/principal.ts';
import { type ApiKey, SCOPES } from '../domain/access.ts';
import { ApiKeyRef } from './api-keys.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { ownTenant, TenantRef } from './tenants.ts';
import { needs } from './terms.ts';

/** Stands for everybody where nobody has to sign in. */
const NOBODYS_KEY = { id: 'none', name: 'none', scopes: SCOPES, queues: [], lastUsedAtMs: null, expiresAtMs: null, revokedAtMs: null };

async function ownKey({ keys, principal, store }: GraphQLContext): Promise<ApiKey> {
  const { key, tenant } = principal;
  const stored = key === null ? null : await keys.findKey(key.tenant, key.id);
  return stored?.key ?? { ...NOBODYS_KEY, tenant, createdAtMs: store.nowMs() };
}

const ViewerRef = builder.objectRef<Principal>('Viewer').implement({
  description: 'Whoever is asking.',
  fields: (t) => ({
    tenant: t.field({
      type: TenantRef,
      description: 'The tenant whose data the key works on: its own, or the one that a SYSTEM key names.',
      resolve: (_viewer, _args, context) => ownTenant(context),
    }),
    apiKey: t.field({
      type: ApiKeyRef,
      description: 'The key, with the scopes that it has. Where nobody has to sign in, one with the id `none` stands for everybody.',
      resolve: (_viewer, _args, context) => ownKey(context),
    }),
    serverTime: t.field({
      type: 'DateTime',
      description: "The server's clock, which leases are judged by.",
      resolve: (_viewer, _args, { store }) => store.nowMs(),
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: ViewerRef,
    nullable: true,
    extensions: needs(),
    description: 'Who is asking. Open to every key.',
    resolve: (_root, _args, { principal }) => principal,
  }),
}));
