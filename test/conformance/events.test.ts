/** Reading the event log: everything once, in order, from any place, and never a silent gap. */
import { describe, expect, test } from 'vitest';
import { type EventFilter, type JobEvent, replay } from '../../src/domain/events.ts';
import type { TenantId } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { LogPosition } from '../../src/store/requests.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';
import { settleDown, watch } from '../support/turns.ts';

const BOOM = { type: null, message: 'boom', detailsJson: null };
const EVERY_JOB = { after: null, before: null, limit: 1_000, fromEnd: false };

/** Everything after a place, page by page; a gap ends the test. */
async function readOn(
  store: LeaseRepository,
  after: LogPosition | null,
  filter: EventFilter = {},
  limit = 7,
  owner: TenantId = ALICE,
): Promise<{ events: readonly JobEvent[]; position: LogPosition }> {
  const events: JobEvent[] = [];
  for (let from = after; ; ) {
    const page = await store.eventsAfter(owner, from, filter, limit);
    expect(page.gap).toBeNull();
    expect(page.events.length).toBeLessThanOrEqual(limit);
    events.push(...page.events);
    from = page.position;
    if (!page.hasMore) return { events, position: from };
  }
}

/** A job that went through a claim and ended. */
async function completedJob(store: LeaseRepository, owner: TenantId = ALICE): Promise<string> {
  const jobId = await submitOne(store, owner);
  const { leaseToken } = await claimOne(store, owner);
  await store.complete(owner, CALLER, [{ jobId, leaseToken, resultJson: null }]);
  return jobId;
}

function purge(store: LeaseRepository, ...ids: readonly string[]): Promise<unknown> {
  return store.bulk(ALICE, CALLER, { target: { ids }, action: { name: 'purge' }, limit: 100, dryRun: false });
}

describe('the log of a tenant', () => {
  test('is empty before anything has happened, and reading it gives a place to go on from', async () => {
    const { store } = await openTestStore();
    const page = await store.eventsAfter(ALICE, null, {}, 10);
    expect(page).toMatchObject({ events: [], gap: null, hasMore: false });
    expect(page.position).toEqual(await store.latestPosition(ALICE));
    const id = await submitOne(store, ALICE);
    expect((await readOn(store, page.position)).events.map(({ jobId }) => jobId)).toEqual([id]);
  });

  test('is read whole and in order, whatever the size of the pages', async () => {
    const { store } = await openTestStore();
    for (let index = 0; index < 12; index++) await completedJob(store);
    const { events: whole } = await readOn(store, null, {}, 1_000);
    expect(whole).toHaveLength(36);
    expect(whole.map(({ seq }) => seq)).toEqual(whole.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(new Set(whole.map(({ seq }) => seq)).size).toBe(36);
    for (const limit of [1, 2, 5, 12, 35, 36, 37]) expect((await readOn(store, null, {}, limit)).events).toEqual(whole);
  });

  test('tells at the exact end of a page that there is no more', async () => {
    const { store } = await openTestStore();
    await completedJob(store);
    expect(await store.eventsAfter(ALICE, null, {}, 3)).toMatchObject({ hasMore: false });
    expect(await store.eventsAfter(ALICE, null, {}, 2)).toMatchObject({ hasMore: true });
  });

  test('says who, what, when and by whom', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(ALICE, { actor: 'producer-key' }, [submission({ queue: 'mail', task: 'send', priority: 4 })], false);
    clock.advance(1_500);
    await claimOne(store, ALICE, { queues: ['mail'], workerId: 'w9', leaseSeconds: 30 });
    const [submitted, claimed] = (await readOn(store, null)).events;
    expect(submitted).toMatchObject({
      kind: 'SUBMITTED',
      queue: 'mail',
      task: 'send',
      fromState: null,
      toState: 'queued',
      attempt: 0,
      fence: 0,
      workerId: null,
      actor: 'producer-key',
    });
    expect(submitted?.detail).toEqual({ runAtMs: Date.UTC(2026, 2, 1), priority: 4, maxAttempts: 3 });
    expect(claimed).toMatchObject({ kind: 'CLAIMED', fromState: 'queued', toState: 'running', attempt: 1, fence: 1, workerId: 'w9', actor: null });
    expect(claimed?.atMs).toBe(clock.nowMs());
    expect(claimed?.detail).toEqual({ leaseExpiresAtMs: Date.UTC(2026, 2, 1) + 31_500 });
  });

  test('tells a lapse as the server’s own doing, whoever noticed it', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE);
    await claimOne(store, ALICE, { leaseSeconds: 5 });
    clock.advance(5_000);
    await store.claim(ALICE, { actor: 'worker-key' }, claimOf());
    const { events } = await readOn(store, null);
    expect(events.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['SUBMITTED', null],
      ['CLAIMED', null],
      ['LEASE_EXPIRED', null],
      ['CLAIMED', 'worker-key'],
    ]);
  });

  test('holds nothing of another tenant, and the same place means nothing there', async () => {
    const { store } = await openTestStore();
    const mine = await completedJob(store, ALICE);
    const theirs = await completedJob(store, BOB);
    expect(new Set((await readOn(store, null, {}, 7, ALICE)).events.map(({ jobId }) => jobId))).toEqual(new Set([mine]));
    expect(new Set((await readOn(store, null, {}, 7, BOB)).events.map(({ jobId }) => jobId))).toEqual(new Set([theirs]));
    expect((await readOn(store, null, { jobIds: [theirs] }, 7, ALICE)).events).toEqual([]);
    expect((await store.timeline(ALICE, theirs, null, 10)).events).toEqual([]);
    const before = await store.latestPosition(ALICE);
    await completedJob(store, BOB);
    expect(await store.latestPosition(ALICE)).toEqual(before);
  });

  test('is told to listeners after it is durable, with the tenant whose log grew', async () => {
    const { store } = await openTestStore();
    const grown: TenantId[] = [];
    const seen: Promise<number>[] = [];
    store.onLogGrown((owner) => {
      grown.push(owner);
      seen.push(store.eventsAfter(owner, null, {}, 100).then(({ events }) => events.length));
    });
    await submitOne(store, ALICE);
    await submitOne(store, BOB);
    await store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false);
    await store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false);
    const { job, leaseToken } = await claimOne(store, ALICE);
    await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }]);
    expect(grown).toEqual([ALICE, BOB, ALICE, ALICE]);
    expect(await Promise.all(seen)).toEqual([1, 1, 2, 3]);
  });
});

