/** Calls that meet: each race has one winner, and everybody is told the truth. */
import { describe, expect, test } from 'vitest';
import type { JobState } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { ALICE, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';

const ROUNDS = 200;
const BOOM = { type: null, message: 'boom', detailsJson: null };
const EVERY_JOB = { after: null, before: null, limit: 100, fromEnd: false };

async function submitMany(store: LeaseRepository, count: number): Promise<readonly string[]> {
  const outcomes = await store.submit(
    ALICE,
    CALLER,
    Array.from({ length: count }, () => submission()),
    true,
  );
  return outcomes.flatMap((outcome) => (outcome.ok ? outcome.value.job.id : []));
}

async function stateOf(store: LeaseRepository, id: string): Promise<JobState | undefined> {
  return (await store.jobById(ALICE, id))?.state;
}

async function kindsOf(store: LeaseRepository, id: string): Promise<readonly string[]> {
  return (await store.timeline(ALICE, id, null, 100)).events.map(({ kind }) => kind);
}

/** Two calls fired together, the first one first or last. */
function together<A, B>(isFirstFirst: boolean, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  if (isFirstFirst) return Promise.all([first(), second()]);
  const later = second();
  return Promise.all([first(), later]);
}

describe('claims at once', () => {
  test('never share a job and lose none', async () => {
    const { store } = await openTestStore();
    const ids = await submitMany(store, 30);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => store.claim(ALICE, CALLER, claimOf({ workerId: `w${index}` }))));
    const leases = answers.flatMap((answer) => answer.leases);
    expect(leases.map(({ job }) => job.id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(leases.map(({ leaseToken }) => leaseToken)).size).toBe(30);
    expect(answers.filter(({ leases: taken, idle }) => taken.length === 0 && idle === 'no_ready_job')).toHaveLength(20);
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ queued: 0, running: 30 });
  });

  // B55
  test.each([1, 5])('take %i at most each, and as many jobs run as were given out', async (max) => {
    const { store } = await openTestStore();
    await submitMany(store, 50);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.claim(ALICE, CALLER, claimOf({ max }))));
    const taken = answers.map(({ leases }) => leases.length);
    expect(Math.max(...taken)).toBe(max);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(Math.min(50, 20 * max));
    expect((await store.queueStats(ALICE, 'q')).counts.running).toBe(Math.min(50, 20 * max));
  });

  test('by workers that finish and take more in one call run every job exactly once', async () => {
    const { store } = await openTestStore();
    const ids = await submitMany(store, 120);
    const done: string[] = [];
    const work = async (workerId: string): Promise<void> => {
      let held: { readonly jobId: string; readonly leaseToken: string; readonly resultJson: null }[] = [];
      for (;;) {
        const { completed, leases } = await store.claim(ALICE, CALLER, claimOf({ workerId, max: 4, completing: held }));
        done.push(...completed.flatMap((outcome) => (outcome.ok && !outcome.value.replayed ? outcome.value.job.id : [])));
        held = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: null }));
        if (held.length === 0) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(`w${index}`)));
    expect(done.toSorted()).toEqual(ids.toSorted());
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ completed: 120, running: 0, queued: 0 });
  });

  test('with the same request id give the same lease under one live token', async () => {
    const { store } = await openTestStore();
    await submitMany(store, 5);
    const answers = await Promise.all(Array.from({ length: 10 }, () => store.claim(ALICE, CALLER, claimOf({ requestId: 'r1' }))));
    const leases = answers.flatMap((answer) => answer.leases);
    expect(new Set(leases.map(({ job }) => job.id)).size).toBe(1);
    const beats = await Promise.all(
      leases.map(({ job, leaseToken }) => store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }])),
    );
    expect(beats.filter(({ results: [result] }) => result?.ok === true)).toHaveLength(1);
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ queued: 4, running: 1 });
  });
});

