/** A server that a proxy shows below a path: with the path taken away on the way, left as it is, or without a proxy at all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutBasePath } from '../../src/runtime/base-path.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ASSETS } from '../support/built-files.ts';
import { createTestKey, type TestKey } from '../support/keys.ts';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.ts';
import { connectSocket } from '../support/sockets.ts';

const PREFIX = '/tools/queue';
const script = ASSETS.find((name) => name.endsWith('.js')) ?? '';

let server: TestApp;
let key: TestKey;
let proxies: Readonly<Record<'strips' | 'keeps', PrefixProxy>>;
beforeAll(async () => {
  server = await startApp({ config: { basePath: PREFIX, auth: 'required', environment: 'development' } });
  key = await createTestKey(server.store);
  const [strips, keeps] = await Promise.all([true, false].map((strips) => startPrefixProxy({ target: server.url, prefix: PREFIX, strips })));
  if (strips === undefined || keeps === undefined) throw new Error('no proxy');
  proxies = { strips, keeps };
});
afterAll(async () => {
  await Promise.all(Object.values(proxies).map((proxy) => proxy[Symbol.asyncDispose]()));
  await server.app.stop();
});

test('its own address has the path', () => {
  expect([server.url, server.wsUrl]).toEqual([expect.stringMatching(/:\d+\/tools\/queue$/), expect.stringMatching(/^ws:.*:\d+\/tools\/queue\/graphql$/)]);
});

describe.each([
  ['a proxy that takes the path away', () => proxies.strips.url],
  ['a proxy that leaves the path', () => proxies.keeps.url],
  ['no proxy, with the path', () => server.url],
  ['no proxy, without the path', () => server.url.slice(0, -PREFIX.length)],
])('through %s', (_way, url) => {
  test.each([
    ['/', 200],
    ['/console/acme/jobs/1', 200],
    [`/assets/${script}`, 200],
    ['/assets/none.js', 404],
    ['/health/live', 200],
    ['/health/ready', 200],
    ['/metrics', 401],
    ['/schema.graphql', 200],
    ['/nowhere', 404],
  ])('%s answers %i', async (path, expected) => {
    expect((await fetch(url() + path)).status).toBe(expected);
  });

  test('the page loads and asks below the path', async () => {
    for (const path of ['/', '/console/acme/jobs/1']) expect(await (await fetch(url() + path)).text()).toContain(`<base href="${PREFIX}/" />`);
  });

  test.each([
    ['plainly', {}],
    ['by the long way', { accept: 'application/json', 'x-long': '1' }],
  ])('the API answers %s', async (_how, headers) => {
    const body = JSON.stringify({ query: '{ __schema { queryType { name } } viewer { apiKey { id } } }' });
    const response = await fetch(`${url()}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...key.headers, ...headers }, body });
    expect(await response.json()).toMatchObject({ data: { viewer: { apiKey: { id: key.id } } } });
    const byGet = await fetch(`${url()}/graphql?query=${encodeURIComponent('{ viewer { apiKey { id } } }')}`, { headers: key.headers });
    expect(await byGet.json()).toMatchObject({ data: { viewer: { apiKey: { id: key.id } } } });
  });

  test('events are streamed', async () => {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...key.headers };
    const body = JSON.stringify({ query: 'subscription { jobEvents { __typename } }' });
    const response = await fetch(`${url()}/graphql`, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')]);
    await response.body?.cancel();
  });

  test('a socket opens', async () => {
    const socket = await connectSocket(`${url().replace('http', 'ws')}/graphql`, key.headers);
    socket.socket.close();
    await socket.closed;
  });

  test('signing in sets a cookie for the path, and signing out takes that one away', async () => {
    for (const [method, expected] of [
      ['POST', /^leasequeue_session=lq_[^;]+; Path=\/tools\/queue; HttpOnly; SameSite=Strict$/],
      ['DELETE', /^leasequeue_session=; Path=\/tools\/queue; HttpOnly; SameSite=Strict; Max-Age=0$/],
    ] as const) {
      const response = await fetch(`${url()}/session`, { method, headers: { ...key.headers, 'x-leasequeue-csrf': '1' } });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(expected)]);
    }
  });

  test('GraphiQL asks below the path', async () => {
    const page = await (await fetch(`${url()}/graphql`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`"endpoint":"${PREFIX}/graphql"`);
  });
});

test('the path without its slash leads to the page', async () => {
  const response = await fetch(server.url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([308, `${PREFIX}/`, 'no-store']);
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
});

test('at the root, the cookie is for the root, and no other path is known', async () => {
  await using plain = await startApp({ config: { auth: 'required' } });
  const { headers } = await createTestKey(plain.store);
  const response = await fetch(`${plain.url}/session`, { method: 'POST', headers: { ...headers, 'x-leasequeue-csrf': '1' } });
  expect(response.headers.get('set-cookie')).toContain('; Path=/; ');
  expect((await fetch(`${plain.url}${PREFIX}/health/live`)).status).toBe(404);
});

test.each([
  ['/queue/graphql?a=/queue/', '/graphql?a=/queue/'],
  ['/queue/', '/'],
  ['/queue/queue/x', '/queue/x'],
  ['/queue', '/queue'],
  ['/queuex/graphql', '/queuex/graphql'],
  ['/graphql', '/graphql'],
  ['/x/queue/graphql', '/x/queue/graphql'],
])('below /queue, %s is %s', (url, expected) => {
  expect(withoutBasePath(url, '/queue')).toBe(expected);
  expect(withoutBasePath(url, '')).toBe(url);
});