describe('a filter on the log', () => {
  test.each<[string, EventFilter, readonly string[]]>([
    ['queues', { queues: ['mail'] }, ['SUBMITTED mail a', 'CLAIMED mail a']],
    ['tasks', { tasks: ['b', 'c'] }, ['SUBMITTED maps b', 'SUBMITTED maps c', 'CANCELLED maps c']],
    ['kinds', { kinds: ['CLAIMED', 'CANCELLED'] }, ['CLAIMED mail a', 'CANCELLED maps c']],
    ['states', { states: ['queued'] }, ['SUBMITTED mail a', 'SUBMITTED maps b', 'SUBMITTED maps c']],
    ['two fields', { queues: ['maps'], kinds: ['CANCELLED', 'CLAIMED'] }, ['CANCELLED maps c']],
    ['an empty list', { queues: [] }, []],
  ])('by %s takes what it names, in order, whatever the size of the pages', async (_what, filter, expected) => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE, { queue: 'mail', task: 'a' });
    await submitOne(store, ALICE, { queue: 'maps', task: 'b' });
    const jobId = await submitOne(store, ALICE, { queue: 'maps', task: 'c' });
    await claimOne(store, ALICE, { queues: ['mail'] });
    await store.cancel(ALICE, CALLER, { jobId, reason: null, force: false });
    for (const limit of [1, 2, 100]) {
      const { events, position } = await readOn(store, null, filter, limit);
      expect(events.map(({ kind, queue, task }) => `${kind} ${queue} ${task}`)).toEqual(expected);
      expect(position).toEqual(await store.latestPosition(ALICE));
    }
  });

  test('finds a rare event behind thousands of others, in reads of bounded size', async () => {
    const { store } = await openTestStore();
    const flood = Array.from({ length: 500 }, () => submission({ queue: 'flood' }));
    for (let batch = 0; batch < 41; batch++) await store.submit(ALICE, CALLER, flood, true);
    const rare = await submitOne(store, ALICE, { queue: 'rare' });
    const first = await store.eventsAfter(ALICE, null, { queues: ['rare'] }, 10);
    expect(first).toMatchObject({ events: [], hasMore: true });
    expect(first.position.seq).toBeLessThan(20_501);
    expect((await readOn(store, null, { queues: ['rare'] }, 10)).events.map(({ jobId }) => jobId)).toEqual([rare]);
  });
});