// B56
describe('cancel against claim', () => {
  async function race(store: LeaseRepository, jobId: string, isCancelFirst: boolean): Promise<JobState | undefined> {
    const [cancelled, { leases }] = await together(
      isCancelFirst,
      () => store.cancel(ALICE, CALLER, { jobId, reason: null, force: false }),
      () => store.claim(ALICE, CALLER, claimOf()),
    );
    const state = await stateOf(store, jobId);
    const [lease] = leases;
    expect(cancelled.ok).toBe(true);
    expect(lease === undefined ? 'cancelled' : 'running').toBe(state);
    expect(cancelled.ok && cancelled.value.finished).toBe(state === 'cancelled');
    if (lease !== undefined) {
      const settled = await store.release(ALICE, CALLER, [{ jobId, leaseToken: lease.leaseToken, afterSeconds: 0 }]);
      expect(settled[0]).toMatchObject({ ok: true, value: { job: { state: 'cancelled' } } });
    }
    return state;
  }

  test('of a queued job ends cancelled without a claim, or running with the wish told', async () => {
    const { store } = await openTestStore();
    const ends: (JobState | undefined)[] = [];
    for (let round = 0; round < ROUNDS; round++) ends.push(await race(store, await submitOne(store, ALICE), round % 2 === 0));
    expect(new Set(ends)).toEqual(new Set(['cancelled', 'running']));
    expect((await store.queueStats(ALICE, 'q')).counts).toEqual({ queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: ROUNDS });
  });

  test('of a job whose retry has just fallen due ends the same way', async () => {
    const { store, clock } = await openTestStore();
    for (let round = 0; round < 50; round++) {
      const jobId = await submitOne(store, ALICE, { retryBaseSeconds: 1 });
      const { leaseToken } = await claimOne(store, ALICE);
      await store.fail(ALICE, CALLER, { jobId, leaseToken, error: BOOM, retry: null });
      clock.advance(1_000);
      await race(store, jobId, round % 2 === 0);
    }
    expect((await store.queueStats(ALICE, 'q')).counts.cancelled).toBe(50);
  });

  test('with force leaves no live token behind', async () => {
    const { store } = await openTestStore();
    for (let round = 0; round < 50; round++) {
      const jobId = await submitOne(store, ALICE);
      const [, { leases }] = await together(
        round % 2 === 0,
        () => store.cancel(ALICE, CALLER, { jobId, reason: null, force: true }),
        () => store.claim(ALICE, CALLER, claimOf()),
      );
      expect(await stateOf(store, jobId)).toBe('cancelled');
      const beats = await store.heartbeat(
        ALICE,
        CALLER,
        leases.map(({ leaseToken }) => ({ jobId, leaseToken, extendSeconds: null, progress: null })),
      );
      expect(beats.results.every((result) => !result.ok && result.failure.code === 'LEASE_LOST' && result.failure.reason === 'revoked')).toBe(true);
    }
  });
});

