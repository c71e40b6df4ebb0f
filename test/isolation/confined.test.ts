/** The same calls by keys that are restricted to queues, with handles of their own tenant's other queues. */
import { expect, test } from 'vitest';
import { createTestKey } from '../support/keys.ts';
import { connectSocket, EVENTS } from '../support/sockets.ts';
import { claimOf, submission } from '../support/store.ts';
import { NOBODY, tenant } from '../support/tenants.ts';
import { compareAll } from './compare.ts';
import type { Own } from './generators.ts';
import { CANARY, cursorsOf, type Handles, namesWith, populate } from './handles.ts';
import { WAYS } from './ways.ts';
import { ASKING, openWorld, restrictedAskers, rowsOf, type World } from './world.ts';

const OTHER = namesWith(CANARY);
const OWN = namesWith('own');
const OWNER = tenant(ASKING);

async function fill({ store }: World): Promise<{ readonly other: Handles; readonly own: Own }> {
  const key = await createTestKey(store, { tenant: ASKING, name: OTHER.keyName });
  const theirs = await populate(store, ASKING, CANARY);
  const mine = await populate(store, ASKING, 'own');
  const cursors = await cursorsOf(store, { owner: ASKING, asking: ASKING }, OTHER, theirs.jobs.completed);
  return { other: { ...OTHER, ...theirs, ...cursors, keyId: key.id }, own: { tenantId: ASKING, queue: OWN.queue, jobId: mine.jobs.completed } };
}

/** What concerns jobs that were there, and the other queues; a worker is what anybody calls it. */
const isKept = (row: string): boolean =>
  /^(jobs|job_tags|attempts|events|dead_groups|dead_group_activity) /.test(row) || (/^queue/.test(row) && row.includes(CANARY));

test('a job of another queue is answered byte for byte as none, and nothing of another queue is told or changed', { timeout: 120_000 }, async () => {
  await using world = await openWorld();
  const { other, own } = await fill(world);
  const before = (await rowsOf(world.engine, ASKING)).filter(isKept);
  expect(before.filter((row) => row.includes(CANARY)).length).toBeGreaterThan(20);

  const { faults } = await compareAll(world, await restrictedAskers(world.store, [OWN.queue]), other, own);

  expect(faults).toEqual([]);
  const after = new Set(await rowsOf(world.engine, ASKING));
  expect(before.filter((row) => !after.has(row))).toEqual([]);
});

const ask = async (world: World, key: string, document: string, variables: object = {}) => {
  const answer = await WAYS['HTTP, the short way'](world, { document, variables, key });
  return JSON.parse(answer.slice(answer.indexOf('\n') + 1));
};

test('lists, counts, figures, workers and events are those of its own queues alone', async () => {
  await using world = await openWorld();
  const { own } = await fill(world);
  const [all] = await restrictedAskers(world.store, [OWN.queue, 'not-there-yet']);
  const { data } = await ask(
    world,
    all?.key ?? '',
    `{
      jobs(first: 100) { nodes { queueName } count { value } pageInfo { hasNextPage hasPreviousPage } }
      queues { nodes { name } pageInfo { hasNextPage } }
      deadLetterGroups { nodes { queueName count } pageInfo { hasNextPage } }
      stats { counts { queued running retry completed dead cancelled } workers throughput { submittedPerSecond } }
      workers { id queues runningJobs }
      jobEvents { nodes { queueName } hasMore gap { reason } }
      queue(name: "${OWN.queue}") { stats { counts { queued } diedLastHour } }
      troubled: queues(orderBy: TROUBLE) { nodes { name } }
      prefixed: queues(namePrefix: "${OTHER.queue.slice(0, 3)}") { nodes { name } }
      series { points { submitted } }
      otherSeries: series(queue: "${OTHER.queue}") { stepSeconds }
      other: queue(name: "${OTHER.queue}") { name }
      none: queue(name: "nobody-queue") { name }
    }`,
  );
  expect(data).toMatchObject({
    jobs: { count: { value: 7 }, pageInfo: { hasNextPage: false, hasPreviousPage: false } },
    deadLetterGroups: { nodes: [{ queueName: OWN.queue, count: 1 }], pageInfo: { hasNextPage: false } },
    queues: { nodes: [{ name: OWN.queue }], pageInfo: { hasNextPage: false } },
    stats: { counts: { queued: 2, running: 1, retry: 1, completed: 1, dead: 1, cancelled: 1 }, workers: 1, throughput: { submittedPerSecond: 7 / 60 } },
    workers: [{ id: OWN.workerId, queues: [OWN.queue], runningJobs: 1 }],
    jobEvents: { hasMore: false, gap: null },
    queue: { stats: { counts: { queued: 2 }, diedLastHour: 1 } },
    troubled: { nodes: [{ name: OWN.queue }] },
    prefixed: { nodes: [] },
    otherSeries: null,
    other: null,
    none: null,
  });
  expect(data.series.points.reduce((sum: number, { submitted }: { submitted: number }) => sum + submitted, 0)).toBe(7);
  const figures = await WAYS['event stream'](world, { document: 'subscription { stats { workers counts { queued } } }', variables: {}, key: all?.key ?? '' });
  expect(figures).toContain('{"data":{"stats":{"workers":1,"counts":{"queued":2}}}}');
  expect(new Set([...data.jobs.nodes, ...data.jobEvents.nodes].map(({ queueName }) => queueName))).toEqual(new Set([own.queue]));
});

