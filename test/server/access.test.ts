/** A server that asks for API keys, over every transport. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintKey } from '../../src/auth/api-key.ts';
import type { StoredKey } from '../../src/domain/access.ts';
import type { TenantId } from '../../src/domain/job.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { createTestKey } from '../support/keys.ts';
import { openConnection, readToEnd } from '../support/raw-http.ts';
import { connectSocket, EVENTS, openSocket } from '../support/sockets.ts';
import { tenant } from '../support/tenants.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ config: { auth: 'required' } });
});
afterAll(() => server.app.stop());

const SUBMIT =
  'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on SubmitJobSuccess { job { id queueName payload payloadRedacted } } } }';
const CLAIM = 'mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { job { id payload } leaseToken } idle } }';
const JOBS = '{ jobs { nodes { id } } }';

const job = (queue = 'q') => ({ input: { queue, task: 't', payload: { secret: 'x' } } });
const claim = (more: object = {}) => ({ input: { queues: ['q'], workerId: 'w', ...more } });
const eventually = (value: () => unknown) => expect.poll(value, { interval: 10, timeout: 3_000 });

/** The header that a socket's parameters may carry instead. */
const parameters = ({ headers }: { readonly headers: { readonly authorization: string } }) => ({ Authorization: headers.authorization });

describe('a request without a good key', () => {
  const refused: readonly (readonly [string, Record<string, string>])[] = [
    ['no key', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic bHE6eA==' }],
    ['half a key', { authorization: 'Bearer lq_default_x' }],
    ['é by the dozen', { authorization: `Bearer ${Buffer.from('é'.repeat(70)).toString('latin1')}` }],
    ['8 KiB of it', { authorization: `Bearer ${'a'.repeat(8_192)}` }],
    ['a key of no tenant', { authorization: `Bearer ${mintKey(systemEntropy, tenant('nobody')).text}` }],
    ['a key of this tenant that was never made', { authorization: `Bearer ${mintKey(systemEntropy, tenant('default')).text}` }],
  ];
  test.each(refused)('is refused before anything runs: %s (B127, B131)', async (_name, headers) => {
    const { status, data, errors, headers: answered } = await server.graphql(SUBMIT, job(), headers);
    expect([status, data, errors[0]?.extensions['code']]).toEqual([401, undefined, 'UNAUTHENTICATED']);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    const stream = await openEventStream(server.url, EVENTS, {}, headers);
    expect(stream.status).toBe(401);
    expect(server.logs.some((entry) => JSON.stringify(entry).includes(headers['authorization'] || 'never'))).toBe(false);
  });

  test('is told the same for a wrong secret as for a key that does not exist', async () => {
    const key = await createTestKey(server.store);
    const other = mintKey(systemEntropy, tenant('default')).text;
    const forged = await server.graphql(JOBS, {}, { authorization: `Bearer ${other}` });
    const [, owner, , secret] = other.split('_');
    const swapped = await server.graphql(JOBS, {}, { authorization: `Bearer lq_${owner}_${key.id}_${secret}` });
    expect([swapped.status, swapped.text]).toEqual([forged.status, forged.text]);
  });

  test.each([
    ['nothing', {}],
    ['a text that is no key', { authorization: 'Bearer nonsense' }],
    ['a number', { authorization: 42 }],
    ['an object', { authorization: { toString: 'x' } }],
  ])('over a socket is closed with 4403: %s', async (_name, payload) => {
    const socket = await openSocket(server.wsUrl);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.closed).toMatchObject({ code: 4403 });
  });

  test('in the address is refused, whatever else it brings (B133)', async () => {
    const { headers } = await createTestKey(server.store);
    const response = await fetch(`${server.url}/graphql?query={__typename}&api_key=x`, { headers });
    expect(response.status).toBe(401);
  });
});

