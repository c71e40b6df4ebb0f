import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { goOn } from '../support/manual-clock.ts';
import { openEventStream } from '../support/event-stream.ts';
import { openConnection, untilClosed } from '../support/raw-http.ts';
import { EVENTS } from '../support/sockets.ts';
import { CALLER, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.app.stop());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is in use once everything that nobody holds is gone. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  return process.memoryUsage();
}

const eventually = (value: () => number) => expect.poll(value, { interval: 10, timeout: 3_000 });
const request = (body: object): string => {
  const text = JSON.stringify(body);
  return `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

describe('an event stream', () => {
  test('replays and goes on live, and is counted', async () => {
    await server.submit({ queue: 'before' });
    const cursor = (await server.graphql('{ latestEventCursor }')).data.latestEventCursor as string;
    const first = await server.submit({ queue: 'sse' });
    const stream = await openEventStream(server.url, EVENTS, { after: cursor, filter: { queues: ['sse'] } });
    expect(stream.status).toBe(200);
    expect(await stream.next()).toMatchObject({ data: { jobEvents: { caughtUp: true, events: [{ jobId: first }] } } });
    expect(await server.metric('leasequeue_subscribers{transport="sse"}')).toBe(1);
    const second = await server.submit({ queue: 'sse' });
    server.clock.advance(50);
    expect(await stream.next()).toMatchObject({ data: { jobEvents: { events: [{ jobId: second }] } } });
    stream.abort();
    await eventually(() => server.app.followers()).toBe(0);
  });

  test('is open to GET', async () => {
    const response = await fetch(`${server.url}/graphql?${new URLSearchParams({ query: EVENTS })}`, { headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await response.body?.cancel();
    await eventually(() => server.app.followers()).toBe(0);
  });

  test.each([
    ['a broken document', 'subscription {', {}, 'GRAPHQL_PARSE_FAILED'],
    ['a wrong value', EVENTS, { maxBatch: 0 }, 'BAD_USER_INPUT'],
    ['a bad cursor', EVENTS, { after: 'x' }, 'INVALID_CURSOR'],
    ['too many tokens', `subscription { ${'jobEvents '.repeat(2_000)} }`, {}, 'OPERATION_TOO_COMPLEX'],
  ])('with %s is answered with the code, and ends', async (_name, query, variables, code) => {
    const stream = await openEventStream(server.url, query, variables);
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(await stream.next()).toBeNull();
    expect(stream.isComplete).toBe(true);
  });

  test('leaves nothing behind, whenever its client goes away (B110)', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const text = request({ query: EVENTS });
    const round = async (moment: number): Promise<void> => {
      const socket = await openConnection(server.url);
      const closed = untilClosed(socket);
      socket.write(text);
      if (moment > 0) await new Promise((resolve) => socket.once('data', resolve));
      if (moment === 2) {
        void server.store.submit(tenant('default'), CALLER, [submission({ queue: 'b110' })], false);
        server.clock.advance(50);
      }
      socket.destroy();
      await closed;
    };
    const measure = async (): Promise<number> => {
      await eventually(() => server.app.followers()).toBe(0);
      return (await settledMemory()).heapUsed;
    };
    for (let index = 0; index < 60; index += 1) await round(index % 3);
    const before = await measure();
    for (let index = 0; index < 1_000; index += 1) await round(index % 3);
    const grown = (await measure()) - before;
    expect(grown).toBeLessThan(3 * 1024 * 1024);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
    expect(server.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});

describe('a reader that takes nothing (B112, B113)', () => {
  test('is ended after a while, costs little, and the healthy one loses nothing', async () => {
    const jobs = 10_000;
    const heavy = 'subscription { jobEvents(maxBatch: 100) { ... on JobEventBatch { events { job { id payload } } } } }';
    const owner = tenant('crowd');
    const named = { 'x-leasequeue-tenant': 'crowd' };
    const text = request({ query: heavy }).replace('\r\n\r\n', '\r\nx-leasequeue-tenant: crowd\r\n\r\n');
    const stalled = await Promise.all(Array.from({ length: 20 }, () => openConnection(server.url)));
    const ends = stalled.map((socket) => untilClosed(socket));
    for (const socket of stalled) socket.pause().write(text);
    const healthy = await openEventStream(server.url, EVENTS, { maxBatch: 1_000 }, named);
    await healthy.next();
    await eventually(() => server.app.followers()).toBe(21);
    const before = await settledMemory();

    const payloadJson = JSON.stringify({ text: 'x'.repeat(2_000) });
    let seen = 0;
    const reading = (async () => {
      while (seen < jobs) {
        const message = (await healthy.next()) as { data: { jobEvents: { events: unknown[] } } };
        seen += message.data.jobEvents.events.length;
      }
    })();
    for (let stored = 0; stored < jobs; stored += 500) {
      const outcomes = await server.store.submit(
        owner,
        CALLER,
        Array.from({ length: 500 }, () => submission({ payloadJson })),
        false,
      );
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      server.clock.advance(60);
    }
    const driving = goOn(server.clock);
    await reading;
    driving[Symbol.dispose]();
    expect(seen).toBe(jobs);
    const after = await settledMemory();
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(64 * 1024 * 1024);

    for (let second = 0; second < 32 && server.app.followers() > 1; second += 1) {
      server.clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await eventually(() => server.app.followers()).toBe(1);
    expect(server.logs.filter(({ message }) => message.includes('took nothing')).reduce((sum, { count }) => sum + Number(count), 0)).toBe(20);
    for (const socket of stalled) socket.destroy();
    await Promise.all(ends);
    healthy.abort();
    await eventually(() => server.app.followers()).toBe(0);
  });
});
