/** Whole requests as bytes, for attacks that are about what is inside them, and for those that are about themselves. */
import { type Chance, damaged } from './chance.ts';

export const GOOD_BODY = '{"query":"{ __typename }"}';

export interface Post {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: readonly string[];
}

export function post({ body, type = 'application/json', headers = [] }: Post): Buffer {
  const head = [
    'POST /graphql HTTP/1.1',
    'host: localhost',
    'x-leasequeue-tenant: abuse',
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), Buffer.from(body)]);
}

export const get = (address: string, headers: readonly string[] = []): Buffer =>
  Buffer.from([`GET ${address} HTTP/1.1`, 'host: localhost', 'x-leasequeue-tenant: abuse', ...headers, '', ''].join('\r\n'), 'latin1');

const METHODS = ['GET', 'POST', 'get', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI', 'PURGE', 'G\u0000T', '', 'X'.repeat(5_000), 'M-SEARCH', 'QUERY'];
const TARGETS = [
  '/graphql',
  '/graphql?query={__typename}',
  '*',
  '/',
  '//graphql',
  '/graphql#x',
  'http://localhost/graphql',
  'http://[::1',
  'localhost:80',
  '/%00',
  '/%zz?%zz=%',
  '/..%2f..%2fetc/passwd',
  '/graphql?variables=%7B',
  '/\u00e9\u0001',
  '',
  '/ x',
  `/${'a'.repeat(9_000)}`,
  `/graphql?${'&'.repeat(7_000)}`,
  '/metrics',
  '/health/ready',
  '/__proto__',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1.1', 'ICE/1.0', '', 'HTTP/1.1 x'];
const ENDS = ['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n\r\n', '\u0000\r\n', ' \r\n'];

const HEADERS = [
  'host: localhost',
  'host: evil.example',
  'host: a b',
  'host:',
  'host: [::1',
  'host : localhost',
  'content-length: 5',
  'content-length: 26',
  'content-length: -1',
  'content-length: +26',
  'content-length: 0x1a',
  'content-length: 99999999999999999999',
  'content-length: 5, 5',
  'content-length: 26 ',
  'content-length:',
  'transfer-encoding: chunked',
  'transfer-encoding: xchunked',
  'transfer-encoding: chunked, identity',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding:\u000bchunked',
  'transfer-encoding: chunked\r\ntransfer-encoding: identity',
  'Transfer-Encoding : chunked',
  'content-encoding: gzip',
  'content-type: application/json',
  'content-type: application/json; charset=utf-7',
  'content-type: multipart/form-data',
  'content-type:',
  'connection: close',
  'connection: upgrade',
  'connection: content-length',
  'connection: keep-alive, close, te',
  'upgrade: websocket',
  'upgrade: h2c',
  'expect: 100-continue',
  'expect: what',
  'origin: null',
  'origin: http://localhost',
  'origin: \u00ff',
  'accept: text/event-stream',
  'accept: */*;q=0, text/html',
  'accept: ,,,;;;',
  'x-leasequeue-tenant: \u00e9',
  'x-leasequeue-tenant: a\r\nx-leasequeue-tenant: b',
  'x-leasequeue-tenant: abuse',
  'authorization: Bearer lq_a_b_c',
  ' folded: 1',
  '\tfolded',
  'no colon',
  ': no name',
  'n\u0000ul: x',
  'x: \u0000',
  'x: \r',
  `${'n'.repeat(2_000)}: x`,
  `x: ${'v'.repeat(17_000)}`,
];
const BODIES = [GOOD_BODY, '', '0\r\n\r\n', '1a\r\n{"query":"{ __typename }"}\r\n0\r\n\r\n', 'GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n'];

function madeUp(chance: Chance): Buffer {
  const usual = (items: readonly string[]): string => (chance.percent(50) ? (items[0] ?? '') : chance.pick(items));
  const line = `${chance.percent(50) ? 'POST' : chance.pick(METHODS)} ${usual(TARGETS)} ${usual(VERSIONS)}`;
  const host = chance.percent(70) ? ['host: localhost'] : [];
  const text = [line, ...host, ...chance.some(6, () => chance.pick(HEADERS)), '']
    .map((part) => part + (chance.percent(95) ? '\r\n' : chance.pick(ENDS)))
    .join('');
  return Buffer.from(text + chance.pick(BODIES), 'latin1');
}

const CHUNK_HEADS = ['1a', '1A', '0x1a', '-1', ' 1a', '1a;ext=1', `1a;${'e'.repeat(20_000)}`, 'ffffffffffffffff', 'fffffffffffffffff', '', 'g', '0'];
const TRAILERS = ['\r\n', 'x: y\r\n\r\n', 'content-length: 5\r\n\r\n', `${'t: v\r\n'.repeat(500)}\r\n`, 'x', ''];

function badlyChunked(chance: Chance): Buffer {
  const chunks = chance.some(4, () => `${chance.pick(CHUNK_HEADS)}${chance.pick(ENDS)}${GOOD_BODY}${chance.pick(ENDS)}`);
  const head = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  return Buffer.from(`${head}1\r\n{\r\n${chunks.join('')}0\r\n${chance.pick(TRAILERS)}`, 'latin1');
}

function pipelined(chance: Chance): Buffer {
  const one = (): Buffer => chance.pick([() => post({ body: GOOD_BODY }), () => get('/metrics'), () => madeUp(chance), () => get('/nowhere')])();
  return Buffer.concat(Array.from({ length: 1 + chance.below(chance.pick([3, 20])) }, one));
}

const manyHeaders = (chance: Chance): Buffer =>
  get(
    '/graphql?query=%7B__typename%7D',
    Array.from({ length: chance.pick([99, 100, 500, 2_500]) }, (_, index) => `x${index}: ${chance.below(9)}`),
  );

/** A request that is none, or that means two things. */
export function brokenRequest(chance: Chance): Buffer {
  return chance.pick<() => Buffer>([
    () => chance.noise(300),
    () => madeUp(chance),
    () => madeUp(chance),
    () => badlyChunked(chance),
    () => pipelined(chance),
    () => manyHeaders(chance),
    () => damaged(chance, post({ body: GOOD_BODY })),
    () => damaged(chance, get('/graphql?query=%7B__typename%7D', ['accept: application/json'])),
  ])();
}
