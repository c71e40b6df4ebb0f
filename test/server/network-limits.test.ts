import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import type { NetworkLimits } from '../../src/server/network-limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { exchange, openConnection, readToEnd, untilClosed } from '../support/raw-http.ts';
import { CALLER, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const PROBE = '/graphql?query=%7B__typename%7D';
const requestOf = (address: string, headers: readonly string[]): string => [`GET ${address} HTTP/1.1`, ...headers, '', ''].join('\r\n');
const codeIn = (text: string): string | undefined => /"code":"(\w+)"/.exec(text)?.[1];

describe('the head of a request', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp();
  });
  afterAll(() => server.app.stop());

  /** A request whose address, and names and values of headers, are so many bytes together. */
  function sized(bytes: number): string {
    const rest = `${PROBE}hostlocalhostconnectionclosex-pad`.length;
    return requestOf(PROBE, ['host: localhost', 'connection: close', `x-pad: ${'x'.repeat(bytes - rest)}`]);
  }

  test('at the limit of its bytes is taken, and one more is refused', async () => {
    expect((await exchange(server.url, sized(LIMITS.requestHeaderBytesMax))).status).toBe(200);
    const { status, text } = await exchange(server.url, sized(LIMITS.requestHeaderBytesMax + 1));
    expect([status, codeIn(text)]).toEqual([431, 'REQUEST_HEADER_FIELDS_TOO_LARGE']);
  });

  test('may have so many headers, and one more is refused', async () => {
    const counted = (count: number): string =>
      requestOf(PROBE, ['host: localhost', 'connection: close', ...Array.from({ length: count - 2 }, (_, index) => `x-${index}: 1`)]);
    expect((await exchange(server.url, counted(LIMITS.requestHeadersMax))).status).toBe(200);
    for (const count of [LIMITS.requestHeadersMax + 1, LIMITS.requestHeadersMax * 10]) {
      const { status, text } = await exchange(server.url, counted(count));
      expect([status, codeIn(text)]).toEqual([431, 'REQUEST_HEADER_FIELDS_TOO_LARGE']);
    }
  });

  test('may have an address so long, and one more is refused', async () => {
    const padded = (characters: number): string => requestOf(`${PROBE}&x=`.padEnd(characters, 'x'), ['host: localhost', 'connection: close']);
    expect((await exchange(server.url, padded(LIMITS.requestAddressCharactersMax))).status).toBe(200);
    const { status, text } = await exchange(server.url, padded(LIMITS.requestAddressCharactersMax + 1));
    expect([status, codeIn(text)]).toEqual([414, 'URI_TOO_LONG']);
  });

  test('that offers another protocol is answered in this one', async () => {
    const { status, text } = await exchange(server.url, requestOf(PROBE, ['host: localhost', 'connection: Upgrade, close', 'upgrade: h2c']));
    expect([status, text.includes('"__typename":"Query"')]).toEqual([200, true]);
  });

  test('that expects what is not given is refused', async () => {
    expect((await exchange(server.url, requestOf(PROBE, ['host: localhost', 'connection: close', 'expect: a-miracle']))).status).toBe(417);
  });
});

/** Short enough to wait for: only the network's own clock ends these. */
const SHORT: Partial<NetworkLimits> = { requestHeadersMsMax: 1_000, requestMsMax: 1_500, keepAliveMsMax: 200, lookEveryMs: 50 };

/** Sends one character now and then, until the server has had enough. */
function trickle(socket: Socket, text: string): void {
  let sent = 0;
  const sending = setInterval(() => socket.write(text.charAt(sent++) || ' '), 20);
  socket.once('close', () => clearInterval(sending));
}

const HEAD = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

describe('a connection that takes its time', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['says nothing at all', () => {}, '408'],
    ['sends its headers byte by byte', (socket) => trickle(socket, `${HEAD}x-pad: ${'x'.repeat(10_000)}`), '408'],
    ['stops in the middle of its headers', (socket) => void socket.write(HEAD), '408'],
    [
      'sends its body byte by byte',
      (socket) => {
        socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
        trickle(socket, '{"query": "{ __typename }"');
      },
      '408',
    ],
    [
      'sends its body chunk by chunk',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        trickle(socket, '1\r\nx\r\n'.repeat(1_000));
      },
      '408',
    ],
    ['asks once and keeps the connection', (socket) => void socket.write(requestOf(PROBE, ['host: localhost'])), '200'],
  ])('and %s is cut in time, while others are served', async (_name, begin, status) => {
    await using server = await startApp({ network: SHORT });
    const slow = await Promise.all(Array.from({ length: 20 }, () => openConnection(server.url)));
    const answers = slow.map(readToEnd);
    for (const socket of slow) begin(socket);
    let isOver = false;
    const over = Promise.all(answers).finally(() => {
      isOver = true;
    });
    while (!isOver) expect((await server.graphql('{ __typename }')).status).toBe(200);
    for (const answer of await over) expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  });

  test('is as good as any other if it is done in time', async () => {
    await using server = await startApp({ network: { ...SHORT, requestHeadersMsMax: 5_000, requestMsMax: 5_000 } });
    const socket = await openConnection(server.url);
    const answer = readToEnd(socket);
    for (const character of requestOf(PROBE, ['host: localhost', 'connection: close'])) {
      socket.write(character);
      await new Promise(setImmediate);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a refused handshake', () => {
  test('leaves no connection behind, whatever its client does', async () => {
    await using server = await startApp();
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {});
    const gone = untilClosed(socket);
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.resume();
    socket.write(requestOf('/nowhere', ['host: localhost', 'connection: upgrade', 'upgrade: websocket']));
    await ended;
    // Whoever still listens takes these; a connection that is gone resets.
    const writing = setInterval(() => socket.write('x'), 10);
    await gone;
    clearInterval(writing);
  });
});