describe('a key', () => {
  test('opens every transport to its own tenant', async () => {
    const key = await createTestKey(server.store, { tenant: 'acme', name: 'the worker' });
    const stream = await openEventStream(server.url, EVENTS, {}, key.headers);
    const socket = await connectSocket(server.wsUrl, parameters(key));
    socket.subscribe('1', EVENTS);
    await socket.echo();
    await eventually(() => server.app.followers()).toBe(2);
    for (const message of [await stream.next(), (await socket.nextOf('1')).payload]) expect(message).toMatchObject({ data: { jobEvents: { events: [] } } });
    const { data } = await server.graphql(SUBMIT, job(), key.headers);
    const { id } = data.submitJob.job;
    const event = { data: { jobEvents: { events: [{ jobId: id }] } } };
    server.clock.advance(50);
    expect(await stream.next()).toMatchObject(event);
    expect((await socket.nextOf('1')).payload).toMatchObject(event);
    expect(await server.store.jobById(tenant('acme'), id)).toMatchObject({ id });
    const [recorded] = (await server.store.eventsAfter(tenant('acme'), null, {}, 10)).events;
    expect(recorded).toMatchObject({ kind: 'SUBMITTED', actor: 'the worker' });
    stream.abort();
    socket.socket.close();
    await eventually(() => server.app.followers()).toBe(0);
  });

  test.each(['authorization', 'Authorization', 'AUTHORIZATION'])('may be the connection parameter %s, and the header of the request too', async (name) => {
    const key = await createTestKey(server.store);
    const byParameter = await connectSocket(server.wsUrl, { [name]: `bearer  ${key.text}` });
    const byHeader = await connectSocket(server.wsUrl, {}, { headers: key.headers });
    for (const { socket } of [byParameter, byHeader]) socket.close();
  });

  test('names no other tenant, and is told so alike whether that one exists', async () => {
    await createTestKey(server.store, { tenant: 'other' });
    const key = await createTestKey(server.store, { tenant: 'acme' });
    const ask = (name: string) => server.graphql(JOBS, {}, { ...key.headers, 'x-leasequeue-tenant': name });
    const [real, unreal] = [await ask('other'), await ask('no-such-tenant')];
    expect([real.status, real.errors[0]?.extensions['code']]).toEqual([403, 'FORBIDDEN']);
    expect([unreal.status, unreal.text]).toEqual([real.status, real.text]);
    expect((await ask('acme')).data).toMatchObject({ jobs: { nodes: expect.any(Array) } });
    const socket = await openSocket(server.wsUrl);
    socket.send({ type: 'connection_init', payload: { ...parameters(key), 'X-LeaseQueue-Tenant': 'other' } });
    expect(await socket.closed).toMatchObject({ code: 4403 });
  });

  test('with SYSTEM names any tenant that exists', async () => {
    await createTestKey(server.store, { tenant: 'owned' });
    const key = await createTestKey(server.store, { tenant: 'acme', scopes: ['SYSTEM', 'SUBMIT', 'READ'] });
    const { data } = await server.graphql(SUBMIT, job(), { ...key.headers, 'x-leasequeue-tenant': 'owned' });
    expect(await server.store.jobById(tenant('owned'), data.submitJob.job.id)).not.toBeNull();
    const unknown = await server.graphql(SUBMIT, job(), { ...key.headers, 'x-leasequeue-tenant': 'no-such-tenant' });
    expect(unknown.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });

  test('shows payloads only with PAYLOADS, but a worker its own job', async () => {
    const blind = await createTestKey(server.store, { tenant: 'blind', scopes: ['SUBMIT', 'WORK'] });
    const { data } = await server.graphql(SUBMIT, job(), blind.headers);
    expect(data.submitJob.job).toMatchObject({ payload: null, payloadRedacted: true });
    const claimed = await server.graphql(CLAIM, claim(), blind.headers);
    expect(claimed.data.claimJobs.leases[0].job.payload).toEqual({ secret: 'x' });
  });

  test('says when it was last used, a little later', async () => {
    const key = await createTestKey(server.store, { tenant: 'seen' });
    const lastUse = async () => (await server.store.keys(tenant('seen')))[0]?.lastUsedAtMs;
    await server.graphql(JOBS, {}, key.headers);
    expect(await lastUse()).toBeNull();
    const usedAtMs = server.clock.nowMs();
    for (let step = 0; step < 21; step += 1) {
      server.clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(lastUse).toBe(usedAtMs);
  });
});

describe('the sockets of a key', () => {
  test('are as many as the limit says, one more is closed with the reason, and other keys have their own', async () => {
    await using crowded = await startApp({ config: { auth: 'required' }, network: { socketsPerKeyMax: 2 } });
    const [key, other] = [await createTestKey(crowded.store), await createTestKey(crowded.store)];
    const first = await connectSocket(crowded.wsUrl, parameters(key));
    await connectSocket(crowded.wsUrl, parameters(key));
    const third = await openSocket(crowded.wsUrl, { headers: key.headers });
    third.send({ type: 'connection_init' });
    expect(await third.closed).toEqual({ code: 1013, reason: expect.stringMatching(/API key has too many sockets/) });
    await connectSocket(crowded.wsUrl, parameters(other));
    first.socket.close();
    await first.closed;
    await connectSocket(crowded.wsUrl, parameters(key));
  });
});

describe('what a key opened ends with it (B130)', () => {
  async function openEverything(name: string, expiresAtMs?: number) {
    const key = await createTestKey(server.store, { tenant: name, ...(expiresAtMs !== undefined && { expiresAtMs }) });
    const stream = await openEventStream(server.url, EVENTS, {}, key.headers);
    // Accepting more than an event stream, it goes another way through the server.
    const plainStream = await openEventStream(server.url, EVENTS, {}, { ...key.headers, accept: 'text/event-stream, application/json;q=0.1' });
    const socket = await connectSocket(server.wsUrl, parameters(key));
    socket.subscribe('1', EVENTS);
    await socket.echo();
    const claiming = server.graphql(CLAIM, claim({ waitSeconds: 30 }), key.headers);
    await eventually(() => server.app.followers()).toBe(2);
    return { key, stream, plainStream, socket, claiming };
  }

  async function expectAllEnded({ key, stream, plainStream, socket, claiming }: Awaited<ReturnType<typeof openEverything>>, why: RegExp, status: number) {
    const { code, reason } = await socket.closed;
    expect([code, reason]).toEqual([4403, expect.stringMatching(why)]);
    for (const open of [stream, plainStream]) {
      expect(await open.next()).toMatchObject({ data: { jobEvents: { caughtUp: true } } });
      expect(await open.next()).toMatchObject({ errors: [{ message: expect.stringMatching(why), extensions: { code: 'UNAUTHENTICATED' } }] });
      expect(await open.next()).toBeNull();
    }
    const claimed = await claiming;
    expect([claimed.status, claimed.errors[0]?.extensions['code']]).toEqual([401, 'UNAUTHENTICATED']);
    const next = await server.graphql(JOBS, {}, key.headers);
    expect([next.status, next.errors[0]?.message]).toEqual([status, expect.stringMatching(why)]);
    await eventually(() => server.app.followers()).toBe(0);
  }

  test('when it is revoked, at once', async () => {
    const open = await openEverything('revoked');
    await server.store.revokeKey(tenant('revoked'), open.key.id);
    await expectAllEnded(open, /revoked/, 401);
  });

  test('when it expires, within half a second', async () => {
    const open = await openEverything('expiring', server.clock.nowMs() + 60_000);
    server.clock.advance(59_999);
    expect((await server.graphql(JOBS, {}, open.key.headers)).status).toBe(200);
    server.clock.advance(1);
    expect((await server.graphql(JOBS, {}, open.key.headers)).status).toBe(401);
    open.socket.subscribe('2', EVENTS);
    server.clock.advance(500);
    await expectAllEnded(open, /expired/, 401);
  });
});

/** The same store, whose look for a key goes through `look`. */
function lookingThrough(look: (find: () => Promise<StoredKey | null>) => Promise<StoredKey | null>): (store: LeaseRepository) => LeaseRepository {
  return (store) =>
    new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== 'findKey') return member;
        return (owner: TenantId, id: string) => look(() => target.findKey(owner, id));
      },
    });
}

