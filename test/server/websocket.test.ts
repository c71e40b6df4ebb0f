import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { closeReason } from '../../src/server/close-reasons.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { connectSocket, EVENTS, openSocket, refusedHandshake, type SocketMessage } from '../support/sockets.ts';

/** Tenants whose log fails to be read after its first page, and what it fails with. */
const failing = new Map<string, unknown>();

function spoiled(store: LeaseRepository): LeaseRepository {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'eventsAfter') return member;
      return async (...given: Parameters<LeaseRepository['eventsAfter']>) => {
        const [, , filter] = given;
        const fault = filter.tasks?.map((task) => failing.get(task)).find((found) => found !== undefined);
        if (fault !== undefined) throw fault;
        return target.eventsAfter(...given);
      };
    },
  });
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ spoil: spoiled });
});
afterEach(() => failing.clear());
afterAll(() => server.app.stop());

const eventually = (value: () => number) => expect.poll(value, { interval: 10, timeout: 2_000 });
const codesOf = ({ payload }: SocketMessage): unknown[] => (payload as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code);

describe('the handshake (B122)', () => {
  test.each([
    ['a subscription before it', [{ type: 'subscribe', id: '1', payload: { query: EVENTS } }], 4401],
    ['a second one', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
    ['noise', ['noise'], 4400],
    ['a message of no type', [{ id: '1' }], 4400],
    ['a message of an unknown type', [{ type: 'start', id: '1' }], 4400],
    ['a list', [[]], 4400],
    ['an acknowledgement', [{ type: 'connection_ack' }], 4400],
    ['a result', [{ type: 'connection_init' }, { type: 'next', id: '1', payload: {} }], 4400],
    ['an error', [{ type: 'connection_init' }, { type: 'error', id: '1', payload: [{ message: 'x' }] }], 4400],
  ])('with %s closes the socket, and nothing runs', async (_name, messages, code) => {
    const socket = await openSocket(server.wsUrl);
    for (const message of messages) socket.send(message);
    expect((await socket.closed).code).toBe(code);
    expect(server.app.followers()).toBe(0);
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('that never comes closes the socket in time', async () => {
    const socket = await openSocket(server.wsUrl);
    const startedAt = performance.now();
    expect((await socket.closed).code).toBe(4408);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test.each([
    ['of the old sub-protocol', 'graphql-ws'],
    ['of none', []],
  ])('%s is refused', async (_name, protocol) => {
    expect((await refusedHandshake(server.wsUrl, {}, protocol)).status).toBe(400);
  });

  test.each([
    ['at another address', '/graphqlx', {}, 404],
    ['from a page of another origin', '/graphql', { origin: 'http://evil.example' }, 403],
    ['from a page without an origin', '/graphql', { origin: 'null' }, 403],
    ['with credentials in the address (B133)', '/graphql?token=s3cret', {}, 401],
  ])('%s is refused', async (_name, path, options, status) => {
    const refused = await refusedHandshake(server.url.replace('http', 'ws') + path, options);
    expect(refused.status).toBe(status);
    expect(refused.text).toContain('"code"');
    expect(JSON.stringify(server.logs)).not.toContain('s3cret');
  });

  test('from a page of this server is taken', async () => {
    (await connectSocket(server.wsUrl, {}, { origin: server.url })).socket.close();
  });
});

describe('the tenant of a socket', () => {
  const firstEventOf = async (parameters: object, headers: Record<string, string>): Promise<number> => {
    const socket = await connectSocket(server.wsUrl, parameters, { headers });
    socket.subscribe('1', EVENTS, { after: null });
    await socket.next();
    await server.submit({}, 'acme');
    server.clock.advance(50);
    const count = await Promise.race([socket.next().then(({ payload }) => payload.data.jobEvents.events.length as number), wait(150).then(() => 0)]);
    socket.socket.close();
    await socket.closed;
    return count;
  };

  test.each([
    ['the header of the request', {}, { 'x-leasequeue-tenant': 'acme' }, 1],
    ['the connection parameters', { 'x-leasequeue-tenant': 'acme' }, {}, 1],
    ['the connection parameters in any case', { 'X-LeaseQueue-Tenant': 'acme' }, {}, 1],
    ['both', { 'x-leasequeue-tenant': 'acme' }, { 'x-leasequeue-tenant': 'acme' }, 1],
    ['neither', {}, {}, 0],
  ])('is named by %s', async (_name, parameters, headers, events) => {
    expect(await firstEventOf(parameters, headers)).toBe(events);
  });

  test.each([
    ['is no name', { 'x-leasequeue-tenant': 'No Name' }, {}],
    ['is no text', { 'x-leasequeue-tenant': 7 }, {}],
    ['is another one than the header says', { 'x-leasequeue-tenant': 'acme' }, { 'x-leasequeue-tenant': 'other' }],
    ['is no name in the header', {}, { 'x-leasequeue-tenant': 'A_B' }],
    ['is a long text', { 'x-leasequeue-tenant': 'é🦊'.repeat(100) }, {}],
  ])('that %s closes the socket with the reason (B119)', async (_name, parameters, headers) => {
    const socket = await openSocket(server.wsUrl, { headers });
    socket.send({ type: 'connection_init', payload: parameters });
    const { code, reason } = await socket.closed;
    expect(code).toBe(4403);
    expect(reason).toContain('x-leasequeue-tenant');
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
  });
});

describe('a close reason (B119)', () => {
  test.each([
    ['short', 'Forbidden', 'Forbidden'],
    ['of exactly 123 bytes', 'é'.repeat(61) + 'x', 'é'.repeat(61) + 'x'],
  ])('that is %s stays as it is', (_name, text, reason) => {
    expect(closeReason(text)).toBe(reason);
  });

  test.each(['é'.repeat(500), '🦊'.repeat(500), `x${'🦊é'.repeat(250)}`, '\ud83e'.repeat(500)])('that is long is cut on the border of a character', (text) => {
    const reason = closeReason(text);
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
    expect(Buffer.byteLength(reason)).toBeGreaterThan(100);
    if (text.isWellFormed()) expect(reason).not.toContain('\ufffd');
  });
});

describe('a subscription', () => {
  test('replays from a cursor and goes on live, as many as the socket likes', async () => {
    await server.submit({ queue: 'before' });
    const id = await server.submit({ queue: 'replay' });
    const socket = await connectSocket(server.wsUrl);
    const filter = { queues: ['replay'] };
    const from = (await server.graphql('{ jobEvents(first: 1) { cursor } }')).data.jobEvents.cursor as string;
    socket.subscribe('live', EVENTS, { filter });
    expect((await socket.nextOf('live')).payload.data.jobEvents).toMatchObject({ caughtUp: true, events: [] });
    await server.graphql('mutation($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id });
    server.clock.advance(50);
    expect((await socket.nextOf('live')).payload.data.jobEvents.events).toEqual([{ kind: 'CANCELLED', jobId: id }]);
    socket.subscribe('history', EVENTS, { filter, after: from, maxBatch: 1 });
    const messages = [await socket.nextOf('history'), await socket.nextOf('history')].map(({ payload }) => payload.data.jobEvents);
    expect(messages.flatMap(({ events }) => events.map((event: { kind: string }) => event.kind))).toEqual(['SUBMITTED', 'CANCELLED']);
    expect(messages.map(({ caughtUp }) => caughtUp)).toEqual([false, true]);
    socket.socket.close();
    await eventually(() => server.app.followers()).toBe(0);
  });

  test.each([
    ['a broken document', 'subscription { ', {}, ['GRAPHQL_PARSE_FAILED']],
    ['an unknown field', 'subscription { nope }', {}, ['GRAPHQL_VALIDATION_FAILED']],
    ['a wrong variable', EVENTS, { maxBatch: 'many s3cret' }, ['BAD_USER_INPUT']],
    ['a value past its limit', EVENTS, { maxBatch: 1_001 }, ['BAD_USER_INPUT']],
    ['a bad cursor', EVENTS, { after: 's3cret' }, ['INVALID_CURSOR']],
    ['an empty document', '', {}, ['GRAPHQL_PARSE_FAILED']],
    ['a number past 2^53 as a limit', EVENTS, { maxBatch: 'LARGE' }, ['BAD_USER_INPUT']],
    ['too many tokens', `subscription { ${'jobEvents '.repeat(2_000)} }`, {}, ['OPERATION_TOO_COMPLEX']],
    [
      'too many aliases',
      `subscription { jobEvents { ${Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(' ')} } }`,
      {},
      ['OPERATION_TOO_COMPLEX'],
    ],
    ['introspection', 'subscription { jobEvents { __typename } __schema { queryType { name } } }', {}, expect.arrayContaining(['GRAPHQL_VALIDATION_FAILED'])],
    ['a query', '{ stats { ready } }', {}, ['BAD_USER_INPUT']],
    ['a mutation', 'mutation { claimJobs(input: {workerId: "w"}) { leases { leaseToken } } }', {}, ['BAD_USER_INPUT']],
    ['no operation of the name', 'subscription A { jobEvents { __typename } } subscription B { jobEvents { __typename } }', {}, [expect.any(String)]],
  ])('with %s is answered with an error, and the socket stays', async (_name, query, variables, codes) => {
    const socket = await connectSocket(server.wsUrl);
    socket.send(JSON.stringify({ type: 'subscribe', id: 'bad', payload: { query, variables } }).replace('"LARGE"', '9007199254740993'));
    const message = await socket.next();
    expect([message.type, message.id, codesOf(message)]).toEqual(['error', 'bad', codes]);
    expect(JSON.stringify(message)).not.toMatch(/s3cret|"http"|"unexpected"/);
    socket.subscribe('bad', EVENTS);
    expect(await socket.next()).toMatchObject({ type: 'next', id: 'bad' });
    socket.socket.close();
    await socket.closed;
  });

  test('with an id that is taken closes the socket and ends both; after its end the id is free (B125)', async () => {
    const socket = await connectSocket(server.wsUrl);
    socket.subscribe('1', EVENTS);
    await socket.next();
    socket.send({ type: 'complete', id: '1' });
    socket.subscribe('1', EVENTS);
    expect(await socket.next()).toMatchObject({ type: 'next', id: '1' });
    await eventually(() => server.app.followers()).toBe(1);
    socket.subscribe('1', EVENTS);
    expect((await socket.closed).code).toBe(4409);
    await eventually(() => server.app.followers()).toBe(0);
  });

  test('past twenty on a socket is refused, and the others go on', async () => {
    const socket = await connectSocket(server.wsUrl);
    for (let index = 0; index < 21; index += 1) socket.subscribe(String(index), EVENTS);
    const messages = await Promise.all(Array.from({ length: 21 }, () => socket.next()));
    expect(messages.filter(({ type }) => type === 'next')).toHaveLength(20);
    expect(messages.filter(({ type }) => type === 'error').map(({ id }) => id)).toEqual(['20']);
    expect(server.app.followers()).toBe(20);
    expect(await server.metric('leasequeue_subscribers{transport="websocket"}')).toBe(20);
    socket.send({ type: 'complete', id: '0' });
    await eventually(() => server.app.followers()).toBe(19);
    socket.subscribe('20', EVENTS);
    expect(await socket.next()).toMatchObject({ type: 'next', id: '20' });
    socket.socket.terminate();
    await eventually(() => server.app.followers()).toBe(0);
    expect(await server.metric('leasequeue_subscribers{transport="websocket"}')).toBe(0);
  });

  test('in which nothing happens is freed within half a second, by complete and by a cut connection (B109)', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => connectSocket(server.wsUrl)));
    const operations = Array.from({ length: 10 }, (_, index) => String(index));
    for (const socket of sockets) for (const id of operations) socket.subscribe(id, EVENTS, { filter: { queues: ['quiet'] } });
    await eventually(() => server.app.followers()).toBe(100);
    await expect.poll(() => sockets.reduce((sum, { received }) => sum + received.length, 0)).toBe(110);
    for (const socket of sockets.slice(0, 5)) for (const id of operations) socket.send({ type: 'complete', id });
    for (const { socket } of sockets.slice(5)) socket.terminate();
    await expect.poll(() => server.app.followers(), { interval: 5, timeout: 500 }).toBe(0);
    for (const { socket } of sockets) socket.terminate();
  });

  test('whose client goes away while it is being set up holds nothing', async () => {
    const init = { type: 'connection_init' };
    const subscribe = { type: 'subscribe', id: '1', payload: { query: EVENTS } };
    for (let round = 0; round < 60; round += 1) {
      const { socket } = await openSocket(server.wsUrl);
      socket.send(JSON.stringify(init));
      socket.send(JSON.stringify(subscribe));
      if (round % 3 === 1) socket.send(JSON.stringify({ type: 'complete', id: '1' }));
      if (round % 2 === 0) socket.terminate();
      else socket.close();
    }
    await eventually(() => server.app.followers()).toBe(0);
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('of figures frees what it waits for, when it is completed', async () => {
    const socket = await connectSocket(server.wsUrl);
    socket.subscribe('1', 'subscription { stats(everySeconds: 60) { ready } }');
    expect((await socket.next()).payload.data.stats.ready).toEqual(expect.any(Number));
    socket.send({ type: 'complete', id: '1' });
    socket.subscribe('1', 'subscription { stats { ready } }');
    expect((await socket.next()).type).toBe('next');
    socket.socket.close();
    await socket.closed;
  });
});

describe('a stream that fails (B115, B134)', () => {
  test.each([
    ['an error', new Error('SQLITE secret')],
    ['a text', 'secret'],
    ['nothing', null],
  ])('of %s gets one masked error, is logged once, and leaves its neighbours alone', async (_name, fault) => {
    const socket = await connectSocket(server.wsUrl);
    for (const [id, task] of Object.entries({ one: 'b115-one', two: 'b115-two', three: 'b115-three' }))
      socket.subscribe(id, EVENTS, { filter: { tasks: [task] } });
    await Promise.all([socket.next(), socket.next(), socket.next()]);
    const from = server.logs.length;
    failing.set('b115-two', fault);
    for (const task of ['b115-one', 'b115-two', 'b115-three']) await server.submit({ task });
    server.clock.advance(50);
    const messages = [await socket.next(), await socket.next(), await socket.next()].toSorted((a, b) => String(a.id).localeCompare(String(b.id)));
    expect(messages.map(({ id, type }) => [id, type])).toEqual([
      ['one', 'next'],
      ['three', 'next'],
      ['two', 'error'],
    ]);
    expect(messages[2]?.payload).toMatchObject([
      { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) } },
    ]);
    expect(JSON.stringify(messages[2])).not.toContain('secret');
    const logged = server.logs.slice(from).filter(({ level }) => level === 'error');
    expect(logged).toMatchObject([{ operation: 'Events', requestId: messages[2]?.payload[0].extensions.requestId }]);
    expect(server.app.followers()).toBe(2);
    failing.clear();
    await server.submit({ task: 'b115-one' });
    server.clock.advance(50);
    expect(await socket.next()).toMatchObject({ type: 'next', id: 'one' });
    socket.socket.close();
    await socket.closed;
  });
});

describe('a message', () => {
  test('at the limit is taken, and one byte more closes the socket', async () => {
    const sized = (bytes: number): string => {
      const frame = JSON.stringify({ type: 'subscribe', id: '1', payload: { query: EVENTS, extensions: { pad: '' } } });
      return frame.replace('"pad":""', `"pad":"${'x'.repeat(bytes - frame.length)}"`);
    };
    const socket = await connectSocket(server.wsUrl);
    socket.send(sized(131_072));
    expect(await socket.next()).toMatchObject({ type: 'next', id: '1' });
    socket.send(sized(131_073));
    expect((await socket.closed).code).toBe(1009);
    await eventually(() => server.app.followers()).toBe(0);
  });

  test('that is binary closes the socket', async () => {
    const socket = await connectSocket(server.wsUrl);
    socket.socket.send(Buffer.from('{"type":"ping"}'));
    expect((await socket.closed).code).toBe(4400);
  });

  test('that asks for a sign of life gets one', async () => {
    const socket = await connectSocket(server.wsUrl);
    socket.send({ type: 'ping', payload: { n: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { n: 1 } });
    socket.socket.close();
  });
});

test('the client library follows, breaks off, and resumes from its cursor without a gap or a repeat', async () => {
  const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  await server.submit({ queue: 'before' });
  const ids = [await server.submit({ queue: 'resume' }), await server.submit({ queue: 'resume' }), await server.submit({ queue: 'resume' })];
  const start = (await server.graphql('{ jobEvents(first: 1) { cursor } }')).data.jobEvents.cursor as string;
  const seen: string[] = [];
  let after = start;
  for (let round = 0; round < 3; round += 1) {
    const variables = { after, filter: { queues: ['resume'] }, maxBatch: 1 };
    for await (const { data } of client.iterate<{ jobEvents: { cursor: string; events: { jobId: string }[] } }>({ query: EVENTS, variables })) {
      after = data?.jobEvents.cursor ?? after;
      seen.push(...(data?.jobEvents.events.map(({ jobId }) => jobId) ?? []));
      break;
    }
  }
  expect(seen).toEqual(ids);
  await client.dispose();
});

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
