/** What a request of the client is, byte for byte, as a server in its place sees it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { LeaseQueue, type LeaseQueueOptions } from '../../src/client/index.ts';

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly body: string;
}

/** The request by which a client asks for one job. */
async function requestOf(options: (port: number) => LeaseQueueOptions): Promise<Seen> {
  const { promise: seen, resolve } = Promise.withResolvers<Seen>();
  const server = createServer((request, response) => {
    resolve(text(request).then((body) => ({ headers: request.headers, path: request.url ?? '', body })));
    response.end('{"data":{"job":null}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await new LeaseQueue(options((server.address() as AddressInfo).port)).job({ idempotencyKey: { queue: 'mail', key: 'Grüße \u{1F600}' } });
    return await seen;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  ['a header of ASCII characters only', '1'],
  // HTTP knows one byte for each character of a header (RFC 9110, section 5.5).
  ['one with others', 'é'],
])('with %s, body and headers arrive as they were meant', async (_, value) => {
  const { headers, path, body } = await requestOf((port) => ({
    url: `http://127.0.0.1:${port}/queue/`,
    apiKey: null,
    headers: { 'x-way': value },
  }));
  expect(headers['x-way']).toBe(value);
  expect(headers['content-type']).toBe('application/json');
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(body)).toMatchObject({ variables: { by: { idempotencyKey: { key: 'Grüße \u{1F600}' } } } });
  expect(path).toBe('/queue/graphql');
});
