/** Subscribers that share their work, as they see it: over sockets and event streams, byte for byte. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { goOn } from '../support/manual-clock.ts';
import { openConnection, untilClosed } from '../support/raw-http.ts';
import { connectSocket, EVENTS, type TestSocket } from '../support/sockets.ts';
import { CALLER, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';
import { settleDown } from '../support/turns.ts';

const calls = { eventsAfter: 0, jobById: 0, stats: 0 };
let jobFault: Error | null = null;

function counted(store: LeaseRepository): LeaseRepository {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'eventsAfter' && name !== 'jobById' && name !== 'stats') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        calls[name] += 1;
        if (name === 'jobById' && jobFault !== null) throw jobFault;
        return Reflect.apply(member as () => Promise<unknown>, target, given);
      };
    },
  });
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ spoil: counted });
});
afterEach(async () => {
  jobFault = null;
  await expect.poll(() => server.app.followers(), { interval: 10, timeout: 3_000 }).toBe(0);
});
afterAll(() => server.app.stop());

/** What only yoga answers, in the same words. */
const BY_YOGA = 'text/event-stream, text/event-stream';

interface RawStream {
  readonly headers: Headers;
  readonly text: () => string;
  readonly ended: Promise<unknown>;
  abort(): void;
}

/** An event stream as text, without the pings. */
async function openRaw(query: string, variables: object, accept = 'text/event-stream'): Promise<RawStream> {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    signal: controller.signal,
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  })().catch(() => {});
  return { headers: response.headers, text: () => text.replace(/^:\n\n/gm, ''), ended: reading, abort: () => controller.abort() };
}

const rawOf = ({ socket }: TestSocket): string[] => {
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => texts.push(data.toString('utf8')));
  return texts;
};
const payloadsOf = (text: string): string[] => [...text.matchAll(/^data: (.+)$/gm)].map(([, payload]) => payload ?? '');

async function live(): Promise<void> {
  await settleDown();
  server.clock.advance(50);
  await settleDown();
}

const eventually = <Value>(value: () => Value) => expect.poll(value, { interval: 5, timeout: 3_000 });

