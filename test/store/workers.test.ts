/** The registry of workers: what it knows, how it is searched, what it costs, and that it does not grow for ever. */
import { describe, expect, test } from 'vitest';
import { confine } from '../../src/store/confined-store.ts';
import { createJobStore } from '../../src/store/create-store.ts';
import { openSqlite } from '../../src/store/engines/sqlite.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { takeBackTo } from '../support/older-database.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, TEST_RETENTION, temporaryFolder } from '../support/store.ts';

const DAY_MS = 86_400_000;

describe('the registry', () => {
  test('tells since when a worker is known, what it claims, and when the first of its leases runs out', async () => {
    const { store, clock } = await openTestStore();
    const startMs = clock.nowMs();
    await store.submit(ALICE, CALLER, [submission(), submission({ task: 'u' })], true);
    await store.claim(ALICE, CALLER, claimOf({ leaseSeconds: 300, tasks: ['u', 't'] }));
    clock.advance(10_000);
    await store.claim(ALICE, CALLER, claimOf({ leaseSeconds: 100, tasks: ['u'] }));
    expect(await store.workers(ALICE, 0)).toEqual([
      {
        id: 'w',
        queues: ['q'],
        tasks: ['u'],
        state: 'active',
        runningJobs: 2,
        soonestLeaseExpiresAtMs: startMs + 110_000,
        firstSeenAtMs: startMs,
        lastSeenAtMs: startMs + 10_000,
      },
    ]);
    clock.advance(5_000);
    await store.claim(ALICE, CALLER, claimOf());
    expect(await store.workers(ALICE, 0)).toMatchObject([{ tasks: null, firstSeenAtMs: startMs }]);
  });

  test('is written no more often than every few seconds, but for other queues and longer leases', async () => {
    const statements: string[] = [];
    const { store, clock } = await openTestStore({ onStatement: (text) => statements.push(text) });
    const writes = async (change: Parameters<typeof claimOf>[0]): Promise<number> => {
      statements.length = 0;
      await store.claim(ALICE, CALLER, claimOf(change));
      return statements.filter((text) => /^(insert into|update) "workers"/.test(text)).length;
    };
    expect(await writes({})).toBe(1);
    expect(await writes({})).toBe(0);
    expect(await writes({ tasks: ['t'] })).toBe(0);
    expect(await writes({ leaseSeconds: 30 })).toBe(0);
    expect(await writes({ leaseSeconds: 600 })).toBe(1);
    expect(await writes({ leaseSeconds: 600 })).toBe(0);
    expect(await writes({ queues: ['q', 'r'] })).toBe(1);
    clock.advance(5_000);
    expect(await writes({ queues: ['q', 'r'] })).toBe(1);
  });

  test('forgets a worker a day after its last sign, unless it holds a lease', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE);
    await claimOne(store, ALICE, { workerId: 'holder', leaseSeconds: 3_600 });
    for (let pod = 0; pod < 450; pod++) await store.claim(ALICE, CALLER, claimOf({ workerId: `pod-${pod}` }));
    clock.advance(DAY_MS + 1);
    while ((await store.retain()).hasMore);
    expect((await store.workers(ALICE, 0)).map(({ id }) => id)).toEqual(['holder']);
  });
});

describe('the state of a worker', () => {
  test('follows its claims, its heartbeats and the end of its leases', async () => {
    const { store, clock } = await openTestStore();
    const stateAfter = async (ms: number) => {
      clock.advance(ms);
      return (await store.workers(ALICE, 0))[0]?.state;
    };
    await submitOne(store, ALICE);
    const { job, leaseToken } = await claimOne(store, ALICE, { leaseSeconds: 60 });
    expect(await stateAfter(34_999)).toBe('active');
    expect(await stateAfter(1)).toBe('silent');
    await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }]);
    expect(await stateAfter(34_999)).toBe('active');
    await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: 600, progress: null }]);
    expect(await stateAfter(304_999)).toBe('active');
    expect(await stateAfter(1)).toBe('silent');
    expect(await stateAfter(295_000)).toBe('silent');
    await store.sweep();
    expect(await stateAfter(0)).toBe('gone');
    await store.claim(ALICE, CALLER, claimOf({ queues: ['other'] }));
    expect(await stateAfter(60_000)).toBe('idle');
    expect(await stateAfter(1)).toBe('gone');
  });

  test('may be told with an odd number of milliseconds left of a lease that a heartbeat does not shorten', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE);
    const { job, leaseToken } = await claimOne(store, ALICE);
    clock.advance(5_001);
    const { results } = await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: 5, progress: null }]);
    expect(results).toMatchObject([{ ok: true }]);
    await store.close();
  });

  test('is that of its longest lease: a heartbeat that is rightly rare is no silence', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(ALICE, CALLER, [submission(), submission()], true);
    await claimOne(store, ALICE, { leaseSeconds: 5 });
    clock.advance(3_000);
    await claimOne(store, ALICE, { leaseSeconds: 3_600 });
    clock.advance(1_200_000);
    await store.sweep();
    expect(await store.workers(ALICE, 0)).toMatchObject([{ state: 'active', runningJobs: 1 }]);
  });

  test('takes the default lease of the queue where the claim names none', async () => {
    const { store, clock } = await openTestStore();
    await store.configureQueue(ALICE, CALLER, { name: 'q', expectedVersion: null, defaults: { leaseSeconds: 1_000 }, retention: {} });
    await submitOne(store, ALICE);
    await claimOne(store, ALICE, { leaseSeconds: null });
    clock.advance(504_999);
    expect(await store.workers(ALICE, 0)).toMatchObject([{ state: 'active' }]);
    clock.advance(1);
    expect(await store.workers(ALICE, 0)).toMatchObject([{ state: 'silent' }]);
  });
});

