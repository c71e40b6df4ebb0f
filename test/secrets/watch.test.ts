/** The watch over all files of tests sees what it has to: each leak is let out by hand here, and taken back before the watch reports it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { describe, expect, test } from 'vitest';
import { mintKey } from '../../src/auth/api-key.ts';
import { mintSecret, systemEntropy } from '../../src/runtime/entropy.ts';
import { openConnection, readToEnd } from '../support/raw-http.ts';
import { lookAt, noteSent, takeLeaks } from '../support/secret-watch.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { openSocket } from '../support/sockets.ts';
import { tenant } from '../support/tenants.ts';

const token = mintSecret(seededEntropy({ seed: 4711 }));
const { text: key } = mintKey(systemEntropy, tenant('acme'));
noteSent(JSON.stringify({ query: 'mutation { a }', variables: { input: { idempotencyKey: 'order-4711-paid', payload: { list: ['the-card-number'] } } } }));
noteSent(JSON.stringify({ query: 'mutation { claimJobs(input: {requestId: "request-4711"}) }' }));

const kinds = () => takeLeaks().map(({ kind }) => kind);

describe('the watch finds', () => {
  test.each([
    ['a token in a message', 'wire', `{"message":"not ${token}"}`, ['leaseToken']],
    ['a token with more before and behind it', 'wire', `{"detail":"x${token}-y"}`, ['leaseToken']],
    ['a token under a name like the right one', 'wire', `{"oldLeaseToken":"${token}"}`, ['leaseToken']],
    ['a token in the log, whatever its name', 'log', `{"leaseToken":"${token}"}`, ['leaseToken']],
    ['a key in a header', 'wire', `x-key: ${key}\r\n`, ['apiKey']],
    ['a key in the log', 'log', `Bearer ${key}`, ['apiKey']],
    ['an idempotency key', 'wire', '{"message":"order-4711-paid is taken"}', ['idempotencyKey']],
    ['a request id that was written in a document', 'wire', '{"id":"request-4711"}', ['requestId']],
    ['content in the log', 'log', '{"error":"the-card-number"}', ['content']],
  ] as const)('%s', (_name, outlet, text, found) => {
    lookAt(outlet, text);
    expect(kinds()).toEqual(found);
  });

  test.each([
    ['a token in the answer to its claim', `{"leaseToken":"${token}"}`],
    ['a key in the answer that makes it', `{"secret":"${key}"}`],
    ['a key in the cookie that keeps it', `\r\nSet-Cookie: leasequeue_session=${key}; Path=/`],
    ['content in an answer', '{"payload":{"list":["the-card-number"]}}'],
    ['a part of another word', '{"id":"order-4711-paid-2"}'],
  ])('nothing wrong with %s', (_name, text) => {
    lookAt('wire', text);
    expect(kinds()).toEqual([]);
  });

  test('a secret in two pieces, once', () => {
    const before = lookAt('wire', `{"message":"${token.slice(0, 20)}`);
    lookAt('wire', `${token.slice(20)}"}`, lookAt('wire', token.slice(20, 20), before));
    expect(kinds()).toEqual(['leaseToken']);
  });
});

describe('the watch sees every way out of a server in this process', () => {
  test('the head, the body and the pieces of an answer, and the messages of a socket', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/head') return void response.writeHead(204, { 'x-token': token }).end();
      if (request.url === '/body') return void response.end(token);
      response.cork();
      response.write(`data: ${token}\n\n`);
      response.write(`data: ${token}\n\n`);
      response.uncork();
      response.end();
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => {
      socket.send(JSON.stringify({ type: token }));
      socket.close(1000, token);
    });
    server.on('clientError', (_error, stream) => void stream.end(token));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const [path, count] of [
      ['/head', 1],
      ['/body', 1],
      ['/pieces', 2],
    ] as const) {
      await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })).text();
      expect(kinds(), path).toHaveLength(count);
    }
    const socket = await openSocket(`ws://127.0.0.1:${port}`, {}, []);
    await socket.closed;
    expect(kinds()).toHaveLength(2);
    const broken = await openConnection(`http://127.0.0.1:${port}`);
    const answer = readToEnd(broken);
    broken.write('nonsense\r\n\r\n');
    await answer;
    expect(kinds()).toHaveLength(1);
    sockets.close();
    server.close();
  });

  test('the console', () => {
    console.error('failed with', token);
    expect(kinds()).toEqual(['leaseToken']);
  });
});
