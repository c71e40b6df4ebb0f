/** Queues by trouble, asked for and followed: what is read for it, however many ask. */
import { describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { connectSocket, type TestSocket } from '../support/sockets.ts';
import { CALLER, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const TENANT = tenant('default');
const ERROR = { type: null, message: 'no', detailsJson: null };
const LIVE = 'subscription ($first: Int = 50) { queues(first: $first, everySeconds: 2) { name stats { ready diedLastHour counts { queued dead } } } }';
const ONE = 'subscription { queue(name: "late", everySeconds: 2) { name stats { ready } } }';
const NAMES = '{ queues(orderBy: TROUBLE) { nodes { name } pageInfo { hasNextPage } } }';

/** Counts the reads that the fields are made of. */
function counting(reads: Record<'troubledQueues' | 'statsOfQueues', number>) {
  return (store: LeaseRepository): LeaseRepository => ({
    ...store,
    troubledQueues: (...given) => {
      reads.troubledQueues += 1;
      return store.troubledQueues(...given);
    },
    statsOfQueues: (...given) => {
      reads.statsOfQueues += 1;
      return store.statsOfQueues(...given);
    },
  });
}

async function killOne(store: LeaseRepository, queue: string): Promise<void> {
  await store.submit(TENANT, CALLER, [submission({ queue, maxAttempts: 1 })], true);
  const claim = { queues: [queue], workerId: 'w', max: 1, leaseSeconds: 60, waitSeconds: 0, tasks: null, requestId: null, completing: [] };
  const { leases } = await store.claim(TENANT, CALLER, claim);
  for (const { job, leaseToken } of leases) await store.fail(TENANT, CALLER, { jobId: job.id, leaseToken, error: ERROR, retry: null });
}

/** In the order of their trouble: a pause, two dead letters, a job that waits, one dead letter, and two queues without any. */
async function trouble({ store, clock }: TestApp): Promise<readonly string[]> {
  for (const queue of ['calm', 'another-calm']) {
    await store.submit(TENANT, CALLER, [submission({ queue, start: { inSeconds: 3_600 } })], true);
  }
  await store.submit(TENANT, CALLER, [submission({ queue: 'waits' }), submission({ queue: 'paused' })], true);
  await store.pauseQueue(TENANT, CALLER, 'paused', null);
  clock.advance(90_000);
  await killOne(store, 'died-once');
  for (let count = 0; count < 2; count++) await killOne(store, 'died-twice');
  return ['paused', 'died-twice', 'waits', 'died-once', 'another-calm', 'calm'];
}

describe('queues by trouble', () => {
  test('come with the worst first, in one page that nothing follows', async () => {
    await using server = await startApp();
    const names = await trouble(server);
    const { data } = await server.graphql(NAMES);
    expect(data.queues.nodes.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(data.queues.pageInfo.hasNextPage).toBe(false);
    const two = await server.graphql('{ queues(orderBy: TROUBLE, first: 2) { nodes { name } } }');
    expect(two.data.queues.nodes).toEqual(names.slice(0, 2).map((name) => ({ name })));
  });

  test('forget dead letters after an hour', async () => {
    await using server = await startApp();
    await trouble(server);
    server.clock.advance(3_800_000);
    while ((await server.store.retain()).hasMore);
    const { data } = await server.graphql(NAMES);
    expect(data.queues.nodes.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['waits', 'paused']);
  });

  test('refuse what is for the order by name, and a page that is too large', async () => {
    await using server = await startApp();
    for (const bad of ['after: "x"', 'namePrefix: "a"', 'first: 201', 'first: 0']) {
      const { errors } = await server.graphql(`{ queues(orderBy: TROUBLE, ${bad}) { nodes { name } } }`);
      expect(errors[0]?.extensions['code'], bad).toBe('BAD_USER_INPUT');
    }
  });

  test('read the figures of a whole page at once', async () => {
    const reads = { troubledQueues: 0, statsOfQueues: 0 };
    await using server = await startApp({ spoil: counting(reads) });
    await trouble(server);
    for (const list of ['queues(orderBy: TROUBLE)', 'queues']) {
      const { data } = await server.graphql(`{ ${list} { nodes { name stats { ready diedLastHour } } } }`);
      expect(data.queues.nodes).toContainEqual({ name: 'died-twice', stats: { ready: 0, diedLastHour: 2 } });
    }
    expect(reads).toEqual({ troubledQueues: 1, statsOfQueues: 2 });
  });
});

describe('a list by name', () => {
  test('is searched by how names begin, page by page', async () => {
    await using server = await startApp();
    await server.store.submit(
      TENANT,
      CALLER,
      ['mail', 'mail.eu', 'mail:us', 'mai', 'mailer', 'Mail', 'nail'].map((queue) => submission({ queue })),
      true,
    );
    const names: string[] = [];
    let after: string | null = null;
    do {
      const query = 'query ($after: String) { queues(namePrefix: "mail", first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }';
      const { data } = await server.graphql(query, { after });
      names.push(...data.queues.nodes.map(({ name }: { name: string }) => name));
      after = data.queues.pageInfo.hasNextPage ? data.queues.pageInfo.endCursor : null;
    } while (after !== null);
    expect(names).toEqual(['mail', 'mail.eu', 'mail:us', 'mailer']);
    expect((await server.graphql('{ queues(namePrefix: "") { nodes { name } } }')).data.queues.nodes).toHaveLength(7);
    expect((await server.graphql('{ queues(namePrefix: "%") { nodes { name } } }')).errors[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });
});

describe('whoever follows', () => {
  test('the queues is told at once, then of changes, for one look however many there are', async () => {
    const reads = { troubledQueues: 0, statsOfQueues: 0 };
    await using server = await startApp({ spoil: counting(reads) });
    await trouble(server);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connectSocket(server.wsUrl)));
    const nextOfAll = () => Promise.all(sockets.map((socket) => socket.nextOf('live')));
    for (const socket of sockets) socket.subscribe('live', LIVE);
    for (const { payload } of await nextOfAll()) expect(payload.data.queues[0]).toMatchObject({ name: 'paused', stats: { counts: { queued: 1 } } });
    await Promise.all(sockets.map((socket) => socket.echo()));
    const before = { ...reads };
    await server.store.submit(TENANT, CALLER, [submission({ queue: 'paused' })], true);
    server.clock.advance(2_000);
    for (const { payload } of await nextOfAll()) expect(payload.data.queues[0]).toMatchObject({ name: 'paused', stats: { counts: { queued: 2 } } });
    expect(reads).toEqual({ troubledQueues: before.troubledQueues + 1, statsOfQueues: before.statsOfQueues + 1 });
    for (const { socket } of sockets) socket.close();
  });

  test('one queue is told when it comes into being, and of nothing that is not its own', async () => {
    await using server = await startApp();
    const socket: TestSocket = await connectSocket(server.wsUrl);
    socket.subscribe('one', ONE);
    expect((await socket.nextOf('one')).payload).toEqual({ data: { queue: null } });
    await server.store.submit(TENANT, CALLER, [submission({ queue: 'other' })], true);
    server.clock.advance(2_000);
    await socket.echo();
    await server.store.submit(TENANT, CALLER, [submission({ queue: 'late', start: { inSeconds: 3_600 } })], true);
    server.clock.advance(2_000);
    expect((await socket.nextOf('one')).payload).toEqual({ data: { queue: { name: 'late', stats: { ready: 0 } } } });
    socket.socket.close();
  });

  test('is refused for a bad argument', async () => {
    await using server = await startApp();
    const socket = await connectSocket(server.wsUrl);
    socket.subscribe('live', LIVE, { first: 500 });
    expect((await socket.nextOf('live')).type).toBe('error');
    socket.socket.close();
  });
});