describe('only the newest events after a place', () => {
  const eventsOf = async (count: number) => {
    const { store } = await openTestStore();
    for (let index = 0; index < count; index++) await submitOne(store, ALICE, { queue: index % 3 === 0 ? 'rare' : 'usual' });
    await submitOne(store, BOB);
    return { store, whole: (await readOn(store, null)).events };
  };

  test('are the last ones, in order, with the number of those that are left out, from any place and up to any number', async () => {
    const { store, whole } = await eventsOf(12);
    const { epoch, seq: last } = await store.latestPosition(ALICE);
    for (let from = 0; from <= last; from++)
      for (const limit of [1, 3, 11, 12, 13]) {
        const wanted = whole.filter(({ seq }) => seq > from);
        const passedOver = Math.max(0, wanted.length - limit);
        const page = await store.eventsAfter(ALICE, { epoch, seq: from }, {}, limit, true);
        expect(page).toEqual({
          events: wanted.slice(-limit),
          gap: null,
          position: { epoch, seq: last },
          hasMore: false,
          ...(passedOver > 0 && { passedOver }),
        });
      }
  });

  test('that match a filter come without a number, since the others are not looked through for it', async () => {
    const { store, whole } = await eventsOf(12);
    const rare = whole.filter(({ queue }) => queue === 'rare');
    const read = (limit: number, after: LogPosition | null = null) => store.eventsAfter(ALICE, after, { queues: ['rare'] }, limit, true);
    expect(await read(3)).toMatchObject({ events: rare.slice(-3), hasMore: false, passedOver: null });
    const all = await read(4);
    expect(all).toMatchObject({ events: rare, hasMore: false, position: await store.latestPosition(ALICE) });
    expect(all).not.toHaveProperty('passedOver');
    expect(await read(4, all.position)).toMatchObject({ events: [], position: all.position });
  });

  test('that match are looked for in a bounded part of the log', async () => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE, { queue: 'rare' });
    const flood = Array.from({ length: 500 }, () => submission({ queue: 'flood' }));
    for (let batch = 0; batch < 41; batch++) await store.submit(ALICE, CALLER, flood, true);
    const page = await store.eventsAfter(ALICE, null, { queues: ['rare'] }, 10, true);
    expect(page).toMatchObject({ events: [], hasMore: false, passedOver: null, position: await store.latestPosition(ALICE) });
  });

  test('after a place that retention has passed begin with the gap', async () => {
    const { store } = await openTestStore();
    const id = await submitOne(store, ALICE);
    const early = await store.eventsAfter(ALICE, null, {}, 1);
    await store.cancel(ALICE, CALLER, { jobId: id, reason: null, force: false });
    await purge(store, id);
    expect((await store.eventsAfter(ALICE, early.position, {}, 10, true)).gap).toMatchObject({ reason: 'retention' });
  });
});

describe('latest position, then state, then the log from there', () => {
  test('has no gap: state and events together give the state at the end', async () => {
    const { store, clock } = await openTestStore();
    const work = async (worker: number): Promise<void> => {
      for (let round = 0; round < 10; round++) {
        await submitOne(store, ALICE);
        const [lease] = (await store.claim(ALICE, CALLER, claimOf({ workerId: `w${worker}` }))).leases;
        if (lease === undefined) continue;
        const held = { jobId: lease.job.id, leaseToken: lease.leaseToken };
        if (round % 3 === 0) await store.complete(ALICE, CALLER, [{ ...held, resultJson: null }]);
        if (round % 3 === 1) await store.fail(ALICE, CALLER, { ...held, error: BOOM, retry: { afterSeconds: 0 } });
      }
    };
    const working = Promise.all([work(1), work(2), work(3)]);
    await settleDown(15);
    const position = await store.latestPosition(ALICE);
    const loaded = await store.jobs(ALICE, {}, 'oldest_first', EVERY_JOB);
    await working;
    clock.advance(1_000);
    const state = new Map(loaded.rows.map(({ row }) => [row.id, row.state]));
    expect(state.size).toBeGreaterThan(0);
    for (const { jobId, toState } of (await readOn(store, position)).events) state.set(jobId, toState);
    const now = await store.jobs(ALICE, {}, 'oldest_first', EVERY_JOB);
    expect(Object.fromEntries(state)).toEqual(Object.fromEntries(now.rows.map(({ row }) => [row.id, row.state])));
  });

  test('following while others write gives every event once and in order', async () => {
    const { store } = await openTestStore();
    const start = await store.latestPosition(ALICE);
    const followed: JobEvent[] = [];
    let isWriting = true;
    const follow = async (): Promise<void> => {
      let position = start;
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        const read = await readOn(store, position, {}, 3);
        followed.push(...read.events);
        position = read.position;
        await settleDown(1);
      }
    };
    const following = follow();
    const writers = Array.from({ length: 5 }, async () => {
      for (let round = 0; round < 8; round++) await completedJob(store).catch(() => undefined);
    });
    await Promise.all(writers);
    isWriting = false;
    await following;
    expect(followed).toEqual((await readOn(store, start, {}, 1_000)).events);
  });
});