describe('connections in all', () => {
  test('are so many; one more is cut at once, and takes the place of one that ends', async () => {
    await using server = await startApp({ network: { connectionsMax: 3 } });
    const kept = await Promise.all(Array.from({ length: 3 }, () => openConnection(server.url)));
    const refused = await openConnection(server.url);
    expect(await readToEnd(refused)).toBe('');
    expect(kept.every(({ destroyed }) => !destroyed)).toBe(true);
    kept[0]?.destroy();
    await expect.poll(async () => (await exchange(server.url, requestOf(PROBE, ['host: localhost', 'connection: close']))).status).toBe(200);
    for (const socket of kept) socket.destroy();
  });
});

const LARGE = requestOf(`/graphql?${new URLSearchParams({ query: '{ jobs(first: 100) { nodes { payload } } }' })}`, ['host: localhost']);

async function startWithLargeJobs(): Promise<TestApp> {
  const server = await startApp();
  const payloadJson = JSON.stringify({ text: 'x'.repeat(60_000) });
  await server.store.submit(
    tenant('default'),
    CALLER,
    Array.from({ length: 100 }, () => submission({ payloadJson })),
    false,
  );
  return server;
}

describe('a client that does not take its answer', () => {
  const oneSecond = async (server: TestApp): Promise<void> => {
    server.clock.advance(1_000);
    await new Promise(setImmediate);
  };

  test.each([
    ['at all', 0],
    ['but for some bytes now and then', 20_000],
  ])('%s is cut in time, while others are served', async (_name, bytesPerSecond) => {
    await using server = await startWithLargeJobs();
    const slow = await openConnection(server.url);
    const gone = untilClosed(slow);
    slow.pause();
    slow.write(LARGE);
    // Once others have been answered its answer has been written, as far as the system takes it.
    for (let round = 0; round < 5; round += 1) expect((await server.graphql('{ __typename }')).status).toBe(200);
    const isEnded = (): boolean => server.logs.some(({ message }) => message === 'readers that took nothing were ended');
    let seconds = 0;
    for (; seconds < 65 && !isEnded(); seconds += 1) {
      slow.read(bytesPerSecond);
      await oneSecond(server);
    }
    expect(isEnded()).toBe(true);
    expect(seconds).toBeGreaterThanOrEqual(LIMITS.answerTakenMsMax / 1_000);
    expect((await server.graphql('{ __typename }')).status).toBe(200);
    slow.resume();
    await gone;
  });

  test('right away, but before its time is up, gets all of it', async () => {
    await using server = await startWithLargeJobs();
    const slow = await openConnection(server.url);
    slow.pause();
    slow.write(LARGE.replace('host: localhost', 'host: localhost\r\nconnection: close'));
    for (let round = 0; round < 5; round += 1) expect((await server.graphql('{ __typename }')).status).toBe(200);
    for (let second = 0; second < LIMITS.answerTakenMsMax / 1_000 - 1; second += 1) await oneSecond(server);
    const answer = readToEnd(slow);
    slow.resume();
    expect((await answer).length).toBeGreaterThan(6_000_000);
  });
});

const CLAIM = JSON.stringify({ query: 'mutation { claimJobs(input: {queues: ["q"], workerId: "w", waitSeconds: 30}) { leases { job { id } } } }' });

describe('requests that do not wait for the answers before', () => {
  const claims = (count: number): string => `${HEAD}content-length: ${CLAIM.length}\r\n\r\n${CLAIM}`.repeat(count);

  test('may be so many at once, again and again', async () => {
    await using server = await startApp();
    const socket = await openConnection(server.url);
    let answers = '';
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(requestOf(PROBE, ['host: localhost']).repeat(LIMITS.requestsAtOncePerConnectionMax));
      await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)?.length).toBe(round * LIMITS.requestsAtOncePerConnectionMax);
    }
    socket.destroy();
  });

  test('end the connection when they are more, and none of them goes on', async () => {
    await using server = await startApp();
    const socket = await openConnection(server.url);
    socket.write(claims(LIMITS.requestsAtOncePerConnectionMax));
    for (let round = 0; round < 5; round += 1) await server.graphql('{ __typename }');
    expect(socket.destroyed).toBe(false);
    const answer = readToEnd(socket);
    socket.write(claims(1));
    expect(await answer).toBe('');
    const id = await server.submit();
    expect((await server.graphql('query ($id: ID!) { job(by: {id: $id}) { state } }', { id })).data.job.state).toBe('QUEUED');
  });
});

describe('noise', () => {
  test('behind a whole request is not its answer: that one comes, and then the end', async () => {
    await using server = await startApp();
    const socket = await openConnection(server.url);
    const answer = readToEnd(socket);
    socket.write(`${HEAD}content-length: ${CLAIM.length}\r\n\r\n${CLAIM}noise noise\r\n\r\n`);
    for (let round = 0; round < 5; round += 1) await server.graphql('{ __typename }');
    const id = await server.submit();
    const text = await answer;
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(text).toContain(id);
    expect(text.toLowerCase()).toContain('connection: close');
  });

  test('within a body is answered with 400, once', async () => {
    await using server = await startApp();
    const { text } = await exchange(server.url, `${HEAD}transfer-encoding: chunked\r\n\r\nxyz\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });
});
