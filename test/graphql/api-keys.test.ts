/** API keys through the API: who may make which, what is shown, and what a restricted one sees. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/access.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTestKey, type TestKey } from '../support/keys.ts';
import { tenant } from '../support/tenants.ts';

let server: TestApp;
let admin: TestKey;
let system: TestKey;
beforeAll(async () => {
  server = await startApp({ config: { auth: 'required' } });
  admin = await createTestKey(server.store, { tenant: 'acme', name: 'admin', scopes: ['ADMIN'] });
  system = await createTestKey(server.store, { tenant: 'root', name: 'system', scopes: ['ADMIN', 'SYSTEM'] });
});
afterAll(() => server.app.stop());

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename
  ... on CreateApiKeySuccess { secret apiKey { id name prefix scopes queues createdAt lastUsedAt expiresAt revokedAt } } ... on Failure { code } } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(input: {id: $id}) { __typename ... on RevokeApiKeySuccess { apiKey { id revokedAt } } ... on Failure { code } } }`;
const VIEWER = '{ viewer { tenant { id } apiKey { id name scopes queues } serverTime } }';

const create = (by: TestKey, input: object) => server.graphql(CREATE, { input: { name: `key ${Math.random()}`, scopes: ['READ'], ...input } }, by.headers);
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe('an administrator', () => {
  test('makes a key that works at once, and whose secret is shown this once', async () => {
    const { data } = await create(admin, { name: 'reader', scopes: ['READ', 'PAYLOADS', 'READ'], queues: ['b', 'a', 'b'] });
    const { secret, apiKey } = data.createApiKey;
    expect(apiKey).toMatchObject({ name: 'reader', scopes: ['READ', 'PAYLOADS'], queues: ['a', 'b'], lastUsedAt: null, expiresAt: null, revokedAt: null });
    expect(secret.startsWith(`${apiKey.prefix}_`)).toBe(true);
    expect((await server.graphql(VIEWER, {}, bearer(secret))).data.viewer).toMatchObject({ tenant: { id: 'acme' }, apiKey: { id: apiKey.id, name: 'reader' } });
    const listed = await server.graphql('{ apiKeys { id name prefix } }', {}, admin.headers);
    expect(listed.data.apiKeys.map(({ name }: { name: string }) => name).toSorted()).toEqual(['admin', 'reader']);
    expect(listed.text).not.toContain(secret.split('_')[3]);
  });

  test('revokes a key, again and again with the same answer, and none of another tenant', async () => {
    const { data } = await create(admin, {});
    const { secret, apiKey } = data.createApiKey;
    const first = (await server.graphql(REVOKE, { id: apiKey.id }, admin.headers)).data.revokeApiKey;
    expect(first).toMatchObject({ __typename: 'RevokeApiKeySuccess', apiKey: { id: apiKey.id, revokedAt: expect.any(String) } });
    server.clock.advance(10);
    expect((await server.graphql(REVOKE, { id: apiKey.id }, admin.headers)).data.revokeApiKey).toEqual(first);
    expect((await server.graphql(VIEWER, {}, bearer(secret))).status).toBe(401);
    const foreign = await server.graphql(REVOKE, { id: system.id }, admin.headers);
    const unknown = await server.graphql(REVOKE, { id: 'none' }, admin.headers);
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(foreign.data.revokeApiKey).toEqual({ __typename: 'ApiKeyNotFound', code: 'API_KEY_NOT_FOUND' });
    expect((await server.graphql(VIEWER, {}, system.headers)).status).toBe(200);
  });

  test('gives a name once among the keys that are not revoked', async () => {
    const { data } = await create(admin, { name: 'twice' });
    expect((await create(admin, { name: 'twice' })).data.createApiKey).toEqual({ __typename: 'NameTaken', code: 'NAME_TAKEN' });
    await server.graphql(REVOKE, { id: data.createApiKey.apiKey.id }, admin.headers);
    expect((await create(admin, { name: 'twice' })).data.createApiKey).toMatchObject({ __typename: 'CreateApiKeySuccess' });
  });

  test('grants every scope but SYSTEM, which takes SYSTEM', async () => {
    for (const scope of SCOPES.filter((name) => name !== 'SYSTEM'))
      expect((await create(admin, { scopes: [scope] })).data.createApiKey.apiKey.scopes).toEqual([scope]);
    const refused = await create(admin, { scopes: ['READ', 'SYSTEM'] });
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['input', 'scopes'] }] });
    expect((await create(system, { scopes: ['SYSTEM'] })).data.createApiKey.apiKey.scopes).toEqual(['SYSTEM']);
  });

  test('makes keys of its own tenant, and with SYSTEM of any that there is', async () => {
    const [foreign, unknown] = [await create(admin, { tenantId: 'root' }), await create(admin, { tenantId: 'none' })];
    expect(foreign.data.createApiKey).toEqual({ __typename: 'TenantNotFound', code: 'TENANT_NOT_FOUND' });
    expect(unknown.text).toBe(foreign.text);
    expect((await create(admin, { tenantId: 'acme' })).data.createApiKey.apiKey.prefix).toMatch(/^lq_acme_/);
    expect((await create(system, { tenantId: 'acme' })).data.createApiKey.apiKey.prefix).toMatch(/^lq_acme_/);
    for (const tenantId of ['none', 'NO TENANT']) expect((await create(system, { tenantId })).data.createApiKey.code).toBe('TENANT_NOT_FOUND');
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['too long a name', { name: 'x'.repeat(LIMITS.displayNameCharactersMax + 1) }, 'name'],
    ['a control character', { name: 'a\u0007' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an odd queue', { queues: [' '] }, 'queues'],
    ['too many queues', { queues: Array.from({ length: LIMITS.keyQueuesMax + 1 }, (_, n) => `q${n}`) }, 'queues'],
    ['queues beside ADMIN', { scopes: ['ADMIN'], queues: ['q'] }, 'queues'],
    ['an end that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('is told what is wrong with %s', async (_what, input, field) => {
    const { data, errors } = await create(admin, input);
    expect([data.createApiKey, errors[0]?.extensions['code']]).toEqual([null, 'BAD_USER_INPUT']);
    const issues = errors[0]?.extensions['issues'] as readonly { readonly path: readonly unknown[] }[];
    expect(issues[0]?.path.slice(0, 2)).toEqual(['input', field]);
  });

  test('may have as many keys as its quota says: the one that was revoked longest ago gives way', async () => {
    const owner = tenant('crowded');
    await server.store.createTenant({ id: owner, name: 'Crowded', quotas: { maxApiKeys: 3 } });
    const keys = [];
    for (let n = 0; n < 3; n += 1) keys.push(await createTestKey(server.store, { tenant: owner }));
    await expect(createTestKey(server.store, { tenant: owner })).rejects.toThrow('QUOTA_EXCEEDED');
    for (const index of [1, 0]) {
      server.clock.advance(1);
      await server.store.revokeKey(owner, keys[index]?.id ?? '');
    }
    await createTestKey(server.store, { tenant: owner });
    const left = (await server.store.keys(owner)).map(({ id }) => id);
    expect(left).toHaveLength(3);
    expect([left.includes(keys[0]?.id ?? ''), left.includes(keys[1]?.id ?? '')]).toEqual([true, false]);
  });
});

describe('a suspended tenant', () => {
  test('is refused with every key, and served again when it goes on', async () => {
    const key = await createTestKey(server.store, { tenant: 'idle' });
    const suspend = (suspended: boolean) => server.store.updateTenant(tenant('idle'), { suspended }, 'system');
    await suspend(true);
    const refused = await server.graphql(VIEWER, {}, key.headers);
    expect([refused.status, refused.errors[0]?.extensions['code'], refused.errors[0]?.message]).toEqual([403, 'FORBIDDEN', expect.stringMatching(/suspended/)]);
    await suspend(false);
    expect((await server.graphql(VIEWER, {}, key.headers)).status).toBe(200);
  });
});

describe('a key of some queues', () => {
  const JOBS = '{ jobs { nodes { id queueName } count { value } } }';
  const keyOf = (queues: readonly string[], scopes: readonly Scope[]) => createTestKey(server.store, { tenant: 'halls', queues, scopes });

  test('submits to, works on and sees those alone', async () => {
    const all = await createTestKey(server.store, { tenant: 'halls' });
    const some = await keyOf(['mine', 'also'], ['READ', 'SUBMIT', 'WORK', 'OPERATE']);
    const submit = (key: TestKey, queue: string) =>
      server.graphql(
        'mutation ($q: String!) { submitJob(input: {queue: $q, task: "t"}) { ... on SubmitJobSuccess { job { id } } } }',
        { q: queue },
        key.headers,
      );
    const { data } = await submit(all, 'theirs');
    const theirs = data.submitJob.job.id as string;
    await submit(some, 'mine');
    const refused = await submit(some, 'theirs');
    const unknown = await submit(some, 'no-such-queue');
    expect([refused.status, refused.data.submitJob, refused.errors[0]?.extensions['code']]).toEqual([403, null, 'FORBIDDEN']);
    expect(unknown.text).toBe(refused.text);
    expect((await server.graphql(JOBS, {}, some.headers)).data.jobs).toMatchObject({ nodes: [{ queueName: 'mine' }], count: { value: 1 } });
    const job = await server.graphql(
      'query ($id: ID!) { job(by: {id: $id}) { id } queue(name: "theirs") { name } queues { nodes { name } } }',
      { id: theirs },
      some.headers,
    );
    expect(job.data).toEqual({ job: null, queue: null, queues: { nodes: [{ name: 'mine' }] } });
    const claim = (queues: readonly string[]) =>
      server.graphql('mutation ($q: [String!]!) { claimJobs(input: {queues: $q, workerId: "w"}) { leases { job { id } } } }', { q: queues }, some.headers);
    expect((await claim(['mine', 'theirs'])).errors[0]?.extensions['code']).toBe('FORBIDDEN');
    expect((await claim(['mine'])).data.claimJobs.leases).toHaveLength(1);
    const cancel = await server.graphql(
      'mutation ($id: ID!) { cancelJob(input: {id: $id}) { __typename ... on JobNotFound { jobId } } }',
      { id: theirs },
      some.headers,
    );
    expect(cancel.data.cancelJob).toEqual({ __typename: 'JobNotFound', jobId: theirs });
    expect((await server.graphql('{ stats { counts { queued running } } }', {}, some.headers)).data.stats.counts).toEqual({ queued: 0, running: 1 });
    expect(await server.store.jobById(tenant('halls'), theirs)).toMatchObject({ state: 'queued' });
  });
});

describe('where nobody has to sign in', () => {
  test('a viewer has every scope, and a key can be made for later', async () => {
    await using open = await startApp();
    const { data } = await open.graphql(VIEWER, {}, { 'x-leasequeue-tenant': 'new' });
    expect(data.viewer).toMatchObject({ tenant: { id: 'new' }, apiKey: { id: 'none', name: 'none', scopes: [...SCOPES], queues: [] } });
    const made = await open.graphql(CREATE, { input: { name: 'first', scopes: ['ADMIN'] } }, { 'x-leasequeue-tenant': 'new' });
    expect(made.data.createApiKey.apiKey.prefix).toMatch(/^lq_new_/);
  });
});
