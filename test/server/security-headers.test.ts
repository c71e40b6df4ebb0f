import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECURITY_HEADERS } from '../../src/server/security-headers.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openConnection } from '../support/raw-http.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ config: { environment: 'development', answersLoopbackNamesOnly: true }, network: { requestHeadersMsMax: 300, lookEveryMs: 50 } });
});
afterAll(() => server.app.stop());

/** The head of the first answer; the connection is not waited for. */
async function headOf(text: string): Promise<{ readonly status: number; readonly headers: ReadonlyMap<string, string> }> {
  const socket = await openConnection(server.url);
  let received = '';
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes('\r\n\r\n')) resolve();
    });
  });
  socket.write(text);
  await whole;
  socket.destroy();
  const [line = '', ...lines] = received.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const headers = lines.map((entry): [string, string] => [entry.slice(0, entry.indexOf(':')).toLowerCase(), entry.slice(entry.indexOf(':') + 2)]);
  return { status: Number(line.split(' ')[1]), headers: new Map(headers) };
}

const get = (path: string, ...headers: string[]): string => [`GET ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: string[]): string =>
  ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json', `content-length: ${body.length}`, ...headers, '', body].join('\r\n');
const upgrade = (...headers: string[]): string => get('/graphql', 'connection: upgrade', 'upgrade: websocket', ...headers);
const HANDSHAKE = ['sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='];
const EVENT_STREAM = 'accept: text/event-stream';

const ANSWERS: readonly (readonly [string, number, string])[] = [
  ['a page', 200, get('/')],
  ['the metrics', 200, get('/metrics')],
  ['what is not there', 404, get('/nowhere')],
  ['a method that is not taken', 405, 'DELETE /graphql HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  ['a result', 200, post('{"query":"{ __typename }"}')],
  ['a result by GET', 200, get('/graphql?query=%7B__typename%7D')],
  ['a refused document', 400, post('{"query":"{"}', 'accept: application/graphql-response+json')],
  ['a body that is not JSON', 400, post('{')],
  ['a body that is too large', 413, post('{}').replace('content-length: 2', 'content-length: 1000000')],
  ['a type that is not taken', 415, post('{}', 'content-encoding: gzip')],
  ['a type that is not given', 406, post('{}', 'accept: image/png')],
  ['a foreign page', 403, post('{}', 'origin: http://evil.example')],
  ['a foreign name', 403, get('/').replace('localhost', 'evil.example')],
  ['credentials in the address', 401, get('/graphql?token=x')],
  ['an event stream', 200, post('{"query":"subscription { jobEvents { __typename } }"}', EVENT_STREAM)],
  ['an event stream with an alternative', 200, post('{"query":"subscription { jobEvents { __typename } }"}', `${EVENT_STREAM}, application/json`)],
  ['an event stream that fails', 200, post('{"query":"subscription { nope }"}', EVENT_STREAM)],
  ['GraphiQL', 200, get('/graphql', 'accept: text/html')],
  ['too many headers', 431, get('/', ...Array.from({ length: 200 }, (_, index) => `x-${index}: 1`))],
  ['headers that are too large', 431, get('/', `x: ${'x'.repeat(20_000)}`)],
  ['an address that is too long', 414, get(`/${'x'.repeat(9_000)}`)],
  ['what is not HTTP', 400, 'hello\r\n\r\n'],
  ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['a request that is too slow', 408, 'GET / HTTP/1.1\r\n'],
  ['an expectation', 417, get('/', 'expect: a-miracle')],
  ['a handshake at another address', 404, upgrade(...HANDSHAKE).replace('/graphql', '/nowhere')],
  ['a handshake without its sub-protocol', 400, upgrade(...HANDSHAKE)],
  ['a handshake of a foreign page', 403, upgrade(...HANDSHAKE, 'origin: http://evil.example')],
  ['a handshake without a key', 400, upgrade('sec-websocket-protocol: graphql-transport-ws')],
  ['a handshake of another version', 400, upgrade(HANDSHAKE[1] ?? '', 'sec-websocket-version: 7', 'sec-websocket-protocol: graphql-transport-ws')],
  ['a handshake by POST', 400, upgrade(...HANDSHAKE, 'sec-websocket-protocol: graphql-transport-ws').replace('GET', 'POST')],
];

describe('browsers are told to be careful by', () => {
  test.each(ANSWERS)('%s', async (_name, expected, text) => {
    const { status, headers } = await headOf(text);
    expect(status).toBe(expected);
    const { 'content-security-policy': policy, 'cache-control': caching, ...others } = SECURITY_HEADERS;
    expect(Object.fromEntries(headers)).toMatchObject(others);
    expect(headers.get('content-security-policy')).toContain(policy.slice(0, policy.indexOf(';')));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    // An event stream may be kept by nobody either, in the words of its kind.
    expect([caching, 'no-cache']).toContain(headers.get('cache-control'));
    expect(headers.get('access-control-allow-origin')).toBeUndefined();
    expect(headers.get('server') ?? headers.get('x-powered-by')).toBeUndefined();
  });
});