describe('a key that lapses while a request is on its way', () => {
  test('opens nothing that outlives it, although it was good when the request came', async () => {
    const found = Promise.withResolvers<void>();
    const spoil = lookingThrough(async (find) => {
      const key = await find();
      found.resolve();
      return key;
    });
    await using slow = await startApp({ config: { auth: 'required' }, spoil });
    const key = await createTestKey(slow.store);
    const text = JSON.stringify({ query: EVENTS });
    const connection = await openConnection(slow.url);
    const all = readToEnd(connection);
    connection.write(
      `POST /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${key.text}\r\n` +
        `content-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${text.length}\r\n\r\n${text.slice(0, 5)}`,
    );
    await found.promise;
    await new Promise((resolve) => setImmediate(resolve));
    await slow.store.revokeKey(tenant('default'), key.id);
    connection.write(text.slice(5));
    expect(await all).toMatch(/"UNAUTHENTICATED"[^]*event: complete/);
    expect(slow.app.followers()).toBe(0);
  });
});

describe('a database that does not serve', () => {
  test('is told as such where it is not known who asks, over HTTP and over a socket', async () => {
    const trouble = { isOn: false };
    const spoil = lookingThrough((find) => (trouble.isOn ? Promise.reject(new StoreFault('busy', 'locked', { outcomeUnknown: false })) : find()));
    await using busy = await startApp({ config: { auth: 'required' }, spoil });
    const key = await createTestKey(busy.store);
    trouble.isOn = true;
    const { status, errors, headers } = await busy.graphql(JOBS, {}, key.headers);
    expect([status, errors[0]?.extensions, headers.get('retry-after')]).toEqual([503, { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false }, '1']);
    const socket = await openSocket(busy.wsUrl, { headers: key.headers });
    socket.send({ type: 'connection_init' });
    expect(await socket.closed).toEqual({ code: 1013, reason: expect.stringMatching(/try again/) });
    trouble.isOn = false;
    expect((await busy.graphql(JOBS, {}, key.headers)).status).toBe(200);
  });
});

