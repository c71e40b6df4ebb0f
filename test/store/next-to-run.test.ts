/** Waiting jobs by their time, which no index has so over all priorities and queues: in lists, and as the age of the oldest. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { JobPage } from '../../src/store/answers.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { JobFilter } from '../../src/store/requests.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';
import { walked } from '../support/walked-list.ts';

type Listed = JobPage['rows'][number]['row'];

const QUEUES = ['q0', 'q1', 'q2'];
const TASKS = ['a', 'b'];

/** What is submitted, and what happens before the next one. */
interface Turn {
  readonly change: Partial<SubmitRequest>;
  readonly passesMs: number;
  /** A task of which the queue's next job is claimed; null: nobody claims. */
  readonly claims: string | null;
}

const turns = fc.array(
  fc.record({
    change: fc.record({
      queue: fc.constantFrom(...QUEUES),
      task: fc.constantFrom(...TASKS),
      priority: fc.oneof(fc.constantFrom(null, -100, 100), fc.integer({ min: -2, max: 2 })),
      start: fc.constantFrom(null, null, { inSeconds: 1 }, { inSeconds: 2 }, { inSeconds: 1_000 }),
    }),
    passesMs: fc.constantFrom(0, 0, 1, 700),
    claims: fc.option(fc.constantFrom(...TASKS), { freq: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Two tenants' jobs, each of whom sees the same happen; all whose time has come are due. */
async function after(happened: readonly Turn[]): Promise<{ readonly store: LeaseRepository; readonly nowMs: number }> {
  const { store, clock } = await openTestStore();
  for (const { change, passesMs, claims } of happened) {
    for (const tenant of [BOB, ALICE]) {
      await submitOne(store, tenant, change);
      if (claims !== null) await store.claim(tenant, CALLER, claimOf({ queues: QUEUES, tasks: [claims] }));
    }
    clock.advance(passesMs);
  }
  await store.sweep();
  return { store, nowMs: clock.nowMs() };
}

/** By their time, then as they were submitted. */
async function waitingJobs(store: LeaseRepository): Promise<readonly Listed[]> {
  const { rows } = await store.jobs(ALICE, {}, 'oldest_first', { after: null, before: null, limit: 100, fromEnd: false });
  const waiting = rows.map(({ row }) => row).filter(({ state }) => state === 'queued' || state === 'retry');
  // Sorting keeps the order of those whose time is the same.
  return waiting.toSorted((a, b) => a.runAtMs - b.runAtMs);
}

const filters = fc.record(
  {
    queues: fc.subarray([...QUEUES, 'none'], { minLength: 1 }),
    tasks: fc.subarray(TASKS, { minLength: 1 }),
    runAt: fc.record({ fromMs: fc.option(fc.nat({ max: 2_000 })), toMs: fc.option(fc.nat({ max: 20_000 })) }),
  },
  { requiredKeys: [] },
);

/** The range of the filter counts from `startMs`. */
function movedTo(startMs: number, { runAt, ...others }: JobFilter): JobFilter {
  if (runAt === undefined) return others;
  const moved = (ms: number | null): number | null => (ms === null ? null : startMs + ms);
  return { ...others, runAt: { fromMs: moved(runAt.fromMs), toMs: moved(runAt.toMs) } };
}

function isAskedFor({ queue, task, runAtMs }: Listed, { queues = QUEUES, tasks = TASKS, runAt }: JobFilter): boolean {
  return queues.includes(queue) && tasks.includes(task) && runAtMs >= (runAt?.fromMs ?? 0) && runAtMs < (runAt?.toMs ?? Infinity);
}

describe('the jobs that run next', () => {
  test('are all that wait by their time, whatever their priority, from both ends, by pages of any length', { timeout: 60_000 }, async () => {
    const reading = fc.record({ fromEnd: fc.boolean(), limit: fc.constantFrom(1, 1, 3, 50), max: fc.constantFrom(null, 1, 4, 1_000) });
    await fc.assert(
      fc.asyncProperty(turns, fc.array(fc.tuple(filters, reading), { minLength: 4, maxLength: 4 }), async (happened, readings) => {
        const { store } = await after(happened);
        const waiting = await waitingJobs(store);
        for (const [asked, how] of readings) {
          const filter = movedTo(waiting[0]?.runAtMs ?? 0, asked);
          const wanted = waiting.filter((job) => isAskedFor(job, filter)).map(({ id }) => id);
          expect(await walked(store, { filter, order: 'next_to_run', ...how })).toEqual(wanted);
        }
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  test('are counted as far as a page looked through them, in all their lanes', async () => {
    const { store } = await openTestStore();
    for (const priority of [-100, 0, 100, 0, 7]) await submitOne(store, ALICE, { priority, queue: priority === 7 ? 'other' : 'q' });
    await submitOne(store, ALICE, { start: { inSeconds: 10 } });
    const page = { after: null, before: null, limit: 5, fromEnd: false };
    const lookedThrough = async (max: number) => (await store.jobs(ALICE, { tasks: ['none'] }, 'next_to_run', page, max)).lookedThrough;
    expect([await lookedThrough(4), await lookedThrough(6), await lookedThrough(50)]).toEqual([4, 6, 6]);
  });

  test('are the same in a database of the version before', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store, clock } = await openTestStore({ path });
    const ids: string[] = [];
    for (const priority of [0, 100, -100]) {
      ids.push(await submitOne(store, ALICE, { priority }));
      clock.advance(1);
    }
    const [late, soon] = [await submitOne(store, ALICE, { start: { inSeconds: 20 } }), await submitOne(store, ALICE, { start: { inSeconds: 10 } })];
    await store.close();
    takeBackTo('008-submission-calls', path);
    const { store: upgraded } = await openTestStore({ path, clock });
    expect(await walked(upgraded, { filter: {}, order: 'next_to_run', fromEnd: false, limit: 2, max: null })).toEqual([...ids, soon, late]);
    expect((await upgraded.stats(ALICE)).oldestReadySeconds).toBe(0.003);
    clock.advance(10_000);
    const { leases } = await upgraded.claim(ALICE, CALLER, claimOf({ max: 10 }));
    expect(leases.map(({ job }) => job.id)).toEqual([ids[1], ids[0], soon, ids[2]]);
    await upgraded.close();
  });
});

describe('the age of the oldest ready job', () => {
  test('is that of the one whose time came first, whatever its priority, and that of the next one as soon as it is gone', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (happened) => {
        const { store, nowMs } = await after(happened);
        for (let isLeft = true; isLeft; ) {
          const due = (await waitingJobs(store)).filter(({ runAtMs }) => runAtMs <= nowMs);
          const ageIn = (queue?: string): number | null => {
            const oldest = due.find((job) => queue === undefined || job.queue === queue);
            return oldest === undefined ? null : (nowMs - oldest.runAtMs) / 1000;
          };
          expect((await store.stats(ALICE)).oldestReadySeconds).toBe(ageIn());
          expect((await store.statsOfQueues(ALICE, QUEUES)).map(({ oldestReadySeconds }) => oldestReadySeconds)).toEqual(QUEUES.map(ageIn));
          for (const { tenant, queue, oldestReadySeconds } of await store.gauges(100)) if (tenant === ALICE) expect(oldestReadySeconds).toBe(ageIn(queue));
          isLeft = due.length > 0;
          if (isLeft) await store.cancel(ALICE, CALLER, { jobId: due[0]?.id ?? '', reason: null, force: false });
        }
        await store.close();
      }),
      { numRuns: 30 },
    );
  });

  test('says which queue is in trouble, also where younger jobs go first, until the oldest is claimed', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE, { queue: 'kept', task: 'old', priority: -5 });
    clock.advance(10_000);
    await submitOne(store, ALICE, { queue: 'brisk' });
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 5 }, () => submission({ queue: 'kept', priority: 100 })),
      false,
    );
    clock.advance(1_000);
    const names = async () => (await store.troubledQueues(ALICE, 5)).map(({ name }) => name);
    expect(await names()).toEqual(['kept', 'brisk']);
    await claimOne(store, ALICE, { queues: ['kept'], tasks: ['old'] });
    expect(await names()).toEqual(['brisk', 'kept']);
    expect((await store.queueStats(ALICE, 'kept')).oldestReadySeconds).toBe(1);
  });
});
