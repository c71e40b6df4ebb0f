/** The same names in two tenants never meet: what is done by a name in the one is nothing in the other, where it works as well. */
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/access.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { createTestKey } from '../support/keys.ts';
import { connectSocket, EVENTS } from '../support/sockets.ts';
import { ALICE, BOB, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';
import { NOBODY } from '../support/tenants.ts';
import { WAYS } from './ways.ts';
import { openWorld, rowsOf } from './world.ts';

const FILTER = { queues: ['q'], tags: [{ key: 'k', value: 'v' }] };
const TAGS = FILTER.tags;
const PAGE = { after: null, before: null, limit: 100, fromEnd: false };

const redriveAll = (store: LeaseRepository) =>
  store.bulk(ALICE, NOBODY, { target: { filter: FILTER }, action: { name: 'redrive', start: null }, limit: 1_000, dryRun: false });

test('an idempotency key stands for one job in each tenant', async () => {
  const { store } = await openTestStore();
  const submit = (tenant: typeof ALICE, task: string) => store.submit(tenant, NOBODY, [submission({ idempotencyKey: 'once', task })], false);
  const [[alices], [bobs]] = [await submit(ALICE, 'one'), await submit(BOB, 'two')];
  expect([alices, bobs]).toMatchObject([
    { ok: true, value: { deduplicated: false } },
    { ok: true, value: { deduplicated: false } },
  ]);
  expect(await submit(BOB, 'two')).toMatchObject([{ value: { deduplicated: true, job: { task: 'two' } } }]);
  expect(await submit(ALICE, 'two')).toMatchObject([{ failure: { code: 'IDEMPOTENCY_CONFLICT', existingJob: { task: 'one' } } }]);
  expect((await store.jobByIdempotencyKey(BOB, 'q', 'once'))?.task).toBe('two');
  await store.close();
});

test('queues, lists, counts, figures, workers and the log are of one tenant', async () => {
  const { store, engine } = await openTestStore();
  await submitOne(store, BOB, { tags: TAGS, concurrencyKey: 'c' });
  await claimOne(store, BOB, { workerId: 'w', requestId: 'r' });
  const [bobsRows, bobsPlace] = [await rowsOf(engine, BOB), await store.latestPosition(BOB)];

  for (let index = 0; index < 3; index++) await submitOne(store, ALICE, { tags: TAGS, concurrencyKey: 'c' });
  const { job } = await claimOne(store, ALICE, { workerId: 'w', requestId: 'r' });
  await store.configureQueue(ALICE, NOBODY, { name: 'q', expectedVersion: null, defaults: { priority: 9 }, retention: {} });
  await store.pauseQueue(ALICE, NOBODY, 'q', 'a break');

  expect(await rowsOf(engine, BOB)).toEqual(bobsRows);
  expect(await store.latestPosition(BOB)).toEqual(bobsPlace);
  expect((await store.jobs(ALICE, { concurrencyKeys: ['c'] }, 'newest_first', PAGE)).rows).toHaveLength(3);
  expect(await store.countJobs(ALICE, FILTER)).toEqual({ value: 3, exact: true });
  expect(await store.stats(ALICE)).toMatchObject({ counts: { queued: 2, running: 1 }, workers: 1, throughput: { submitted: 3 / 60, claimed: 1 / 60 } });
  expect(await store.workers(ALICE, 0)).toMatchObject([{ id: 'w', runningJobs: 1 }]);
  expect((await store.eventsAfter(ALICE, null, {}, 100)).events).toHaveLength(4);
  expect(await store.usage(BOB)).toMatchObject({ waitingJobs: 0, queues: 1 });
  // A repeated claim finds the lease of its own tenant, though worker and request have the same names in both.
  expect((await claimOne(store, ALICE, { workerId: 'w', requestId: 'r' })).job.id).toBe(job.id);
  expect((await store.queue(BOB, 'q'))?.pausedAtMs).toBeNull();
  await store.close();
});

test('a change to many jobs by names changes those of one tenant, and counts no others', async () => {
  const { store, engine } = await openTestStore();
  for (const tenant of [ALICE, BOB, BOB, ALICE, ALICE]) {
    await submitOne(store, tenant, { tags: TAGS, maxAttempts: 1 });
    const lease = await claimOne(store, tenant);
    await store.fail(tenant, NOBODY, { jobId: lease.job.id, leaseToken: lease.leaseToken, error: { type: null, message: '', detailsJson: null }, retry: null });
  }
  const bobs = await rowsOf(engine, BOB);
  expect(await redriveAll(store)).toEqual({ matched: { value: 3, exact: true }, changed: 3, skipped: 0, hasMore: false, samples: [] });
  expect(await rowsOf(engine, BOB)).toEqual(bobs);
  await store.close();
});

test('the flood of one tenant costs the claim of another one nothing, not a single statement', async () => {
  const effort = async (flood: number): Promise<number> => {
    const statements: string[] = [];
    const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
    for (let left = flood; left > 0; left -= 500) {
      await store.submit(
        ALICE,
        NOBODY,
        Array.from({ length: 500 }, () => submission({ priority: 100 })),
        false,
      );
    }
    const mine = await submitOne(store, BOB);
    const before = statements.length;
    expect((await claimOne(store, BOB)).job.id).toBe(mine);
    const after = statements.length;
    await store.close();
    return after - before;
  };
  expect(await effort(5_000)).toBe(await effort(0));
});

test('waiting claims and feeds of one queue name hear of their own tenant', async () => {
  await using world = await openWorld();
  const { store, clock } = world;
  const keys = [await createTestKey(store, { tenant: ALICE }), await createTestKey(store, { tenant: BOB })];
  const open = async ({ text }: { readonly text: string }) => {
    const socket = await connectSocket(`${world.url.replace('http', 'ws')}/graphql`, { authorization: `Bearer ${text}` });
    socket.subscribe('feed', EVENTS, { filter: { queues: ['q'] } });
    await socket.nextOf('feed');
    return socket;
  };
  const feeds = await Promise.all(keys.map(open));
  const claimed: Record<string, string> = {};
  const waits = [ALICE, BOB].map(async (tenant) => {
    const { leases } = await store.claim(tenant, NOBODY, claimOf({ waitSeconds: 30 }));
    claimed[tenant] = leases[0]?.job.id ?? '';
  });
  await Promise.all(feeds.map((feed) => feed.echo()));

  const alices = await submitOne(store, ALICE);
  await waits[0];
  expect(claimed).toEqual({ [ALICE]: alices });
  const bobs = await submitOne(store, BOB);
  await waits[1];
  expect(claimed).toEqual({ [ALICE]: alices, [BOB]: bobs });

  clock.advance(1_000);
  for (const [feed, id] of [
    [feeds[0], alices],
    [feeds[1], bobs],
  ] as const) {
    const heard = new Set<string>();
    while (heard.size === 0) for (const { jobId } of (await feed?.nextOf('feed'))?.payload.data.jobEvents.events ?? []) heard.add(jobId);
    expect([...heard]).toEqual([id]);
    feed?.socket.terminate();
  }
});

test('a tenant at its quotas and past its rates keeps nobody else out', async () => {
  await using world = await openWorld();
  const { store } = world;
  const [{ text: alice }, { text: bob }] = [await createTestKey(store, { tenant: ALICE }), await createTestKey(store, { tenant: BOB })];
  await store.updateTenant(ALICE, { quotas: { maxWaitingJobs: 0, maxQueues: 0, requestsPerSecond: 1, maxFeeds: 0, maxSockets: 0 } }, 'system');
  const submit = (key: string) =>
    WAYS['HTTP, the short way'](world, { key, variables: {}, document: 'mutation { submitJob(input: {task: "t"}) { __typename } }' });
  for (let attempt = 0; attempt < 3; attempt++) expect(await submit(bob)).toContain('SubmitJobSuccess');
  await submit(alice);
  expect(await submit(alice)).toContain('RATE_LIMITED');
  expect(await submit(bob)).toContain('SubmitJobSuccess');
  expect(await WAYS.WebSocket(world, { key: bob, variables: {}, document: 'subscription { stats { ready } }' })).toContain('"next"');
});

test('the metrics page names no tenant, and only a SYSTEM key sees it', async () => {
  await using world = await openWorld();
  const { store, url } = world;
  await submitOne(store, BOB);
  const page = async (scopes: typeof SCOPES | readonly ['ADMIN', 'OPERATE', 'READ']) => {
    const { headers } = await createTestKey(store, { tenant: ALICE, scopes });
    const response = await fetch(`${url}/metrics`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const shown = await page(SCOPES);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('leasequeue_jobs{queue="q"');
  expect(shown.text).not.toMatch(/tenant="|bob|alice/);
  const refused = await page(['ADMIN', 'OPERATE', 'READ']);
  expect(refused.status).toBe(403);
  expect(refused.text).not.toContain('leasequeue_');
});

test('a page cursor of another tenant is no cursor, rather than the first page', async () => {
  await using world = await openWorld();
  const { store } = world;
  const keys = [await createTestKey(store, { tenant: ALICE }), await createTestKey(store, { tenant: BOB })];
  for (const tenant of [ALICE, BOB]) await submitOne(store, tenant);
  const ask = async (key: string, document: string): Promise<string> => WAYS['HTTP, the short way'](world, { key, variables: {}, document });
  const [alice = '', bob = ''] = keys.map(({ text }) => text);
  for (const order of ['NEWEST_FIRST', 'OLDEST_FIRST', 'NEXT_TO_RUN']) {
    const [, cursor] = /"endCursor":"([^"]+)"/.exec(await ask(bob, `{ jobs(orderBy: ${order}) { pageInfo { endCursor } } }`)) ?? [];
    const from = (key: string): Promise<string> => ask(key, `{ jobs(orderBy: ${order}, after: "${cursor}") { nodes { id } } }`);
    expect(await from(bob)).toContain('{"data":{"jobs":{"nodes":[]}}}');
    expect(await from(alice)).toContain('"code":"INVALID_CURSOR"');
  }
});