describe('a browser', () => {
  const cookieOf = (response: Response): string => response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const csrf = { 'x-leasequeue-csrf': '1' };

  test('signs in with a cookie that no script can read, and out again', async () => {
    const key = await createTestKey(server.store);
    const signedIn = await fetch(`${server.url}/session`, { method: 'POST', headers: key.headers });
    expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([204, `leasequeue_session=${key.text}; Path=/; HttpOnly; SameSite=Strict`]);
    const cookie = cookieOf(signedIn);
    expect((await server.graphql(JOBS, {}, { cookie, ...csrf })).status).toBe(200);
    const out = await fetch(`${server.url}/session`, { method: 'DELETE', headers: { cookie, ...csrf } });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^leasequeue_session=;.*Max-Age=0/)]);
  });

  test('is asked for the header that only a script of this page can set, where the cookie is all that it brings', async () => {
    const key = await createTestKey(server.store);
    const cookie = `leasequeue_session=${key.text}`;
    for (const headers of [{ cookie }, { cookie, accept: 'text/event-stream' }]) {
      const { status, errors } = await server.graphql(JOBS, {}, headers);
      expect([status, errors[0]?.extensions['code']]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await fetch(`${server.url}/session`, { method: 'DELETE', headers: { cookie } })).status).toBe(403);
    expect((await server.graphql(JOBS, {}, { cookie, ...key.headers })).status).toBe(200);
  });

  test('opens a socket by its cookie from a page of this server only', async () => {
    const key = await createTestKey(server.store);
    const cookie = `leasequeue_session=${key.text}`;
    const own = await connectSocket(server.wsUrl, {}, { headers: { cookie, origin: server.url } });
    own.socket.close();
    const withoutOrigin = await openSocket(server.wsUrl, { headers: { cookie } });
    withoutOrigin.send({ type: 'connection_init' });
    expect(await withoutOrigin.closed).toMatchObject({ code: 4403 });
  });

  test('cannot sign in with no key, nor from another site', async () => {
    const key = await createTestKey(server.store);
    expect((await fetch(`${server.url}/session`, { method: 'POST' })).status).toBe(401);
    expect((await fetch(`${server.url}/session`, { method: 'POST', headers: { ...key.headers, origin: 'https://evil.example' } })).status).toBe(403);
    expect((await fetch(`${server.url}/session`, { headers: key.headers })).status).toBe(405);
  });
});

describe('GraphiQL', () => {
  test('is a page for everybody in development, behind which nothing is answered without a key', async () => {
    await using developing = await startApp({ config: { auth: 'required', environment: 'development' } });
    const html = { accept: 'text/html,application/json;q=0.9' };
    const page = await fetch(`${developing.url}/graphql`, { headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    for (const query of ['{ viewer { tenant { id } } }', '{ __typename }', '{ __schema { queryType { name } } }']) {
      const response = await fetch(`${developing.url}/graphql?${new URLSearchParams({ query })}`, { headers: html });
      const text = await response.text();
      expect(text).not.toMatch(/"data"\s*:\s*\{"(viewer|__typename|__schema)/);
      expect((await developing.graphql(query)).status).toBe(401);
    }
  });
});

describe('the pages beside the API', () => {
  test('show figures of all tenants to SYSTEM only, and health to everybody', async () => {
    const [plain, system] = [await createTestKey(server.store), await createTestKey(server.store, { scopes: ['SYSTEM'] })];
    const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(server.url + path, { headers })).status;
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', plain.headers)).toBe(403);
    expect(await status('/metrics', system.headers)).toBe(200);
    expect(await status('/health/live')).toBe(200);
    expect(await status('/health/ready')).toBe(200);
  });
});