describe('one token, two verbs at once', () => {
  test('complete and fail: exactly one wins, and the other learns that the lease is over', async () => {
    const { store } = await openTestStore();
    const ends: (JobState | undefined)[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const jobId = await submitOne(store, ALICE, { maxAttempts: 1 });
      const { leaseToken } = await claimOne(store, ALICE);
      const [[completed], failure] = await together(
        round % 2 === 0,
        () => store.complete(ALICE, CALLER, [{ jobId, leaseToken, resultJson: null }]),
        () => store.fail(ALICE, CALLER, { jobId, leaseToken, error: BOOM, retry: null }),
      );
      const state = await stateOf(store, jobId);
      expect([completed?.ok, failure.ok]).toEqual(state === 'completed' ? [true, false] : [false, true]);
      const loser = completed?.ok === false ? completed.failure : failure.ok ? null : failure.failure;
      expect(loser).toMatchObject({ code: 'LEASE_LOST', reason: 'finished' });
      expect(await kindsOf(store, jobId)).toEqual(['SUBMITTED', 'CLAIMED', state === 'completed' ? 'COMPLETED' : 'DEAD_LETTERED']);
      ends.push(state);
    }
    expect(new Set(ends)).toEqual(new Set(['completed', 'dead']));
  });

  // B58
  test('heartbeat and complete: the job is completed and no half lease is left', async () => {
    const { store } = await openTestStore();
    for (let round = 0; round < ROUNDS; round++) {
      const jobId = await submitOne(store, ALICE);
      const { leaseToken } = await claimOne(store, ALICE);
      const [{ results }, [completed]] = await together(
        round % 2 === 0,
        () => store.heartbeat(ALICE, CALLER, [{ jobId, leaseToken, extendSeconds: null, progress: null }]),
        () => store.complete(ALICE, CALLER, [{ jobId, leaseToken, resultJson: null }]),
      );
      expect(completed?.ok).toBe(true);
      const [beat] = results;
      expect(beat?.ok === true || (beat?.failure.code === 'LEASE_LOST' && beat.failure.reason === 'finished')).toBe(true);
      expect(await store.jobById(ALICE, jobId)).toMatchObject({ state: 'completed', lease: null });
    }
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ running: 0, completed: ROUNDS });
  });

  test('the same complete ten times: one settles, nine are repeats', async () => {
    const { store } = await openTestStore();
    const jobId = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.complete(ALICE, CALLER, [{ jobId, leaseToken, resultJson: '{"n":1}' }])));
    expect(outcomes.every(([outcome]) => outcome?.ok)).toBe(true);
    expect(outcomes.filter(([outcome]) => outcome?.ok === true && !outcome.value.replayed)).toHaveLength(1);
    expect(await kindsOf(store, jobId)).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
  });

  test('a lease at its last millisecond is either completed or recovered, never both', async () => {
    const { store, clock } = await openTestStore();
    for (let round = 0; round < 50; round++) {
      const jobId = await submitOne(store, ALICE);
      const { leaseToken } = await claimOne(store, ALICE, { leaseSeconds: 5 });
      clock.advance(round % 2 === 0 ? 4_999 : 5_000);
      const [[completed]] = await together(
        round % 4 < 2,
        () => store.complete(ALICE, CALLER, [{ jobId, leaseToken, resultJson: null }]),
        () => store.sweep(),
      );
      const state = await stateOf(store, jobId);
      expect({ round, ok: completed?.ok, state }).toEqual({ round, ok: round % 2 === 0, state: round % 2 === 0 ? 'completed' : 'retry' });
      await store.cancel(ALICE, CALLER, { jobId, reason: null, force: true });
    }
  });
});

