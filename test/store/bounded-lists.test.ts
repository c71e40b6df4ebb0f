/** Searches that look through a bounded number of jobs, and lists by the end of leases: nothing is skipped, nothing told twice. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobPage } from '../../src/store/answers.ts';
import { confine } from '../../src/store/confined-store.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { JOB_ORDERS, type JobFilter, type JobOrder, type PageRequest } from '../../src/store/requests.ts';
import { walked } from '../support/walked-list.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';

const PAGE: PageRequest = { after: null, before: null, limit: 3, fromEnd: false };
const ERROR = { type: null, message: 'boom', detailsJson: null };

/** Jobs of two tenants in every state, in turns, so that neither's stand side by side. */
async function manyJobs(): Promise<LeaseRepository> {
  const { store, clock } = await openTestStore();
  for (let n = 0; n < 60; n++) {
    for (const tenant of [ALICE, BOB]) {
      await submitOne(store, tenant, {
        queue: `q${n % 3}`,
        task: n % 9 === 0 ? 'rare' : 'usual',
        concurrencyKey: n % 7 === 0 ? 'key' : null,
        tags: [
          { key: 'few', value: String(n % 20) },
          { key: 'many', value: 'x' },
        ],
        ...(n % 5 === 0 && { start: { inSeconds: 1_000 - n } }),
      });
      clock.advance(n % 2);
    }
  }
  for (let n = 0; n < 30; n++) {
    for (const tenant of [ALICE, BOB]) {
      const { job, leaseToken } = await claimOne(store, tenant, { queues: [`q${n % 3}`], workerId: `w${n % 2}`, leaseSeconds: 100 - (n % 8) });
      if (n % 3 === 0) await store.complete(tenant, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
      if (n % 7 === 1) await store.fail(tenant, CALLER, { jobId: job.id, leaseToken, error: ERROR, retry: { never: true } });
    }
    clock.advance(n % 2);
  }
  return store;
}

const FILTERS: Readonly<Record<string, JobFilter>> = {
  'of all jobs': {},
  'by a rare task': { tasks: ['rare'] },
  'by a concurrency key': { concurrencyKeys: ['key'] },
  'by a tag that few have': { tags: [{ key: 'few', value: '3' }] },
  'by a tag that all have': { tags: [{ key: 'many', value: 'x' }], tasks: ['rare'] },
  'by two tags': {
    tags: [
      { key: 'many', value: 'x' },
      { key: 'few', value: '9' },
    ],
  },
  'by a tag that none has': { tags: [{ key: 'few', value: 'none' }] },
  'by states': { states: ['dead', 'running', 'queued'] },
  'by queues and state': { queues: ['q1', 'q2', 'none'], states: ['completed', 'queued'] },
  'by worker': { workerIds: ['w1'] },
  'by worker and a state that has none': { workerIds: ['w1'], states: ['dead'] },
  'of no queue': { queues: [] },
};

describe('a bounded search', () => {
  test.each(Object.entries(FILTERS))('%s finds in every order, from both ends, what an unbounded one finds', { timeout: 60_000 }, async (_name, filter) => {
    const store = await manyJobs();
    for (const order of JOB_ORDERS) {
      const all = (await store.jobs(ALICE, filter, order, { ...PAGE, limit: 100 })).rows.map(({ row }) => row.id);
      for (const fromEnd of [false, true])
        for (const max of [null, 1, 7, 1_000])
          expect({ order, fromEnd, max, found: await walked(store, { filter, order, fromEnd, limit: PAGE.limit, max }) }).toEqual({
            order,
            fromEnd,
            max,
            found: all,
          });
    }
  });

  test('tells how far it looked, and where to go on, also where nothing matched', async () => {
    const { store } = await openTestStore();
    const rare = await submitOne(store, ALICE, { task: 'rare' });
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 20 }, () => submission()),
      true,
    );
    const first = await store.jobs(ALICE, { tasks: ['rare'] }, 'newest_first', PAGE, 15);
    expect(first).toMatchObject({ rows: [], lookedThrough: 15, hasNext: true, hasPrevious: false, cutAt: [7] });
    const second = await store.jobs(ALICE, { tasks: ['rare'] }, 'newest_first', { ...PAGE, after: first.cutAt }, 15);
    expect(second).toMatchObject({ rows: [{ row: { id: rare } }], lookedThrough: 6, hasNext: false, hasPrevious: true, cutAt: null });
    expect(await store.jobs(ALICE, {}, 'newest_first', PAGE, 15)).toMatchObject({ lookedThrough: 3, hasNext: true, cutAt: null });
  });

  test('that ends exactly where the list does is not cut short', async () => {
    const { store } = await openTestStore();
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 10 }, () => submission()),
      true,
    );
    expect(await store.jobs(ALICE, { tasks: ['none'] }, 'newest_first', PAGE, 10)).toMatchObject({ lookedThrough: 10, hasNext: false, cutAt: null });
    expect(await store.jobs(ALICE, { tasks: ['none'] }, 'newest_first', PAGE, 9)).toMatchObject({ lookedThrough: 9, hasNext: true });
  });
});

