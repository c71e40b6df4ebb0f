/** Handshakes that are none, and sockets on which frames or messages are wrong. */
import { type Chance, damaged } from './chance.ts';
import { hostileDocument } from './documents.ts';
import { badFrame, frame } from './frames.ts';

const GOOD_HANDSHAKE = [
  'GET /graphql HTTP/1.1',
  'host: localhost',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol: graphql-transport-ws',
];
const INSTEAD = [
  'sec-websocket-key: short',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version: 0',
  'sec-websocket-version: 13, 8',
  'sec-websocket-protocol: graphql-ws',
  'sec-websocket-protocol: ,,',
  'sec-websocket-protocol: graphql-transport-ws, graphql-transport-ws',
  'sec-websocket-extensions: permessage-deflate; client_max_window_bits=99; x=";',
  'upgrade: websocket, h2c',
  'connection: close',
  'origin: http://evil.example',
  'transfer-encoding: chunked',
  'content-length: 100',
  'x-leasequeue-tenant: Not A Name',
  'GET /graphql?token=x HTTP/1.1',
  'POST /graphql HTTP/1.1',
  'GET /other HTTP/1.1',
  'GET /graphql HTTP/1.0',
];

const handshake = (lines: readonly string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');

function badHandshake(chance: Chance): Buffer {
  const lines = GOOD_HANDSHAKE.flatMap((line, index) => {
    if (chance.percent(80)) return [line];
    if (index === 0) return [chance.pick(INSTEAD.slice(-4))];
    return chance.pick([[], [line, line], [chance.pick(INSTEAD.slice(0, -4))]]);
  });
  const bytes = handshake(lines);
  return chance.percent(30) ? damaged(chance, bytes) : bytes;
}

const text = (message: unknown): Buffer => frame({ payload: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)) });

const INIT = text({ type: 'connection_init', payload: { 'x-leasequeue-tenant': 'abuse' } });
const ODD_MESSAGES: readonly unknown[] = [
  { type: 'connection_init' },
  { type: 'connection_init', payload: [] },
  { type: 'connection_init', payload: { 'x-leasequeue-tenant': {}, __proto__: null } },
  { type: 'ping' },
  { type: 'pong', payload: { a: 1 } },
  { type: 'ping', payload: 'x' },
  { type: 'complete', id: '1' },
  { type: 'complete', id: 'nobody' },
  { type: 'complete' },
  { type: 'connection_ack' },
  { type: 'next', id: '1', payload: {} },
  { type: 'error', id: '1', payload: [] },
  { type: 'start', id: '1' },
  { type: 'subscribe', id: '1' },
  { type: 'subscribe', id: '', payload: { query: '{ __typename }' } },
  { type: 'subscribe', id: 1, payload: { query: 'subscription { stats { ready } }' } },
  { type: 'subscribe', id: '1', payload: { query: 1, variables: [] } },
  { type: 'subscribe', id: '__proto__', payload: { query: 'subscription { stats { ready } }', operationName: {} } },
  { type: 'subscribe', id: 'x'.repeat(3_000), payload: { query: 'subscription { jobEvents { __typename } }' } },
  { type: 'subscribe', id: '1', payload: { query: 'subscription { jobEvents { __typename } }', variables: null, extensions: 'x' } },
  { type: { type: 'ping' } },
  {},
  [],
  null,
  7,
  '',
  'noise',
  '{"type":"ping"',
  '{"type":"subscribe","id":"1","id":"2","__proto__":{"payload":{}},"payload":{"query":"{"}}',
  '['.repeat(50_000),
  '{"type":"ping","payload":{"n":1e999,"m":123456789012345678901234567890}}',
];

function message(chance: Chance, documents: readonly string[]): Buffer {
  return chance.pick<() => Buffer>([
    () => text(chance.pick(ODD_MESSAGES)),
    () => text({ type: 'subscribe', id: String(chance.below(4)), payload: { query: hostileDocument(chance, documents), variables: {} } }),
    () => text({ type: 'subscribe', id: String(chance.below(40)), payload: { query: 'subscription { jobEvents { __typename } }' } }),
    () => text({ type: 'complete', id: String(chance.below(4)) }),
    () => damaged(chance, text(chance.pick(ODD_MESSAGES))),
    () => badFrame(chance),
    () => Buffer.concat(Array.from({ length: chance.pick([10, 90, 150]) }, () => text({ type: 'ping' }))),
  ])();
}

/** A handshake with what follows it, sent at once. */
export function badSocket(chance: Chance, documents: readonly string[]): Buffer {
  const start = chance.percent(75) ? handshake(GOOD_HANDSHAKE) : badHandshake(chance);
  const init = chance.percent(80) ? [INIT] : [];
  return Buffer.concat([start, ...init, ...chance.some(6, () => message(chance, documents))]);
}
