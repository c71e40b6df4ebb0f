import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isForeignOrigin, isLoopbackName, namesOneHost } from '../../src/server/origin.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { exchange } from '../support/raw-http.ts';
import { connectSocket, refusedHandshake } from '../support/sockets.ts';

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request under any name; fetch would not let it choose its Host. */
function call(server: TestApp, { path = '/graphql', method = 'POST', headers }: Call): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: server.app.port, host: '127.0.0.1', path, method, headers: { 'content-type': 'application/json', ...headers } });
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end(method === 'POST' ? '{"query":"mutation { submitJob(input: {task: \\"stolen\\"}) { __typename } }"}' : undefined);
  });
}

describe('a server that answers to names of the loopback only', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp({ config: { environment: 'development', answersLoopbackNamesOnly: true } });
  });
  afterAll(() => server.app.stop());

  /** What a browser sends for a page whose own name was made to point at the loopback: to it, that is one origin. */
  const rebound = (): Record<string, string> => ({ host: `evil.example:${server.app.port}`, origin: `http://evil.example:${server.app.port}` });

  test.each([
    ['a mutation', { method: 'POST' }],
    ['an event stream', { method: 'POST', accept: 'text/event-stream' }],
    ['a query by GET', { path: '/graphql?query=%7B__typename%7D', method: 'GET' }],
    ['GraphiQL', { method: 'GET', accept: 'text/html' }],
    ['the console', { path: '/', method: 'GET' }],
    ['the metrics', { path: '/metrics', method: 'GET' }],
    ['the schema', { path: '/schema.graphql', method: 'GET' }],
    ['a page that is not there', { path: '/nowhere', method: 'GET' }],
  ])(
    'refuses %s to a page of another site under its own name, and says why',
    async (_name, { accept = '*/*', ...rest }: Partial<Call> & { accept?: string }) => {
      const { status, text } = await call(server, { ...rest, headers: { ...rebound(), accept } });
      expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
      expect(text).toMatch(/another site.*LEASEQUEUE_AUTH=none/);
      expect((await server.graphql('{ jobs(filter: {tasks: ["stolen"]}) { nodes { id } } }')).data.jobs.nodes).toEqual([]);
    },
  );

  test('refuses it a socket', async () => {
    const refused = await refusedHandshake(server.wsUrl, { headers: rebound() });
    expect([refused.status, refused.text]).toEqual([403, expect.stringMatching(/LEASEQUEUE_AUTH=none/)]);
  });

  test.each(['localhost', 'LocalHost:1', 'queue.localhost', 'localhost.', '127.0.0.1', '127.9.8.7:80', '127.1', '[::1]', '[::1]:8000', '[::ffff:127.0.0.1]'])(
    'answers to %s',
    async (host) => {
      expect((await call(server, { path: '/graphql?query=%7B__typename%7D', method: 'GET', headers: { host } })).status).toBe(200);
      (await connectSocket(server.wsUrl, {}, { headers: { host } })).socket.close();
    },
  );

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '[::]',
    '[::2]',
    'evil.example#@localhost',
    '1270.0.0.1',
  ])('does not answer to %s', async (host) => {
    const { status } = await exchange(server.url, `GET /health/live HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(status).toBe(403);
  });

  test('does not believe what somebody says that a proxy had said, nor the address of the request line', async () => {
    const names = ['x-forwarded-host: localhost', 'x-forwarded-for: 127.0.0.1', 'forwarded: host=localhost', 'x-original-host: localhost'];
    const head = ['host: evil.example', 'connection: close', ...names, '', ''].join('\r\n');
    expect((await exchange(server.url, `GET /health/live HTTP/1.1\r\n${head}`)).status).toBe(403);
    expect((await exchange(server.url, `GET http://localhost/health/live HTTP/1.1\r\n${head}`)).status).toBe(403);
    expect((await exchange(server.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(403);
  });
});

test('a server whose authentication is off by name answers to every name', async () => {
  await using server = await startApp();
  expect((await call(server, { path: '/metrics', method: 'GET', headers: { host: 'queue.example' } })).status).toBe(200);
  (await connectSocket(server.wsUrl, {}, { headers: { host: 'queue.example', origin: 'https://queue.example' } })).socket.close();
});

describe('an origin', () => {
  test.each([
    ['http://localhost:8000', 'localhost:8000'],
    ['https://queue.example', 'queue.example'],
    ['https://queue.example', 'queue.example:443'],
    ['HTTP://LOCALHOST:8000', 'localhost:8000'],
    ['http://localhost:8000', 'LOCALHOST:8000'],
    ['http://[::1]:8000', '[::1]:8000'],
    ['http://[::1]:8000', '[0:0:0:0:0:0:0:1]:8000'],
    ['http://bücher.example', 'xn--bcher-kva.example'],
  ])('%s is at home at %s', (origin, host) => {
    expect(isForeignOrigin({ origin, host })).toBe(false);
  });

  test.each([
    ['null', 'null'],
    ['null', 'localhost:8000'],
    ['', 'localhost:8000'],
    ['http://localhost:8001', 'localhost:8000'],
    ['http://localhost', 'localhost:8000'],
    ['https://localhost', 'localhost:80'],
    ['http://127.0.0.1:8000', 'localhost:8000'],
    ['http://[::1]:8000', '[::2]:8000'],
    ['http://localhost:8000.evil.example', 'localhost:8000'],
    ['http://localhost:8000@evil.example', 'localhost:8000'],
    ['file://localhost:8000', 'localhost:8000'],
    ['chrome-extension://localhost', 'localhost'],
    ['ftp://localhost', 'localhost'],
    ['http://localhost:8000, http://evil.example', 'localhost:8000'],
    ['http://evil.example, http://localhost:8000', 'localhost:8000'],
    ['http://localhost:8000', undefined],
  ])('%s is foreign at %s', (origin, host) => {
    expect(isForeignOrigin({ origin, ...(host !== undefined && { host }) })).toBe(true);
  });

  test('that is named twice is foreign', async () => {
    await using server = await startApp();
    const head = ['GET /graphql?query=%7B__typename%7D HTTP/1.1', 'host: localhost', 'connection: close', 'origin: http://localhost'];
    expect((await exchange(server.url, [...head, '', ''].join('\r\n'))).status).toBe(200);
    expect((await exchange(server.url, [...head, 'origin: http://evil.example', '', ''].join('\r\n'))).status).toBe(403);
    const forwarded = head.with(3, 'origin: http://evil.example');
    expect((await exchange(server.url, [...forwarded, 'x-forwarded-host: evil.example', '', ''].join('\r\n'))).status).toBe(403);
  });
});

test('two Host headers are one too many, in any case', () => {
  expect(namesOneHost(['Host', 'a', 'x-host', 'b'])).toBe(true);
  expect(namesOneHost(['Accept', 'host', 'host', 'a'])).toBe(true);
  expect(namesOneHost(['Host', 'a', 'hOsT', 'a'])).toBe(false);
});

test('names that are none are no names of the loopback', () => {
  for (const host of [undefined, '', ' ', 'a b', 'localhost/', 'localhost\\', 'user@localhost', ':80', '[', '%']) expect(isLoopbackName(host)).toBe(false);
});
