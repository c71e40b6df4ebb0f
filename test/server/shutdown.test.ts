import { createClient } from 'graphql-ws';
import { Agent, get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { startApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { openConnection, untilClosed } from '../support/raw-http.ts';
import { connectSocket, EVENTS, refusedHandshake } from '../support/sockets.ts';

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const CLAIM = 'mutation { claimJobs(input: {queues: ["empty"], workerId: "w", waitSeconds: 30}) { idle leases { leaseToken } } }';

function idleConnection(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/health/live`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });
}

describe('the stop of a server (B124)', () => {
  test('answers what runs, tells followers to come back, closes the database last, and is quick', async () => {
    const held = Promise.withResolvers<void>();
    const order: string[] = [];
    const spoil = (store: LeaseRepository): LeaseRepository =>
      new Proxy(store, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (name === 'cancel') {
            return async (...given: Parameters<LeaseRepository['cancel']>) => {
              await held.promise;
              const outcome = await target.cancel(...given);
              order.push('mutation');
              return outcome;
            };
          }
          if (name !== 'close') return member;
          return async () => {
            order.push('close');
            await target.close();
          };
        },
      });
    const server = await startApp({ spoil });
    const id = await server.submit();
    const sockets = await Promise.all(Array.from({ length: 10 }, () => connectSocket(server.wsUrl)));
    for (const socket of sockets) socket.subscribe('1', EVENTS);
    await Promise.all(sockets.map((socket) => socket.next()));
    const streams = await Promise.all(Array.from({ length: 10 }, () => openEventStream(server.url, EVENTS)));
    await Promise.all(streams.map((stream) => stream.next()));
    const agent = new Agent({ keepAlive: true });
    await Promise.all(Array.from({ length: 10 }, () => idleConnection(server.url, agent)));
    const claim = server.graphql(CLAIM);
    const mutation = server.graphql('mutation ($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id });
    await aMoment();

    const startedAt = performance.now();
    const stopped = server.app.stop();
    await aMoment();
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed');
    expect((await claim).data.claimJobs).toEqual({ idle: 'SHUTTING_DOWN', leases: [] });
    expect((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code)).toEqual(sockets.map(() => 1001));
    expect(sockets.flatMap(({ received }) => received).some(({ type }) => type === 'complete')).toBe(false);
    expect(await Promise.all(streams.map((stream) => stream.next()))).toEqual(streams.map(() => null));
    expect(streams.some(({ isComplete }) => isComplete)).toBe(false);
    expect(order).toEqual([]);
    held.resolve();
    expect((await mutation).data.cancelJob).toEqual({ __typename: 'CancelJobSuccess' });
    await Promise.all([stopped, server.app.stop()]);
    expect(order).toEqual(['mutation', 'close']);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(server.app.followers()).toBe(0);
    expect(server.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    agent.destroy();
  });

  test('lets the client library come back to the next server on the port and lose nothing', async () => {
    const server = await startApp();
    await server.submit({ queue: 'before' });
    const client = createClient({
      url: server.wsUrl,
      webSocketImpl: WebSocket,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: () => aMoment(),
      // By itself it takes a refused connection, as there are some between two servers, for the end.
      shouldRetry: () => true,
    });
    const events = client.iterate<{ jobEvents: { caughtUp: boolean } }>({ query: EVENTS });
    await events.next();
    await server.app.stop();
    await using second = await startApp({ config: { port: server.app.port } });
    const next = await events.next();
    expect(next.value?.data?.jobEvents.caughtUp).toBe(true);
    await client.dispose();
    expect(second.app.port).toBe(server.app.port);
  });

  test('ends connections that have asked for nothing, such as clients open ahead of need', async () => {
    const server = await startApp();
    const unused = await openConnection(server.url);
    const closed = untilClosed(unused);
    const startMs = performance.now();
    await server.app.stop();
    await closed;
    // Otherwise it takes the five seconds that running requests have.
    expect(performance.now() - startMs).toBeLessThan(2_500);
  });

  test('is not held up by a client that never ends its request', async () => {
    const server = await startApp({
      spoil: (store) => new Proxy(store, { get: (target, name) => (name === 'stats' ? () => new Promise(() => {}) : Reflect.get(target, name, target)) }),
    });
    const never = server.graphql('{ stats { ready } }').catch(() => 'cut off');
    await aMoment();
    const startedAt = performance.now();
    await server.app.stop();
    expect(await never).toBe('cut off');
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});

describe('a server that may not go on', () => {
  test('is not ready, refuses operations and sockets, and stays alive', async () => {
    await using server = await startApp();
    server.app.closeFor('the database failed');
    const ready = await fetch(`${server.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', reason: 'the database failed' }]);
    const answer = await server.graphql('{ __typename }');
    expect([answer.status, answer.errors[0]?.extensions['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await refusedHandshake(server.wsUrl)).status).toBe(503);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  });
});