// B34
describe('submissions at once', () => {
  test('of one key and one request make one job and no error', async () => {
    const { store } = await openTestStore();
    let deduplicated = 0;
    store.onCommit((report) => (deduplicated += report.deduplicated));
    const outcomes = (await Promise.all(Array.from({ length: 50 }, () => store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false)))).flat();
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.job.id)).size).toBe(1);
    expect(outcomes.filter((outcome) => outcome.ok && !outcome.value.deduplicated)).toHaveLength(1);
    expect((await store.eventsAfter(ALICE, null, {}, 100)).events.map(({ kind }) => kind)).toEqual(['SUBMITTED']);
    expect((await store.queueStats(ALICE, 'q')).counts.queued).toBe(1);
    expect(deduplicated).toBe(49);
  });

  test('of one key and different requests make one job, and the others learn what differs', async () => {
    const { store } = await openTestStore();
    const outcomes = (
      await Promise.all([1, 2, 3, 4].map((priority) => store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k', priority })], false)))
    ).flat();
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const conflicts = outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.failure));
    expect(conflicts).toHaveLength(3);
    for (const conflict of conflicts) expect(conflict).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', differingFields: ['priority'] });
  });

  test('keep the order in which they were made', async () => {
    const { store } = await openTestStore();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.submit(ALICE, CALLER, [submission()], false)));
    const submitted = outcomes.flat().map((outcome) => (outcome.ok ? outcome.value.job.id : ''));
    const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 50 }));
    expect(leases.map(({ job }) => job.id)).toEqual(submitted);
  });

  test('of a batch that is all or nothing leave nothing behind where one item fails', async () => {
    const { store } = await openTestStore();
    const first = await submitOne(store, ALICE, { queue: 'old', idempotencyKey: 'taken' });
    const before = await store.latestPosition(ALICE);
    const requests = [
      submission({ queue: 'new', idempotencyKey: 'fresh' }),
      submission({ queue: 'old', idempotencyKey: 'taken', priority: 9 }),
      submission({ queue: 'old' }),
    ];
    const outcomes = await store.submit(ALICE, CALLER, requests, true);
    expect(outcomes.map((outcome) => (outcome.ok ? 'stored' : outcome.failure.code))).toEqual([
      'BATCH_ROLLED_BACK',
      'IDEMPOTENCY_CONFLICT',
      'BATCH_ROLLED_BACK',
    ]);
    expect((await store.jobs(ALICE, {}, 'oldest_first', EVERY_JOB)).rows.map(({ row }) => row.id)).toEqual([first]);
    expect(await store.latestPosition(ALICE)).toEqual(before);
    expect((await store.queueStats(ALICE, 'old')).counts.queued).toBe(1);
    expect(await store.queue(ALICE, 'new')).toBeNull();
    expect(await store.jobByIdempotencyKey(ALICE, 'new', 'fresh')).toBeNull();
    expect((await store.claim(ALICE, CALLER, claimOf({ queues: ['new', 'old'], max: 9 }))).leases).toHaveLength(1);
    const again = await store.submit(ALICE, CALLER, [submission({ queue: 'new', idempotencyKey: 'fresh' })], true);
    expect(again[0]).toMatchObject({ ok: true, value: { deduplicated: false } });
  });

  test('of a failing batch do not disturb a neighbour that shares the commit', async () => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE, { idempotencyKey: 'taken' });
    const failing = [submission({ idempotencyKey: 'a' }), submission({ idempotencyKey: 'taken', priority: 9 })];
    const [before, failed, after] = await Promise.all([
      store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'before' })], false),
      store.submit(ALICE, CALLER, failing, true),
      store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'a' })], false),
    ]);
    expect(before[0]?.ok).toBe(true);
    expect(failed.map(({ ok }) => ok)).toEqual([false, false]);
    expect(after[0]).toMatchObject({ ok: true, value: { deduplicated: false } });
    expect((await store.eventsAfter(ALICE, null, {}, 100)).events.map(({ kind }) => kind)).toEqual(['SUBMITTED', 'SUBMITTED', 'SUBMITTED']);
  });
});

// B02
test('sweeps and claims at once record each lapse once', async () => {
  const { store, clock } = await openTestStore();
  const ids = await submitMany(store, 20);
  await store.claim(ALICE, CALLER, claimOf({ max: 20, leaseSeconds: 5 }));
  clock.advance(5_000);
  const reports = await Promise.all([
    store.sweep(),
    store.claim(ALICE, CALLER, claimOf({ max: 20 })),
    store.sweep(),
    store.claim(ALICE, CALLER, claimOf({ max: 20 })),
    store.sweep(),
  ]);
  expect(reports).toHaveLength(5);
  for (const id of ids) expect(await kindsOf(store, id)).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED']);
});

// B140
test('two bulk redrives at once redrive each job once', async () => {
  const { store, clock } = await openTestStore();
  await store.submit(
    ALICE,
    CALLER,
    Array.from({ length: 100 }, () => submission({ maxAttempts: 1 })),
    true,
  );
  await store.claim(ALICE, CALLER, claimOf({ max: 100, leaseSeconds: 5 }));
  clock.advance(5_000);
  await store.sweep();
  const request = {
    target: { filter: { queues: ['q'], states: ['dead'] as const } },
    action: { name: 'redrive', start: null } as const,
    limit: 1_000,
    dryRun: false,
  };
  const answers = await Promise.all([store.bulk(ALICE, CALLER, request), store.bulk(ALICE, CALLER, request)]);
  expect(answers.reduce((sum, { changed }) => sum + changed, 0)).toBe(100);
  const { events } = await store.eventsAfter(ALICE, null, { kinds: ['REDRIVEN'] }, 1_000);
  expect(new Set(events.map(({ jobId }) => jobId)).size).toBe(100);
  expect(events).toHaveLength(100);
});