describe('a purge', () => {
  test('takes a job’s events and leaves its last one', async () => {
    const { store } = await openTestStore();
    const jobId = await completedJob(store);
    const kept = await completedJob(store);
    await purge(store, jobId);
    const { events } = await readOn(store, null);
    expect(events.filter((event) => event.jobId === jobId)).toMatchObject([
      { kind: 'PURGED', fromState: 'completed', toState: 'completed', attempt: 1, fence: 1 },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'PURGED', jobId });
    expect(events.filter((event) => event.jobId === kept)).toHaveLength(3);
  });

  test('is told to whoever follows from after the events that it took', async () => {
    const { store } = await openTestStore();
    const jobId = await completedJob(store);
    const position = await store.latestPosition(ALICE);
    await purge(store, jobId);
    expect((await readOn(store, position)).events).toMatchObject([{ kind: 'PURGED', jobId }]);
  });

  test('gives a gap to whoever reads from before what it took, with the place to go on from', async () => {
    const { store } = await openTestStore();
    const early = await store.eventsAfter(ALICE, null, {}, 1);
    const first = await completedJob(store);
    const middle = await store.eventsAfter(ALICE, null, {}, 2);
    const kept = await completedJob(store);
    await purge(store, first);
    for (const { position } of [early, middle]) {
      const page = await store.eventsAfter(ALICE, position, {}, 100);
      expect(page).toMatchObject({ events: [], gap: { reason: 'retention' } });
      expect(page.gap?.oldestAvailable).not.toBeNull();
      const { events } = await readOn(store, page.gap?.resumeAt ?? null);
      expect(events.map((event) => `${event.kind} ${event.jobId === kept ? 'kept' : 'first'}`)).toEqual([
        'SUBMITTED kept',
        'CLAIMED kept',
        'COMPLETED kept',
        'PURGED first',
      ]);
    }
  });

  test('gives no gap to whoever reads from the oldest kept event on', async () => {
    const { store } = await openTestStore();
    await purge(store, await completedJob(store));
    expect(await store.eventsAfter(ALICE, null, {}, 100)).toMatchObject({ gap: null, events: [{ kind: 'PURGED' }] });
  });

  test('never hides what it takes from readers who are under way', async () => {
    const { store } = await openTestStore();
    const start = await store.latestPosition(ALICE);
    const jobId = await completedJob(store);
    const reads: ReturnType<LeaseRepository['eventsAfter']>[] = [];
    const purging = watch(purge(store, jobId));
    while (!purging.isOver()) {
      for (let tick = 0; tick < 5; tick++) {
        reads.push(store.eventsAfter(ALICE, start, {}, 100));
        await Promise.resolve();
      }
      await settleDown(1);
    }
    reads.push(store.eventsAfter(ALICE, start, {}, 100));
    const pages = await Promise.all(reads);
    const told = pages.map(({ gap, events }) => gap?.reason ?? events.map(({ kind }) => kind).join(' '));
    expect(new Set(told)).toEqual(new Set(['SUBMITTED CLAIMED COMPLETED', 'retention']));
  });
});