describe('a list over many queues', () => {
  type Listed = JobPage['rows'][number]['row'];
  const orders: Readonly<Record<string, (job: Listed) => number | null>> = {
    next_to_run: ({ state, runAtMs }) => (state === 'queued' || state === 'retry' ? runAtMs : null),
    lease_expiry: ({ lease }) => lease?.expiresAtMs ?? null,
  };

  test.each(Object.entries(orders))('%s: is what sorting all its jobs gives, from any cursor and in any range, both ways', async (name, timeOf) => {
    const order = name as JobOrder;
    const store = await manyJobs();
    const oldest = (await store.jobs(ALICE, {}, 'oldest_first', { ...PAGE, limit: 100 })).rows.map(({ row }) => row);
    const places = oldest.flatMap((job, index) => (timeOf(job) === null ? [] : [{ job, atMs: timeOf(job) ?? 0, index }]));
    const sorted = places.toSorted((a, b) => a.atMs - b.atMs || a.index - b.index);
    const { rows } = await store.jobs(ALICE, {}, order, { ...PAGE, limit: 100 });
    expect(rows.map(({ row }) => row.id)).toEqual(sorted.map(({ job }) => job.id));
    expect(sorted.length).toBeGreaterThan(15);
    const place = fc.nat({ max: sorted.length });
    const cases = fc.tuple(place, place, fc.boolean(), fc.integer({ min: 1, max: 8 }), fc.subarray(['q0', 'q1', 'q2']), fc.option(fc.tuple(place, place)));
    const timeAt = (index: number): number => sorted[index]?.atMs ?? Number.MAX_SAFE_INTEGER;
    await fc.assert(
      fc.asyncProperty(cases, async ([after, before, fromEnd, limit, queues, range]) => {
        const request = { after: rows[after]?.key ?? null, before: rows[before]?.key ?? null, limit, fromEnd };
        const [fromMs, toMs] = range === null ? [0, Number.MAX_SAFE_INTEGER] : [timeAt(range[0]), timeAt(range[1])];
        const isRanged = range !== null && order === 'next_to_run';
        const wanted = sorted.filter(
          ({ job, atMs }, index) =>
            (request.after === null || index > after) &&
            (request.before === null || index < before) &&
            queues.includes(job.queue) &&
            (!isRanged || (atMs >= fromMs && atMs < toMs)),
        );
        const found = await store.jobs(ALICE, { queues, ...(isRanged && { runAt: { fromMs, toMs } }) }, order, request);
        const expected = fromEnd ? wanted.slice(-limit) : wanted.slice(0, limit);
        expect(found.rows.map(({ row }) => row.id)).toEqual(expected.map(({ job }) => job.id));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a count', () => {
  test('looks through no more jobs than it is told', async () => {
    const { store } = await openTestStore();
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 40 }, (_, n) => submission({ task: n % 2 === 0 ? 'even' : 'odd' })),
      true,
    );
    expect(await store.countJobs(ALICE, { tasks: ['odd'] })).toEqual({ value: 20, exact: true });
    expect(await store.countJobs(ALICE, { tasks: ['odd'] }, 10)).toEqual({ value: 5, exact: false });
    expect(await store.countJobs(ALICE, {}, 10)).toEqual({ value: 40, exact: true });
  });

  test('by a tag that few jobs have is exact, however many there are beside', async () => {
    const { store } = await openTestStore();
    const tagged = Array.from({ length: 40 }, (_, n) => submission({ tags: n < 3 ? [{ key: 'k', value: 'v' }] : [], task: n === 0 ? 'one' : 'other' }));
    await store.submit(ALICE, CALLER, tagged, true);
    await store.submit(BOB, CALLER, tagged, true);
    const tags = [{ key: 'k', value: 'v' }];
    expect(await store.countJobs(ALICE, { tags }, 10)).toEqual({ value: 3, exact: true });
    expect(await store.countJobs(ALICE, { tags, tasks: ['one'] }, 10)).toEqual({ value: 1, exact: true });
    expect(await store.countJobs(ALICE, { tags, states: ['dead'] }, 10)).toEqual({ value: 0, exact: true });
  });
});

describe('the list by the end of leases', () => {
  test('holds running jobs only, the soonest end first, over all queues', async () => {
    const { store, clock } = await openTestStore();
    const leaseOf = async (queue: string, leaseSeconds: number): Promise<string> => {
      await submitOne(store, ALICE, { queue });
      return (await claimOne(store, ALICE, { queues: [queue], leaseSeconds, workerId: `w-${queue}` })).job.id;
    };
    const [late, soon, middle] = [await leaseOf('a', 300), await leaseOf('b', 100), await leaseOf('a', 200)];
    await submitOne(store, ALICE, { queue: 'a' });
    await submitOne(store, BOB);
    await claimOne(store, BOB);
    const ids = async (filter: JobFilter) => (await store.jobs(ALICE, filter, 'lease_expiry', PAGE)).rows.map(({ row }) => row.id);
    expect(await ids({})).toEqual([soon, middle, late]);
    expect(await ids({ queues: ['a'] })).toEqual([middle, late]);
    expect(await ids({ workerIds: ['w-b'] })).toEqual([soon]);
    expect(await ids({ states: ['dead'] })).toEqual([]);
    clock.advance(100_000);
    await store.sweep();
    expect(await ids({})).toEqual([middle, late]);
  });

  test('is found over hundreds of queues', async () => {
    const { store } = await openTestStore();
    const queues = Array.from({ length: 203 }, (_, n) => `q${n}`);
    await store.submit(
      ALICE,
      CALLER,
      queues.map((queue) => submission({ queue })),
      true,
    );
    for (const [n, queue] of queues.entries()) await store.claim(ALICE, CALLER, claimOf({ queues: [queue], leaseSeconds: 1_000 - n }));
    const found = (await store.jobs(ALICE, {}, 'lease_expiry', PAGE)).rows.map(({ row }) => row.queue);
    expect(found).toEqual(['q202', 'q201', 'q200']);
  });
});

describe('a key that is restricted to queues', () => {
  test('learns from no bound how many jobs other queues have', async () => {
    const outcomes: unknown[] = [];
    for (const others of [0, 50]) {
      const { store, clock } = await openTestStore();
      const tags = [{ key: 'k', value: 'v' }];
      const finish = async (queue: string) => {
        const jobId = await submitOne(store, ALICE, { queue, tags });
        await store.cancel(ALICE, CALLER, { jobId, reason: null, force: false });
        clock.advance(1);
      };
      for (let n = 0; n < others; n++) await finish('other');
      for (let n = 0; n < 5; n++) await finish('own');
      for (let n = 0; n < others; n++) await finish('other');
      const confined = confine(store, new Set(['own', 'none']));
      for (const order of JOB_ORDERS)
        for (const filter of [{ tags }, { tasks: ['none'] }, { tags, tasks: ['none'] }]) {
          const { rows, lookedThrough, cutAt, hasNext } = await confined.jobs(ALICE, filter, order, PAGE, 4);
          outcomes.push({ others, order, filter, rows: rows.length, lookedThrough, isCut: cutAt !== null, hasNext });
        }
      outcomes.push({ others, counts: [await confined.countJobs(ALICE, { tags }, 4), await confined.countJobs(ALICE, { tags })] });
    }
    const [none, many] = [outcomes.slice(0, outcomes.length / 2), outcomes.slice(outcomes.length / 2)];
    expect(many).toEqual(none.map((outcome) => Object.assign({}, outcome, { others: 50 })));
  });
});