/** Workers of each state, as of the clock: `lapsed` was heard of lately and has a lease that nobody noticed the end of. */
async function crew() {
  const test = await openTestStore();
  const { store, clock } = test;
  const start = (workerId: string, leaseSeconds: number) => claimOne(store, ALICE, { workerId, leaseSeconds });
  await store.submit(ALICE, CALLER, [submission(), submission(), submission(), submission()], true);
  await store.claim(ALICE, CALLER, claimOf({ workerId: 'gone', queues: ['empty'] }));
  await start('quiet', 100);
  clock.advance(56_000);
  await start('lapsed', 5);
  await start('at-work', 60);
  clock.advance(5_000);
  await store.claim(ALICE, CALLER, claimOf({ workerId: 'waiting', queues: ['empty'] }));
  return test;
}

describe('a search for workers', () => {
  test('by state finds those that are in it, alone or with others', async () => {
    const { store } = await crew();
    const found = async (...states: readonly ('active' | 'idle' | 'silent' | 'gone')[]) => {
      const workers = await store.workers(ALICE, 0, { states });
      expect(workers.filter(({ state }) => !states.includes(state))).toEqual([]);
      return workers.map(({ id }) => id);
    };
    expect(await found('silent')).toEqual(['lapsed', 'quiet']);
    expect(await found('active')).toEqual(['at-work']);
    expect(await found('idle')).toEqual(['waiting']);
    expect(await found('gone')).toEqual(['gone']);
    expect(await found('silent', 'gone')).toEqual(['gone', 'lapsed', 'quiet']);
    expect(await found()).toEqual([]);
    expect(await store.workers(BOB, 0, { states: ['silent'] })).toEqual([]);
  });

  test('goes by pages in the order of names, with the bound on when they were seen', async () => {
    const { store, clock } = await crew();
    const ids = async (selection: object, seenSinceMs = 0) => (await store.workers(ALICE, seenSinceMs, selection)).map(({ id }) => id);
    expect(await ids({ limit: 2 })).toEqual(['at-work', 'gone']);
    expect(await ids({ limit: 2, after: 'gone' })).toEqual(['lapsed', 'quiet']);
    expect(await ids({ limit: 2, after: 'quiet' })).toEqual(['waiting']);
    expect(await ids({ limit: 1, after: 'lapsed', states: ['silent'] })).toEqual(['quiet']);
    expect(await ids({}, clock.nowMs() - 5_000)).toEqual(['at-work', 'lapsed', 'quiet', 'waiting']);
  });
});

describe('a key that is restricted to queues', () => {
  test('sees of a worker what its own queues tell', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(ALICE, CALLER, [submission({ queue: 'own' }), submission({ queue: 'other' })], true);
    await store.claim(ALICE, CALLER, claimOf({ workerId: 'both', queues: ['own', 'other'], max: 2, tasks: ['t'], leaseSeconds: 3_600 }));
    await store.claim(ALICE, CALLER, claimOf({ workerId: 'mine', queues: ['own'], tasks: ['t'] }));
    await store.claim(ALICE, CALLER, claimOf({ workerId: 'theirs', queues: ['other'] }));
    const confined = confine(store, new Set(['own']));
    expect(await confined.workers(ALICE, 0)).toMatchObject([
      { id: 'both', queues: ['own'], tasks: null, runningJobs: 1, state: 'active' },
      { id: 'mine', queues: ['own'], tasks: ['t'], runningJobs: 0, soonestLeaseExpiresAtMs: null, state: 'idle' },
    ]);
    expect((await confined.workers(ALICE, 0, { states: ['idle'], limit: 1 })).map(({ id }) => id)).toEqual(['mine']);
    expect((await confined.workers(ALICE, 0, { after: 'both' })).map(({ id }) => id)).toEqual(['mine']);
    expect((await confine(store, new Set(['none'])).workers(ALICE, 0)).map(({ id }) => id)).toEqual([]);
    clock.advance(1_900_000);
    expect(await confined.workers(ALICE, clock.nowMs())).toMatchObject([{ id: 'both', state: 'silent' }]);
  });
});

test('a database of the version before keeps its workers, who are silent only after their leases say so', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  const clock = new ManualClock();
  const { store } = await openTestStore({ path, clock });
  await submitOne(store, ALICE);
  await claimOne(store, ALICE, { leaseSeconds: 1_000 });
  await store.close();
  takeBackTo('006-redaction-rules', path);
  const engine = openSqlite({ path, clock });
  const upgraded = await createJobStore({ engine, clock, entropy: seededEntropy({ ratio: 0 }), retention: TEST_RETENTION, onFatal: () => undefined });
  clock.advance(504_999);
  const known = { id: 'w', queues: ['q'], tasks: null, runningJobs: 1, firstSeenAtMs: clock.nowMs() - 504_999 };
  expect(await upgraded.workers(ALICE, 0)).toMatchObject([{ ...known, state: 'active' }]);
  clock.advance(1);
  expect(await upgraded.workers(ALICE, 0, { states: ['silent'] })).toMatchObject([known]);
  await upgraded.close();
});
