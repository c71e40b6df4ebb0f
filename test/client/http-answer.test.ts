/** What the client makes of the bytes of an answer, held to what Node's own HTTP makes of them. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerReader, type HttpAnswer } from '../../src/client/http-answer.ts';
import { TransportFault } from '../../src/client/transport.ts';

interface Seen {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** Whether the connection may be used again. */
  readonly isKept: boolean;
}

/** Gives whoever connects the bytes, and ends the connection if it is told to. */
let answers: { readonly bytes: Buffer; readonly ends: boolean };
let server: Server;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (answers.ends ? socket.end(answers.bytes) : socket.write(answers.bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function seenByNode(bytes: Buffer, ends: boolean): Promise<Seen> {
  answers = { bytes, ends };
  const agent = new Agent({ keepAlive: true });
  let isKept = false;
  agent.on('free', () => (isKept = true));
  try {
    const sent = request({ agent, port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' });
    sent.on('information', () => {}).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const seen = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text: await text(response) };
    await new Promise((resolve) => setImmediate(resolve));
    return { ...seen, isKept };
  } finally {
    agent.destroy();
  }
}

/** The answer in pieces that end where the cuts are. */
function read(bytes: Buffer, cuts: readonly number[], ends: boolean): HttpAnswer | null {
  const reader = new AnswerReader();
  const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].toSorted((one, other) => one - other);
  const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  for (const [index, piece] of pieces.entries()) {
    const answer = reader.take(piece);
    if (answer === null) continue;
    expect(index).toBe(pieces.length - 1);
    return answer;
  }
  return ends ? reader.end() : null;
}

const LF = '\r\n';
const space = fc.constantFrom('', ' ', '  ', '\t');
const word = fc.stringMatching(/^[a-z][a-z0-9!#$%&'*+.^_`|~-]{0,8}$/);
const value = fc.stringMatching(/^(?:[!-~\xa1-\xff](?:[ -~\xa1-\xff]{0,12}[!-~\xa1-\xff])?)?$/);
const line = fc.tuple(word, space, value, space).map(([name, before, text, after]) => `x-${name}:${before}${text}${after}`);
const retryAfter = fc
  .tuple(fc.constantFrom('Retry-After', 'retry-after', 'RETRY-AFTER'), space, fc.constantFrom('0', '3', '120', 'Fri, 31 Dec 2027 23:59:59 GMT'))
  .map((parts) => `${parts[0]}:${parts[1]}${parts[2]}`);
const connection = fc.constantFrom(
  '1.1',
  '1.0',
  '1.1 Connection: close',
  '1.1 connection: Close',
  '1.1 Connection: keep-alive',
  '1.0 Connection: keep-alive',
  '1.0 connection:Keep-Alive',
);
const interim = fc.constantFrom('', `HTTP/1.1 100 Continue${LF}${LF}`, `HTTP/1.1 103 Early Hints${LF}link: </x>; rel=preload${LF}retry-after: 9${LF}${LF}`);

interface Script {
  readonly before: string;
  readonly first: string;
  readonly lines: readonly string[];
  readonly framing: 'length' | 'chunks' | 'connection' | 'none';
  readonly body: Buffer;
  /** Lengths of the chunks, and what goes with each. */
  readonly chunks: readonly (readonly [length: number, extension: string])[];
  readonly trailers: readonly string[];
}

const script: fc.Arbitrary<Script> = fc.record({
  before: interim,
  first: fc.tuple(fc.constantFrom(200, 201, 400, 413, 429, 500, 503), fc.constantFrom(' OK', ' ', ' Too Many\tRequests (é)')).map((parts) => parts.join('')),
  lines: fc
    .tuple(fc.array(line, { maxLength: 5 }), fc.option(retryAfter, { nil: '' }), connection)
    .map(([lines, wait, way]) => [`version ${way.slice(0, 3)}`, ...lines, ...(wait === '' ? [] : [wait]), ...(way.length > 3 ? [way.slice(4)] : [])]),
  framing: fc.constantFrom('length', 'chunks', 'connection', 'none'),
  body: fc.string({ unit: 'binary', maxLength: 200 }).map((body) => Buffer.from(body)),
  chunks: fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom('', ';x', ';name=value', ';q="a b"')), { maxLength: 8 }),
  trailers: fc.array(line, { maxLength: 2 }),
});

/** An answer of the script, and whether only the end of the connection ends it. */
function answerOf({ before, first, lines: [version = '', ...lines], framing, body, chunks, trailers }: Script): {
  readonly bytes: Buffer;
  readonly ends: boolean;
} {
  const status = framing === 'none' ? '204 No Content' : first;
  const told = { length: [`Content-Length: ${body.length}`], chunks: ['transfer-encoding: Chunked'], connection: [], none: [] }[framing];
  // Chunks are of HTTP/1.1.
  const protocol = framing === 'chunks' ? '1.1' : version.slice(8);
  const head = Buffer.from(`${before}HTTP/${protocol} ${status}${LF}${[...lines, ...told, ''].join(LF)}${LF}`, 'latin1');
  const content = { length: body, chunks: inChunks(body, chunks, trailers), connection: body, none: Buffer.alloc(0) }[framing];
  return { bytes: Buffer.concat([head, content]), ends: framing === 'connection' };
}

function inChunks(body: Buffer, chunks: Script['chunks'], trailers: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const [length, extension] of [...chunks, [body.length, ''] as const]) {
    const data = body.subarray(at, at + length);
    if (data.length === 0) break;
    at += data.length;
    const digits = data.length.toString(16);
    parts.push(Buffer.from(`${length % 2 === 0 ? digits.toUpperCase() : `0${digits}`}${extension}${LF}`), data, Buffer.from(LF));
  }
  return Buffer.concat([...parts, Buffer.from([`0`, ...trailers, '', ''].join(LF), 'latin1')]);
}

describe('an answer', () => {
  test('is read as Node reads it, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.array(fc.nat(10_000), { maxLength: 12 }), async (of, cuts) => {
        const { bytes, ends } = answerOf(of);
        const answer = read(bytes, cuts, ends);
        const seen: Seen | null = answer && { status: answer.status, retryAfter: answer.retryAfter, text: answer.text, isKept: answer.restMs > 0 };
        expect(seen).toEqual(await seenByNode(bytes, ends));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  test('that comes byte by byte is the same', () => {
    fc.assert(
      fc.property(script, (of) => {
        const { bytes, ends } = answerOf(of);
        const everywhere = Array.from(bytes, (_, at) => at);
        expect(read(bytes, everywhere, ends)).toEqual(read(bytes, [], ends));
      }),
    );
  });

  test.each([
    ['Keep-Alive: timeout=5', 4_000],
    ['keep-alive: max=100, timeout=2', 1_000],
    ['keep-alive: timeout=1', 0],
    ['keep-alive: timeout=0', 0],
    ['x-keep-alive: timeout=2', Number.POSITIVE_INFINITY],
  ])('with "%s" lets the connection rest for %i ms', (line, restMs) => {
    expect(read(Buffer.from(`HTTP/1.1 200 OK${LF}${line}${LF}content-length: 0${LF}${LF}`), [], false)).toMatchObject({ restMs });
  });

  test('of which a header goes on in the next line is read as if it were one line', () => {
    const answer = read(Buffer.from(`HTTP/1.1 429 x${LF}x: a${LF} b${LF}retry-after:${LF}\t7${LF}content-length: 2${LF}${LF}{}`), [20], false);
    expect(answer).toMatchObject({ status: 429, retryAfter: '7', text: '{}' });
  });

  test('with more behind it is whole, and its connection is of no use any more', () => {
    const two = `HTTP/1.1 200 OK${LF}content-length: 2${LF}${LF}{}`.repeat(2);
    expect(new AnswerReader().take(Buffer.from(two))).toMatchObject({ text: '{}', restMs: 0 });
  });
});

const OK = `HTTP/1.1 200 OK${LF}`;
const CHUNKED = `${OK}transfer-encoding: chunked${LF}${LF}`;

describe('what is no answer', () => {
  test.each([
    ['another protocol', `SSH-2.0-x${LF}${LF}`, /no HTTP/],
    ['another version', `HTTP/2.0 200 OK${LF}${LF}`, /no HTTP/],
    ['a status of two digits', `HTTP/1.1 20 OK${LF}${LF}`, /no HTTP/],
    ['a status that there is not', `HTTP/1.1 099 OK${LF}${LF}`, /no HTTP/],
    ['a switch of protocols', `HTTP/1.1 101 x${LF}upgrade: h2c${LF}${LF}`, /another protocol/],
    ['a line without a colon', `${OK}nonsense${LF}${LF}`, /no header/],
    ['a space before the colon', `${OK}content-length : 2${LF}${LF}{}`, /no header/],
    ['a line end within a value', `${OK}x: a\nb${LF}${LF}`, /no header/],
    ['no number as a length', `${OK}content-length: two${LF}${LF}`, /length/],
    ['a negative length', `${OK}content-length: -2${LF}${LF}`, /length/],
    ['two lengths', `${OK}content-length: 2${LF}content-length: 3${LF}${LF}{}`, /length/],
    ['a length and chunks', `${OK}content-length: 2${LF}transfer-encoding: chunked${LF}${LF}{}`, /certain end/],
    ['a coding of another kind', `${OK}transfer-encoding: gzip, chunked${LF}${LF}`, /certain end/],
    ['a chunk without a length', `${CHUNKED}${LF}`, /no length/],
    ['a chunk with a length of something else', `${CHUNKED}xyz${LF}`, /no length/],
    ['a chunk longer than can be counted', `${CHUNKED}ffffffffffffff${LF}`, /no length/],
    ['a chunk longer than it said', `${CHUNKED}2${LF}{}}${LF}0${LF}${LF}`, /longer/],
    ['a head without an end', `${OK}${'x: y\r\n'.repeat(20_000)}`, /too long/],
    ['a line of a chunk without an end', `${CHUNKED}2;${'x'.repeat(20_000)}`, /too long/],
    ['trailers without an end', `${CHUNKED}0${LF}${`x: ${'y'.repeat(100)}${LF}`.repeat(200)}`, /too much/],
  ])('%s is refused, in one piece and byte by byte', (_, bytes, message) => {
    const all = Buffer.from(bytes);
    for (const cuts of [[], Array.from(all, (__, at) => at)]) {
      const reading = (): unknown => read(all, cuts, false);
      expect(reading).toThrow(message);
      expect(reading).toThrow(TransportFault);
    }
  });

  test('the beginning of one is none yet, and none at the end of the connection unless that was to end it', () => {
    const whole = Buffer.from(`${OK}content-length: 4${LF}${LF}null`);
    for (let end = 1; end < whole.length; end++) expect(read(whole.subarray(0, end), [], true)).toBeNull();
    expect(read(Buffer.from(`${CHUNKED}4${LF}null${LF}`), [], true)).toBeNull();
    expect(read(Buffer.from(`${OK}${LF}nul`), [], true)).toMatchObject({ text: 'nul', restMs: 0 });
  });
});
