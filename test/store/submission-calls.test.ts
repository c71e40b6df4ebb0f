/** A call to submit that comes again with its request id is answered with the jobs that it made. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { type JobSeqs, seqsOf, textOf } from '../../src/store/job-seqs.ts';
import { InvalidRequest } from '../../src/store/store.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { ALICE, BOB, CALLER, claimOf, openTestStore, submission, submitOne, type TestStore } from '../support/store.ts';

const DAY_MS = 86_400_000;
const PAGE = { after: null, before: null, limit: 1_000, fromEnd: false };

type Outcomes = Awaited<ReturnType<LeaseRepository['submit']>>;

const call = (store: LeaseRepository, requests: readonly SubmitRequest[], { id = 'call', allOrNothing = false, owner = ALICE } = {}): Promise<Outcomes> =>
  store.submit(owner, CALLER, requests, allOrNothing, id);
const idsOf = (outcomes: Outcomes): readonly string[] => outcomes.map((outcome) => (outcome.ok ? outcome.value.job.id : outcome.failure.code));
const known = (outcomes: Outcomes): readonly boolean[] => outcomes.map((outcome) => outcome.ok && outcome.value.deduplicated);
const three = ['a', 'b', 'c'].map((task) => submission({ task }));

async function keptCalls({ engine }: TestStore): Promise<readonly string[]> {
  const rows = await acrossTenants(engine.db).selectFrom('submission_calls').select('request_id').orderBy('request_id').execute();
  return rows.map(({ request_id }) => request_id);
}

async function completeAll(store: LeaseRepository): Promise<void> {
  const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 100 }));
  const done = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: null }));
  await store.complete(ALICE, CALLER, done);
}

describe('a call that comes again', () => {
  test('is answered with its jobs as they are now, and stores nothing', async () => {
    const { store } = await openTestStore();
    const made = await call(store, three);
    await store.claim(ALICE, CALLER, claimOf({ max: 1 }));
    const position = await store.latestPosition(ALICE);
    const again = await call(store, three);
    expect(idsOf(again)).toEqual(idsOf(made));
    expect([known(made), known(again)]).toEqual([Array(3).fill(false), Array(3).fill(true)]);
    expect(again).toMatchObject(['running', 'queued', 'queued'].map((state) => ({ value: { job: { state } } })));
    expect(await store.latestPosition(ALICE)).toEqual(position);
    await store.close();
  });

  const requests = fc.array(
    fc
      .record({
        queue: fc.constantFrom('q', 'q', 'other'),
        task: fc.constantFrom('t', 'u'),
        tags: fc.constantFrom([], [{ key: 'k', value: 'v' }]),
        idempotencyKey: fc.constantFrom(null, null, 'k1', 'k2'),
      })
      .map((change) => submission(change)),
    { minLength: 1, maxLength: 150 },
  );
  const WAYS = {
    later: async (store: LeaseRepository, given: readonly SubmitRequest[]) => [await call(store, given), await call(store, given)],
    'in the same commit': (store: LeaseRepository, given: readonly SubmitRequest[]) => Promise.all([call(store, given), call(store, given)]),
    'in the same commit as others': async (store: LeaseRepository, given: readonly SubmitRequest[]) => {
      const [first, , second] = await Promise.all([
        call(store, given),
        call(store, [submission({ idempotencyKey: 'k2' })], { id: 'other' }),
        call(store, given),
        submitOne(store, BOB),
      ]);
      return [first, second];
    },
  };
  test.each(Object.entries(WAYS))('%s, whatever was in it, has the same answers but that all were known', { timeout: 60_000 }, async (_name, both) => {
    await fc.assert(
      fc.asyncProperty(requests, async (given) => {
        const { store } = await openTestStore();
        const [first = [], second = []] = await both(store, given);
        expect(idsOf(second)).toEqual(idsOf(first));
        expect(known(second).filter((_, place) => second[place]?.ok)).not.toContain(false);
        const jobs = (await store.jobs(ALICE, {}, 'oldest_first', PAGE)).rows.map(({ row }) => row.id);
        const made = first.flatMap((outcome) => (outcome.ok && !outcome.value.deduplicated ? [outcome.value.job.id] : []));
        expect(jobs.filter((id) => made.includes(id))).toEqual(made);
        expect(new Set(jobs).size).toBe(jobs.length);
        expect(jobs.length - made.length).toBeLessThanOrEqual(1);
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  test('tries anew what failed, and knows that later', async () => {
    const { store } = await openTestStore();
    await store.createTenant({ id: ALICE, name: 'alice', quotas: { maxWaitingJobs: 2 } });
    const first = await call(store, three);
    expect(idsOf(first).at(-1)).toBe('QUOTA_EXCEEDED');
    expect(idsOf(await call(store, three))).toEqual(idsOf(first));
    await completeAll(store);
    const second = await call(store, three);
    expect(idsOf(second).slice(0, 2)).toEqual(idsOf(first).slice(0, 2));
    expect(known(second)).toEqual([true, true, false]);
    const third = await call(store, three);
    expect([idsOf(third), known(third)]).toEqual([idsOf(second), [true, true, true]]);
    await store.close();
  });

  test('of which one failure stores nothing, and which failed, has left nothing to know', async () => {
    const opened = await openTestStore();
    const { store } = opened;
    await store.createTenant({ id: ALICE, name: 'alice', quotas: { maxWaitingJobs: 2 } });
    expect(idsOf(await call(store, three, { allOrNothing: true }))).toEqual(['BATCH_ROLLED_BACK', 'BATCH_ROLLED_BACK', 'QUOTA_EXCEEDED']);
    expect(await keptCalls(opened)).toEqual([]);
    await store.updateTenant(ALICE, { quotas: { maxWaitingJobs: 3 } }, 'system');
    const made = await call(store, three, { allOrNothing: true });
    expect(known(made)).toEqual([false, false, false]);
    // Full now: a repeat asks for no room.
    expect(idsOf(await call(store, three, { allOrNothing: true }))).toEqual(idsOf(made));
    await store.close();
  });

  test('in another tenant is another call', async () => {
    const { store } = await openTestStore();
    const made = await call(store, three);
    const others = await call(store, three, { owner: BOB });
    expect(known(others)).toEqual([false, false, false]);
    expect(idsOf(others).filter((id) => idsOf(made).includes(id))).toEqual([]);
    await store.close();
  });
});

test('a call whose first job is of another queue is another call, so that nobody learns what was called in a queue that they may not know of', async () => {
  const { store } = await openTestStore();
  await call(store, three);
  expect(known(await call(store, [submission({ queue: 'r', task: 'other' })]))).toEqual([false]);
  await store.close();
});

describe('another call with the request id', () => {
  const OTHERS: Readonly<Record<string, readonly SubmitRequest[]>> = {
    'with one more': [...three, submission()],
    'with one less': three.slice(1),
    'in another order': three.toReversed(),
    'with another payload': [...three.slice(0, 2), submission({ task: 'c', payloadJson: '{"n":1}' })],
    'with a key': [...three.slice(0, 2), submission({ task: 'c', idempotencyKey: 'k' })],
    'with another start': [...three.slice(0, 2), submission({ task: 'c', start: { inSeconds: 0 } })],
  };
  test.each(Object.entries(OTHERS))('%s is refused, stores nothing, and harms no neighbour in its commit', async (_name, requests) => {
    const { store } = await openTestStore();
    await call(store, three);
    const [refused, neighbour] = await Promise.allSettled([call(store, requests), submitOne(store, ALICE)]);
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: { issues: [{ path: ['input', 'requestId'], message: 'was used for another call; nothing was changed, a new call needs a new one' }] },
    });
    expect((refused as PromiseRejectedResult).reason).toBeInstanceOf(InvalidRequest);
    expect(neighbour.status).toBe('fulfilled');
    expect((await store.countJobs(ALICE, {}, 1_000)).value).toBe(4);
    await store.close();
  });

  test('that is to store all or nothing is another one, too', async () => {
    const { store } = await openTestStore();
    await call(store, three);
    await expect(call(store, three, { allOrNothing: true })).rejects.toBeInstanceOf(InvalidRequest);
    await store.close();
  });
});

describe('for a day', () => {
  test('retention leaves the jobs that a call made, so that it stays known; then both go', async () => {
    const opened = await openTestStore();
    const { store, clock } = opened;
    await store.configureQueue(ALICE, CALLER, { name: 'q', expectedVersion: null, defaults: {}, retention: { completedSeconds: 60 } });
    const made = await call(store, three);
    await submitOne(store, ALICE);
    await completeAll(store);
    clock.advance(DAY_MS - 1);
    while ((await store.retain()).hasMore);
    expect((await store.countJobs(ALICE, {}, 1_000)).value).toBe(3);
    expect(idsOf(await call(store, three))).toEqual(idsOf(made));
    clock.advance(1);
    while ((await store.retain()).hasMore);
    expect(await keptCalls(opened)).toEqual([]);
    expect(known(await call(store, three))).toEqual([false, false, false]);
    await store.close();
  });

  test('a call is known, however many others there are', async () => {
    const opened = await openTestStore();
    const { store, clock } = opened;
    for (let index = 0; index < 450; index++) await call(store, [submission()], { id: `old-${index}` });
    clock.advance(1);
    await call(store, [submission()], { id: 'young' });
    clock.advance(DAY_MS - 1);
    while ((await store.retain()).hasMore);
    expect(await keptCalls(opened)).toEqual(['young']);
    await store.close();
  });

  test('what an operator has purged meanwhile is made anew', async () => {
    const { store } = await openTestStore();
    const made = await call(store, three);
    await completeAll(store);
    await store.bulk(ALICE, CALLER, { target: { ids: idsOf(made).slice(1, 2) }, action: { name: 'purge' }, limit: 1, dryRun: false });
    const again = await call(store, three);
    expect(known(again)).toEqual([true, false, true]);
    expect(idsOf(await call(store, three))).toEqual(idsOf(again));
    await store.close();
  });

  test('what an operator has purged is not taken for a job that has its number since', async () => {
    const { store } = await openTestStore();
    const made = await call(store, three);
    await completeAll(store);
    await store.bulk(ALICE, CALLER, { target: { ids: [...idsOf(made)] }, action: { name: 'purge' }, limit: 3, dryRun: false });
    const others = [await submitOne(store, ALICE), ...idsOf(await call(store, [submission(), submission()], { id: 'other' }))];
    const again = await call(store, three);
    expect(known(again)).toEqual([false, false, false]);
    expect(idsOf(again).filter((id) => others.includes(id))).toEqual([]);
    await store.close();
  });
});

test('the jobs of a call are the same when its text is read', () => {
  const seq = fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 500 }));
  const run = fc
    .tuple(seq, fc.integer({ min: 1, max: 9 }))
    .map(([first, count]) => Array.from({ length: count }, (_, index) => (first === null ? null : first + index)));
  fc.assert(
    fc.property(fc.array(run, { minLength: 1 }), (runs) => {
      expect(seqsOf(textOf(runs.flat()))).toEqual(runs.flat());
    }),
  );
  const alike: JobSeqs = Array.from({ length: 500 }, (_, index) => 7 + index);
  expect(textOf(alike)).toBe('7+500');
});