describe('retention', () => {
  test('takes events with their job and gives a gap to whoever reads from before', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE);
    const position = await store.latestPosition(ALICE);
    const { job, leaseToken } = await claimOne(store, ALICE);
    await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
    const end = await store.latestPosition(ALICE);
    clock.advance(604_800_000);
    expect(await store.retain()).toMatchObject({ removed: 1 });
    expect((await store.eventsAfter(ALICE, null, {}, 100)).events).toEqual([]);
    expect((await store.eventsAfter(ALICE, position, {}, 100)).gap).toEqual({ reason: 'retention', resumeAt: end, oldestAvailable: null });
    expect((await store.eventsAfter(ALICE, end, {}, 100)).gap).toBeNull();
    expect(await store.latestPosition(ALICE)).toEqual(end);
    await submitOne(store, ALICE);
    expect((await store.latestPosition(ALICE)).seq).toBeGreaterThan(end.seq);
  });

  test('removes what purges have left as well, for every tenant, with a gap', async () => {
    const { store, clock } = await openTestStore();
    const start = await store.latestPosition(ALICE);
    const jobId = await completedJob(store);
    const theirs = await completedJob(store, BOB);
    await purge(store, jobId);
    await store.bulk(BOB, CALLER, { target: { ids: [theirs] }, action: { name: 'purge' }, limit: 1, dryRun: false });
    clock.advance(604_800_000);
    for (let hasMore = true; hasMore; ) ({ hasMore } = await store.retain());
    expect((await store.eventsAfter(ALICE, null, {}, 100)).events).toEqual([]);
    expect((await store.eventsAfter(BOB, null, {}, 100)).events).toEqual([]);
    expect((await store.eventsAfter(ALICE, start, {}, 100)).gap).toMatchObject({ reason: 'retention' });
  });
});

describe('a place in another log', () => {
  test('is recognised, as after a restored backup, and tells where to go on', async () => {
    const { store } = await openTestStore();
    const other = await openTestStore({ entropy: seededEntropy({ seed: 2 }) });
    await completedJob(store);
    const id = await completedJob(other.store);
    const foreign = await store.latestPosition(ALICE);
    for (const seq of [0, 1, 3]) {
      const page = await other.store.eventsAfter(ALICE, { ...foreign, seq }, {}, 100);
      expect(page).toMatchObject({ events: [], gap: { reason: 'store_restored' } });
      const { events } = await readOn(other.store, page.gap?.resumeAt ?? null);
      expect(events.map(({ jobId }) => jobId)).toEqual([id, id, id]);
    }
  });

  test('is one past the end of this log as well', async () => {
    const { store } = await openTestStore();
    await completedJob(store);
    const { epoch, seq } = await store.latestPosition(ALICE);
    expect(await store.eventsAfter(ALICE, { epoch, seq: seq + 1 }, {}, 100)).toMatchObject({ events: [], gap: { reason: 'store_restored' } });
    expect(await store.eventsAfter(ALICE, { epoch, seq }, {}, 100)).toMatchObject({ events: [], gap: null });
  });
});

describe('the timeline of a job', () => {
  test('is read in pages, among the events of others, and its replay is the job’s row', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await submitOne(store, ALICE, { priority: 9, maxAttempts: 20 });
    for (let round = 0; round < 5; round++) {
      await submitOne(store, ALICE, { priority: -9 });
      const { leaseToken } = await claimOne(store, ALICE);
      await store.fail(ALICE, CALLER, { jobId, leaseToken, error: BOOM, retry: { afterSeconds: 1 } });
      clock.advance(1_000);
    }
    const events: JobEvent[] = [];
    for (let after: LogPosition | null = null, hasMore = true; hasMore; ) {
      const page = await store.timeline(ALICE, jobId, after, 4);
      events.push(...page.events);
      ({ position: after, hasMore } = page);
    }
    expect(events.map(({ kind }) => kind)).toEqual(['SUBMITTED', ...Array.from({ length: 5 }, () => ['CLAIMED', 'RETRY_SCHEDULED']).flat()]);
    expect(events).toEqual((await readOn(store, null, { jobIds: [jobId] })).events);
    expect(replay(events)).toMatchObject({ state: 'retry', attempt: 5, fence: 5, priority: 9, maxAttempts: 20 });
  });

  test('of a job that is unknown is empty', async () => {
    const { store } = await openTestStore();
    expect(await store.timeline(ALICE, 'nobody', null, 10)).toMatchObject({ events: [], gap: null, hasMore: false });
  });
});
