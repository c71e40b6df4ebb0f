/** Tenants through the schema: who may see and change which, and what may be asked for. */
import { graphql, type GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import { QUOTA_NAMES, type QuotaRule, QUOTAS, type Scope } from '../../src/domain/access.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { DEFAULT_QUOTAS } from '../../src/domain/quotas.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import type { Issue } from '../../src/graphql/outcome.ts';
import { toPublicError } from '../../src/graphql/outcome.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { openTestStore, submitOne } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

function principal(owner: string, ...scopes: readonly Scope[]): Principal {
  return { tenant: tenant(owner), key: { tenant: tenant(owner), id: 'k', expiresAtMs: null }, actor: 'k', scopes: new Set(scopes), queues: null };
}
const ADMIN_OF_A = principal('a', 'ADMIN');
const SYSTEM = principal('root', 'SYSTEM');
const NOBODY: Principal = { ...principal('a', 'ADMIN', 'SYSTEM'), key: null, actor: null };

interface Answered {
  // biome-ignore lint: answers are looked into by tests, whose expectations are their types
  readonly data: any;
  readonly code: unknown;
  readonly issues: readonly Issue[];
}

const unexpected = (): never => {
  throw new Error('no tenant needs this');
};

async function ask(store: LeaseRepository, who: Principal, source: string, variableValues: Readonly<Record<string, unknown>> = {}): Promise<Answered> {
  const contextValue: GraphQLContext = {
    store,
    tenants: store,
    keys: store,
    mintKey: unexpected,
    principal: who,
    openNow: (owner) => (owner === 'a' ? { feeds: 2, sockets: 3 } : { feeds: 0, sockets: 0 }),
    redaction: unexpected,
    gone: unexpected,
    follow: unexpected,
    watch: unexpected,
    onUndelivered: unexpected,
  };
  const { data, errors = [] } = await graphql({ schema, source, variableValues, contextValue });
  const [error] = errors.map((thrown: GraphQLError) => toPublicError(thrown, unexpected));
  return { data, code: error?.extensions['code'], issues: (error?.extensions['issues'] ?? []) as readonly Issue[] };
}

const FIELDS = `{ id name suspended createdAt
  quotas { maxWaitingJobs maxQueues maxSchedules maxApiKeys maxStoredMebibytes requestsPerSecond costPerSecond maxFeeds maxSockets }
  usage { waitingJobs queues schedules storedBytes openFeeds openSockets } }`;
const TENANT = `query ($id: ID!) { tenant(id: $id) ${FIELDS} }`;
const RESULT = `{ __typename ... on TenantSuccess { tenant ${FIELDS} } ... on NameTaken { name } ... on TenantNotFound { id } ... on Failure { code } }`;
const CREATE = `mutation ($input: CreateTenantInput!) { createTenant(input: $input) ${RESULT} }`;
const UPDATE = `mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) ${RESULT} }`;

async function withTenants(...ids: readonly string[]): Promise<LeaseRepository> {
  const { store } = await openTestStore();
  for (const id of ids) await store.createTenant({ id: tenant(id), name: id.toUpperCase(), quotas: {} });
  return store;
}
const create = async (store: LeaseRepository, input: object) => ask(store, SYSTEM, CREATE, { input });
const update = async (store: LeaseRepository, who: Principal, input: object) => ask(store, who, UPDATE, { input });

describe('a tenant', () => {
  test('shows its quotas and what it uses of them', async () => {
    const store = await withTenants('a');
    await submitOne(store, tenant('a'), { payloadJson: '{"a":"ü"}' });
    const { data } = await ask(store, ADMIN_OF_A, TENANT, { id: 'a' });
    expect(data.tenant).toEqual({
      id: 'a',
      name: 'A',
      suspended: false,
      createdAt: new Date(T0_MS).toISOString(),
      quotas: DEFAULT_QUOTAS,
      usage: { waitingJobs: 1, queues: 1, schedules: 0, storedBytes: 10, openFeeds: 2, openSockets: 3 },
    });
    await store.close();
  });

  test('of another id is shown to SYSTEM keys, and to others as if there were none', async () => {
    const store = await withTenants('a', 'b');
    const seen = async (who: Principal, id: string) => (await ask(store, who, TENANT, { id })).data.tenant?.id ?? null;
    expect([await seen(SYSTEM, 'b'), await seen(SYSTEM, 'none'), await seen(SYSTEM, 'No Id!')]).toEqual(['b', null, null]);
    expect([await seen(ADMIN_OF_A, 'a'), await seen(ADMIN_OF_A, 'b'), await seen(ADMIN_OF_A, 'none')]).toEqual(['a', null, null]);
    await store.close();
  });

  test('that has nothing yet is shown with the defaults where nobody has to sign in, and can be changed', async () => {
    const store = await withTenants();
    const { data } = await ask(store, NOBODY, TENANT, { id: 'a' });
    expect(data.tenant).toMatchObject({ id: 'a', name: 'a', suspended: false, createdAt: new Date(T0_MS).toISOString(), quotas: DEFAULT_QUOTAS });
    expect(await store.tenant(tenant('a'))).toBeNull();
    expect((await update(store, NOBODY, { id: 'a', quotas: { maxQueues: 1 } })).data.updateTenant.tenant).toMatchObject({
      name: 'a',
      quotas: { maxQueues: 1 },
    });
    expect((await update(store, NOBODY, { id: 'b', name: 'B' })).data.updateTenant).toMatchObject({ code: 'TENANT_NOT_FOUND' });
    await store.close();
  });

  test('is listed among all of them, page by page', async () => {
    const store = await withTenants('b', 'a', 'c');
    const list = 'query ($first: Int, $after: String) { tenants(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
    const first = await ask(store, SYSTEM, list, { first: 2 });
    expect(first.data.tenants).toMatchObject({ nodes: [{ id: 'a' }, { id: 'b' }], pageInfo: { hasNextPage: true } });
    const second = await ask(store, SYSTEM, list, { first: 2, after: first.data.tenants.pageInfo.endCursor });
    expect(second.data.tenants).toMatchObject({ nodes: [{ id: 'c' }], pageInfo: { hasNextPage: false } });
    expect((await ask(store, SYSTEM, list, { after: 'x' })).code).toBe('INVALID_CURSOR');
    expect((await ask(store, SYSTEM, list, { first: LIMITS.pageItemsMax })).data.tenants.nodes).toHaveLength(3);
    expect((await ask(store, SYSTEM, list, { first: LIMITS.pageItemsMax + 1 })).code).toBe('BAD_USER_INPUT');
    await store.close();
  });
});

describe('creating a tenant', () => {
  test.each([
    ['Acme, Inc.', 'acme-inc'],
    ['  Größe 7 ', 'gr-e-7'],
    ['a--b', 'a--b'],
    ['x'.repeat(128), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('called %j makes its id of the name', async (name, id) => {
    const store = await withTenants();
    expect((await create(store, { name })).data.createTenant.tenant).toMatchObject({ id, name, quotas: DEFAULT_QUOTAS });
    await store.close();
  });

  test.each(['漢字', '--', '!'])('called %j needs an id', async (name) => {
    const store = await withTenants();
    const { code, issues } = await create(store, { name });
    expect([code, issues.map(({ path }) => path)]).toEqual(['BAD_USER_INPUT', [['input', 'name']]]);
    expect((await create(store, { name, id: 'kanji', quotas: { maxQueues: 7, maxFeeds: null } })).data.createTenant.tenant).toMatchObject({
      id: 'kanji',
      name,
      quotas: { ...DEFAULT_QUOTAS, maxQueues: 7 },
    });
    await store.close();
  });

  test('with an id or a name that is taken says which', async () => {
    const store = await withTenants('a');
    const taken = async (input: object) => (await create(store, input)).data.createTenant;
    expect(await taken({ name: 'a' })).toEqual({ __typename: 'NameTaken', name: 'a', code: 'NAME_TAKEN' });
    expect(await taken({ name: 'A', id: 'b' })).toEqual({ __typename: 'NameTaken', name: 'A', code: 'NAME_TAKEN' });
    await store.close();
  });

  test.each(['', 'A', 'a_b', 'a b', 'ä', 'x'.repeat(65)])('takes no id %j', async (id) => {
    const store = await withTenants();
    const { code, issues } = await create(store, { id, name: 'Name' });
    expect([code, issues.map(({ path }) => path)]).toEqual(['BAD_USER_INPUT', [['input', 'id']]]);
    await store.close();
  });

  test('takes an id of 64 characters and a name of 128, and neither one more nor a control character', async () => {
    const store = await withTenants();
    const name = '😀'.repeat(LIMITS.displayNameCharactersMax);
    expect((await create(store, { id: '0'.repeat(64), name })).data.createTenant.tenant.name).toBe(name);
    for (const bad of ['', `${name}x`, 'a\nb', 'a\u0000', '\ud800']) {
      expect((await create(store, { id: 'a', name: bad })).issues.map(({ path }) => path)).toEqual([['input', 'name']]);
      expect((await update(store, SYSTEM, { id: 'a', name: bad })).issues.map(({ path }) => path)).toEqual([['input', 'name']]);
    }
    await store.close();
  });
});

describe('a quota', () => {
  test.each(QUOTA_NAMES)('%s is taken from its least to its greatest value, and refused beyond', async (name) => {
    const { min = 0, max }: QuotaRule = QUOTAS[name];
    const store = await withTenants('a');
    const set = (value: number) => update(store, SYSTEM, { id: 'a', quotas: { [name]: value } });
    for (const value of [min, max]) expect((await set(value)).data.updateTenant.tenant.quotas).toEqual({ ...DEFAULT_QUOTAS, [name]: value });
    expect((await set(min - 1)).issues).toEqual([{ path: ['input', 'quotas', name], message: `must be ${min} to ${max}` }]);
    // What no Int can hold is refused before the resolver.
    expect((await set(max + 1)).data?.updateTenant ?? null).toBeNull();
    expect((await store.tenant(tenant('a')))?.quotas[name]).toBe(max);
    await store.close();
  });
});

describe('changing a tenant', () => {
  test('an ADMIN key lowers the quotas of its own tenant, and raises them up to what was granted', async () => {
    const store = await withTenants('a');
    await update(store, SYSTEM, { id: 'a', quotas: { maxQueues: 5 } });
    const lowered = await update(store, ADMIN_OF_A, { id: 'a', name: null, suspended: null, quotas: { maxQueues: 2, maxFeeds: 10_000 } });
    expect(lowered.data.updateTenant.tenant).toMatchObject({ name: 'A', quotas: { maxQueues: 2, maxFeeds: 10_000 } });
    const refused = await update(store, ADMIN_OF_A, { id: 'a', quotas: { maxQueues: 6, maxFeeds: 10_001 } });
    expect(refused.code).toBe('BAD_USER_INPUT');
    expect(refused.issues).toEqual([
      { path: ['input', 'quotas', 'maxQueues'], message: 'must be at most 5, which is what was granted: a key with the scope SYSTEM can raise it' },
      { path: ['input', 'quotas', 'maxFeeds'], message: 'must be at most 10000, which is what was granted: a key with the scope SYSTEM can raise it' },
    ]);
    expect((await update(store, ADMIN_OF_A, { id: 'a', quotas: { maxQueues: null } })).data.updateTenant.tenant.quotas.maxQueues).toBe(5);
    await store.close();
  });

  test('what a SYSTEM key sets replaces what the tenant had set', async () => {
    const store = await withTenants('a');
    await update(store, ADMIN_OF_A, { id: 'a', quotas: { maxQueues: 2, maxFeeds: 3 } });
    const raised = await update(store, SYSTEM, { id: 'a', quotas: { maxQueues: 50_000 } });
    expect(raised.data.updateTenant.tenant.quotas).toMatchObject({ maxQueues: 50_000, maxFeeds: 3 });
    const reset = await update(store, SYSTEM, { id: 'a', quotas: { maxQueues: null } });
    expect(reset.data.updateTenant.tenant.quotas).toMatchObject({ maxQueues: DEFAULT_QUOTAS.maxQueues, maxFeeds: 3 });
    await store.close();
  });

  test('only a SYSTEM key renames it: which names are taken would tell of other tenants', async () => {
    const store = await withTenants('a', 'b');
    const [taken, free] = await Promise.all(['B', 'C'].map((name) => update(store, ADMIN_OF_A, { id: 'a', name })));
    expect([taken?.code, taken?.issues.map(({ path }) => path)]).toEqual(['BAD_USER_INPUT', [['input', 'name']]]);
    expect(free).toEqual(taken);
    expect((await update(store, SYSTEM, { id: 'a', name: 'Ajax' })).data.updateTenant.tenant.name).toBe('Ajax');
    await store.close();
  });

  test('only a SYSTEM key suspends it and lets it go on', async () => {
    const store = await withTenants('a');
    for (const suspended of [true, false]) {
      const { code, issues } = await update(store, ADMIN_OF_A, { id: 'a', suspended });
      expect([code, issues.map(({ path }) => path)]).toEqual(['BAD_USER_INPUT', [['input', 'suspended']]]);
      expect((await update(store, SYSTEM, { id: 'a', suspended })).data.updateTenant.tenant.suspended).toBe(suspended);
    }
    await store.close();
  });

  test('of another id is answered to an ADMIN key as for an id that does not exist, whatever is asked for', async () => {
    const store = await withTenants('a', 'b');
    const before = await store.tenant(tenant('b'));
    const inputs: readonly object[] = [{ name: 'A' }, { name: 'B' }, { suspended: true }, { quotas: { maxQueues: 1_000_000 } }, {}];
    for (const input of inputs) {
      const [foreign, unknown] = await Promise.all(['b', 'z'].map((id) => update(store, ADMIN_OF_A, { id, ...input })));
      expect(foreign).toEqual({ data: { updateTenant: { __typename: 'TenantNotFound', id: 'b', code: 'TENANT_NOT_FOUND' } }, code: undefined, issues: [] });
      expect(JSON.stringify(unknown)).toBe(JSON.stringify(foreign).replace('"id":"b"', '"id":"z"'));
    }
    expect(await store.tenant(tenant('b'))).toEqual(before);
    await store.close();
  });

  test('to a name that another one has changes nothing', async () => {
    const store = await withTenants('a', 'b');
    const { data } = await update(store, SYSTEM, { id: 'a', name: 'B', quotas: { maxQueues: 1 } });
    expect(data.updateTenant).toEqual({ __typename: 'NameTaken', name: 'B', code: 'NAME_TAKEN' });
    expect(await store.tenant(tenant('a'))).toMatchObject({ name: 'A', quotas: DEFAULT_QUOTAS });
    await store.close();
  });
});