describe('subscribers that ask for the same', () => {
  const query = 'subscription Watch { jobEvents { ... on JobEventBatch { cursor events { cursor kind job { state payload } } } } }';

  test('get the same bytes under their own ids, for one read of the log and one of the job', async () => {
    const ids = ['1', 'with "quotes" \u2028 and é', crypto.randomUUID(), crypto.randomUUID()];
    const sockets = await Promise.all(ids.map(() => connectSocket(server.wsUrl)));
    const texts = sockets.map(rawOf);
    sockets.forEach((socket, index) => socket.subscribe(ids[index] ?? '', query));
    await eventually(() => texts.every(({ length }) => length === 1)).toBe(true);
    await live();
    const before = { ...calls };
    const id = await server.submit({ payload: { text: 'é🦊' } });
    await live();
    await eventually(() => texts.every(({ length }) => length === 2)).toBe(true);
    expect([calls.eventsAfter - before.eventsAfter, calls.jobById - before.jobById]).toEqual([1, 1]);
    const payloads = texts.map(([, text], index) => {
      const head = `{"id":${JSON.stringify(ids[index])},"type":"next","payload":`;
      expect(text?.startsWith(head)).toBe(true);
      return text?.slice(head.length, -1);
    });
    expect(new Set(payloads).size).toBe(1);
    const { data } = JSON.parse(payloads[0] ?? '') as { data: unknown };
    expect(data).toMatchObject({ jobEvents: { events: [{ kind: 'SUBMITTED', job: { state: 'QUEUED', payload: { text: 'é🦊' } } }] } });
    expect(id).toBeTypeOf('string');
    for (const { socket } of sockets) socket.close();
  });

  test('see each job as it is when the batch goes out, not when the event happened', async () => {
    const socket = await connectSocket(server.wsUrl);
    socket.subscribe('1', query);
    await socket.next();
    const id = await server.submit();
    await server.graphql('mutation ($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id });
    await live();
    const { events } = (await socket.next()).payload.data.jobEvents;
    expect(events).toMatchObject([
      { kind: 'SUBMITTED', job: { state: 'CANCELLED' } },
      { kind: 'CANCELLED', job: { state: 'CANCELLED' } },
    ]);
    socket.socket.close();
  });

  test('are not mixed with another tenant, another selection or another filter', async () => {
    const document =
      'subscription ($all: Boolean!, $filter: JobEventFilter) { jobEvents(filter: $filter) { ... on JobEventBatch { events { kind jobId @include(if: $all) } } } }';
    const sockets = await Promise.all(['default', 'acme', 'default', 'default'].map((name) => connectSocket(server.wsUrl, { 'x-leasequeue-tenant': name })));
    const variables = [{ all: true }, { all: true }, { all: false }, { all: true, filter: { queues: ['none'] } }];
    sockets.forEach((socket, index) => socket.subscribe('1', document, variables[index]));
    await Promise.all(sockets.map((socket) => socket.next()));
    await live();
    const id = await server.submit({ queue: 'mine' });
    const theirs = await server.submit({ queue: 'theirs' }, 'acme');
    await live();
    const [mine, acme, bare] = await Promise.all(sockets.slice(0, 3).map(async (socket) => (await socket.next()).payload.data.jobEvents.events));
    expect([mine, acme, bare]).toEqual([[{ kind: 'SUBMITTED', jobId: id }], [{ kind: 'SUBMITTED', jobId: theirs }], [{ kind: 'SUBMITTED' }]]);
    await sockets[3]?.echo();
    expect(sockets[3]?.received.filter(({ type }) => type === 'next')).toHaveLength(1);
    for (const { socket } of sockets) socket.close();
  });

  test('do not share what their place says beside where to begin', async () => {
    const document =
      'subscription ($after: EventCursor!) { jobEvents(after: $after, maxBatch: 50, filter: { queues: ["twice"] }) { ... on JobEventBatch { events { kind job { events(after: $after) { nodes { kind } } } } } } }';
    const cursorNow = async () => (await server.graphql('{ latestEventCursor }')).data.latestEventCursor as string;
    const first = await cursorNow();
    const id = await server.submit({ queue: 'twice' });
    const second = await cursorNow();
    const sockets = [await connectSocket(server.wsUrl), await connectSocket(server.wsUrl)];
    [first, second].forEach((after, index) => sockets[index]?.subscribe('1', document, { after }));
    await Promise.all(sockets.map((socket) => socket.next()));
    await live();
    await server.graphql('mutation ($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id });
    await live();
    const nodes = await Promise.all(
      sockets.map(async (socket) => (await socket.next()).payload.data.jobEvents.events.at(-1).job.events.nodes.length as number),
    );
    expect(nodes).toEqual([2, 1]);
    for (const { socket } of sockets) socket.close();
  });

  test('of the figures cost one look a beat', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => connectSocket(server.wsUrl)));
    for (const socket of sockets) socket.subscribe('1', 'subscription { stats(everySeconds: 2) { counts { queued } } }');
    await Promise.all(sockets.map((socket) => socket.next()));
    await server.submit();
    const before = calls.stats;
    server.clock.advance(2_000);
    const messages = await Promise.all(sockets.map((socket) => socket.next()));
    expect(new Set(messages.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
    expect(calls.stats - before).toBe(1);
    for (const { socket } of sockets) socket.close();
  });
});

describe('a shared event stream', () => {
  const query =
    'subscription Watch($after: EventCursor, $filter: JobEventFilter) { jobEvents(after: $after, filter: $filter, maxBatch: 2) { __typename ... on JobEventBatch { cursor caughtUp events { kind task job { payload } } } ... on JobEventGap { reason resumeAt } } }';

  test('is what yoga writes, headers and bytes, through history, live events and an error in a field', async () => {
    const cursor = (await server.graphql('{ latestEventCursor }')).data.latestEventCursor as string;
    for (let index = 0; index < 5; index += 1) await server.submit({ queue: 'bytes', payload: { text: 'é🦊' } });
    const variables = { after: cursor, filter: { queues: ['bytes'] } };
    const streams = [await openRaw(query, variables, BY_YOGA), await openRaw(query, variables), await openRaw(query, variables)];
    await eventually(() => streams.map(({ text }) => payloadsOf(text()).length)).toEqual([3, 3, 3]);
    await live();
    await server.submit({ queue: 'bytes' });
    await live();
    await eventually(() => streams.map(({ text }) => payloadsOf(text()).length)).toEqual([4, 4, 4]);
    jobFault = new Error('secret');
    await server.submit({ queue: 'bytes' });
    await live();
    await eventually(() => streams.map(({ text }) => payloadsOf(text()).length)).toEqual([5, 5, 5]);
    const [yoga, ...shared] = streams.map(({ text }) => text().replace(/"requestId":"[^"]*"/g, '"requestId":"…"'));
    expect(yoga).toContain('INTERNAL_SERVER_ERROR');
    expect(shared).toEqual([yoga, yoga]);
    const headersOf = ({ headers }: RawStream) => [...headers].filter(([name]) => name !== 'date');
    expect(streams.slice(1).map(headersOf)).toEqual([headersOf(streams[0] as RawStream), headersOf(streams[0] as RawStream)]);
    for (const { abort } of streams) abort();
  });

  test('of the figures is what yoga writes', async () => {
    const figures = 'subscription { stats(everySeconds: 1) { counts { queued } } }';
    const streams = [await openRaw(figures, {}, BY_YOGA), await openRaw(figures, {})];
    await eventually(() => streams.map(({ text }) => payloadsOf(text()).length)).toEqual([1, 1]);
    expect(streams[1]?.text()).toBe(streams[0]?.text());
    for (const { abort } of streams) abort();
  });

  test.each([
    ['a parameter that is none', { query, more: 1 }],
    ['a list of variables', { query, variables: [1] }],
    ['no text', { query: 7 }],
    ['a query', { query: '{ stats { ready } }' }],
    ['an unknown operation', { query, operationName: 'Nobody' }],
    ['a wrong variable', { query, variables: { after: 7 } }],
    ['a bad document', { query: 'subscription { nope }' }],
  ])('that is asked for with %s is answered by yoga', async (_name, body) => {
    const ask = async (accept: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify(body),
      });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    expect(await ask('text/event-stream')).toEqual(await ask(BY_YOGA));
  });
});

describe('a message', () => {
  const query =
    'subscription ($after: EventCursor) { jobEvents(after: $after, maxBatch: 1000) { ... on JobEventBatch { caughtUp events { jobId job { payload } } } } }';

  test('stays below its bound however big the jobs are, over both transports', async () => {
    const cursor = (await server.graphql('{ latestEventCursor }')).data.latestEventCursor as string;
    const payloadJson = JSON.stringify({ text: 'é'.repeat(30_000) });
    const requests = Array.from({ length: 60 }, () => submission({ queue: 'big', payloadJson }));
    await server.store.submit(tenant('default'), CALLER, requests, false);
    const socket = await connectSocket(server.wsUrl);
    const texts = rawOf(socket);
    socket.subscribe('1', query, { after: cursor });
    const stream = await openRaw(query, { after: cursor });
    const seen = (payloads: readonly string[]): number =>
      payloads.map((text) => JSON.parse(text) as { payload?: { data: never }; data: never }).reduce((sum, message) => sum + eventsOf(message).length, 0);
    await eventually(() => [seen(texts), seen(payloadsOf(stream.text()))]).toEqual([60, 60]);
    for (const text of [...texts, ...payloadsOf(stream.text())]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.feedMessageBytesMax + 100);
    socket.socket.close();
    stream.abort();
  });
});

const eventsOf = (message: { payload?: { data: never }; data: never }): readonly unknown[] =>
  ((message.payload ?? message).data as { jobEvents: { events: readonly unknown[] } }).jobEvents.events;

describe('a reader that takes nothing, among others that ask for the same (B112, B113)', () => {
  const query = 'subscription { jobEvents { ... on JobEventBatch { events { jobId job { payload } } } } }';
  const payloadJson = JSON.stringify({ text: 'x'.repeat(2_500) });
  const jobs = 6_000;

  async function drive(count: () => number): Promise<void> {
    for (let stored = 0; stored < jobs; stored += 500) {
      const requests = Array.from({ length: 500 }, () => submission({ queue: 'flood', payloadJson }));
      await server.store.submit(tenant('default'), CALLER, requests, false);
      server.clock.advance(50);
      await settleDown(2);
    }
    using _ = goOn(server.clock);
    await expect.poll(count, { interval: 10, timeout: 15_000 }).toBe(jobs);
  }

  test('of a socket holds up nobody, and is closed with a reason', async () => {
    const [slow, ...healthy] = await Promise.all(Array.from({ length: 4 }, () => connectSocket(server.wsUrl)));
    if (slow === undefined) throw new Error('no socket');
    for (const socket of [slow, ...healthy]) socket.subscribe('1', query);
    await Promise.all([slow, ...healthy].map((socket) => socket.next()));
    slow.socket.pause();
    const countOf = ({ received }: TestSocket) => received.flatMap(({ payload }) => payload?.data?.jobEvents.events ?? []).length;
    await drive(() => Math.min(...healthy.map(countOf)));
    for (let second = 0; second < 34 && server.app.followers() > 3; second += 1) {
      server.clock.advance(1_000);
      await Promise.all(healthy.map((socket) => socket.echo()));
      await settleDown();
    }
    slow.socket.resume();
    expect([1013, 1006]).toContain((await slow.closed).code);
    await eventually(() => server.app.followers()).toBe(3);
    for (const { socket } of healthy) socket.close();
  });

  test('of an event stream holds up nobody and is ended, also where what waits for it is little', async () => {
    const text = JSON.stringify({ query });
    const stalled = await openConnection(server.url);
    const ended = untilClosed(stalled);
    stalled
      .pause()
      .write(
        `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
    const healthy = await openRaw(query, {});
    await eventually(() => [server.app.followers(), payloadsOf(healthy.text()).length]).toEqual([2, 1]);
    await drive(() => healthy.text().split('"jobId"').length - 1);
    for (let second = 0; second < 34 && server.app.followers() > 1; second += 1) {
      server.clock.advance(1_000);
      await settleDown();
    }
    await eventually(() => server.app.followers()).toBe(1);
    stalled.destroy();
    await ended;
    healthy.abort();
  });
});

test('a crowd that comes back all at once with its cursors gets everything, and shares from then on', async () => {
  const start = (await server.graphql('{ latestEventCursor }')).data.latestEventCursor as string;
  const requests = Array.from({ length: 200 }, () => submission({ queue: 'crowd' }));
  await server.store.submit(tenant('default'), CALLER, requests, false);
  const sockets = await Promise.all(Array.from({ length: 40 }, () => connectSocket(server.wsUrl)));
  sockets.forEach((socket, index) => socket.subscribe('1', EVENTS, { after: start, maxBatch: 50 + (index % 2), filter: { queues: ['crowd'] } }));
  const counts = () => sockets.map(({ received }) => received.flatMap(({ payload }) => payload?.data?.jobEvents.events ?? []).length);
  await eventually(() => counts().every((count) => count === 200)).toBe(true);
  await live();
  await server.submit({ queue: 'crowd' });
  await live();
  await eventually(() => counts().every((count) => count === 201)).toBe(true);
  await live();
  const before = calls.eventsAfter;
  await server.submit({ queue: 'crowd' });
  await live();
  await eventually(() => counts().every((count) => count === 202)).toBe(true);
  expect(calls.eventsAfter - before).toBe(2);
  for (const { socket } of sockets) socket.close();
});