test('a command that names another queue is forbidden, whether or not there is one', async () => {
  await using world = await openWorld();
  await fill(world);
  const key = (await restrictedAskers(world.store, [OWN.queue])).at(-1)?.key ?? '';
  const commands = (queue: string): readonly string[] => [
    `submitJob(input: {queue: "${queue}", task: "t"}) { __typename }`,
    `submitJobs(input: {jobs: [{queue: "${OWN.queue}", task: "t"}, {queue: "${queue}", task: "t"}]}) { stored }`,
    `claimJobs(input: {queues: ["${OWN.queue}", "${queue}"], workerId: "w"}) { idle }`,
    `configureQueue(input: {name: "${queue}"}) { __typename }`,
    `pauseQueue(input: {name: "${queue}"}) { __typename }`,
    `resumeQueue(input: {name: "${queue}"}) { __typename }`,
  ];
  const before = await rowsOf(world.engine, ASKING);
  for (const queue of [OTHER.queue, 'nobody-queue']) {
    for (const command of commands(queue)) {
      const { errors } = await ask(world, key, `mutation { ${command} }`);
      expect(errors, command).toEqual([expect.objectContaining({ extensions: { code: 'FORBIDDEN' } })]);
      expect(errors[0].message, command).not.toContain(queue);
    }
  }
  expect(await rowsOf(world.engine, ASKING)).toEqual(before);
});

test('a claim with the worker and the request id of a claim of another queue gets none of its leases', async () => {
  await using world = await openWorld();
  const { store } = world;
  const { other } = await fill(world);
  const key = (await restrictedAskers(store, [OWN.queue])).at(-1)?.key ?? '';
  const input = { queues: [OWN.queue], workerId: OTHER.workerId, requestId: `${OTHER.requestId}-running`, tasks: ['none'] };
  const { data } = await ask(world, key, 'mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { leaseToken job { id } } idle } }', {
    input,
  });
  expect(data.claimJobs).toEqual({ leases: [], idle: 'NO_READY_JOB' });
  const { results } = await store.heartbeat(OWNER, NOBODY, [{ ...other.tokens.live, extendSeconds: null, progress: null }]);
  expect(results).toMatchObject([{ ok: true }]);
});

test('a worker that only holds a job of another queue is as one that was not seen', async () => {
  await using world = await openWorld();
  const { store, clock } = world;
  const wide = claimOf({ queues: [OWN.queue, OTHER.queue], workerId: 'both', leaseSeconds: 3_600 });
  await store.submit(OWNER, NOBODY, [submission({ queue: OTHER.queue })], false);
  expect((await store.claim(OWNER, NOBODY, wide)).leases).toHaveLength(1);
  const [reader] = await restrictedAskers(store, [OWN.queue]);
  const seen = async () => (await ask(world, reader?.key ?? '', '{ workers(seenWithinSeconds: 60) { id runningJobs } stats { workers } }')).data;
  expect(await seen()).toEqual({ workers: [{ id: 'both', runningJobs: 0 }], stats: { workers: 1 } });
  clock.advance(600_000);
  expect(await seen()).toEqual({ workers: [], stats: { workers: 0 } });
});

test('what a tenant uses in all its queues is for administrators to see', async () => {
  await using world = await openWorld();
  await fill(world);
  const key = (await restrictedAskers(world.store, [OWN.queue])).at(-1)?.key ?? '';
  const { errors } = await ask(world, key, '{ viewer { tenant { usage { waitingJobs } } } }');
  expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'FORBIDDEN', field: 'Tenant.usage', scopes: ['ADMIN', 'SYSTEM'] } })]);
});

test('a feed of its own queues is told nothing of another queue', async () => {
  await using world = await openWorld();
  const { store, clock } = world;
  const [reader] = await restrictedAskers(store, [OWN.queue]);
  const feed = await connectSocket(`${world.url.replace('http', 'ws')}/graphql`, { authorization: `Bearer ${reader?.key}` });
  feed.subscribe('feed', EVENTS);
  await feed.nextOf('feed');
  const submit = async (queue: string): Promise<void> => void (await store.submit(OWNER, NOBODY, [submission({ queue })], false));
  await submit(OTHER.queue);
  await submit(OWN.queue);
  clock.advance(1_000);
  const { payload } = await feed.nextOf('feed');
  expect(payload.data.jobEvents.events).toHaveLength(1);
  const [{ jobId }] = payload.data.jobEvents.events;
  expect((await store.jobById(OWNER, jobId))?.queue).toBe(OWN.queue);
  feed.socket.terminate();
});
