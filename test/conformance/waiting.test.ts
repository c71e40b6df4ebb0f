/** Claims that wait: woken by what they wait for, by nothing else, and never in the way of anybody. */
import { describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ClaimAnswer } from '../../src/store/answers.ts';
import type { ClaimRequest } from '../../src/store/requests.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';
import { settleDown, type Watched, watch } from '../support/turns.ts';

const BOOM = { type: null, message: 'boom', detailsJson: null };

/** A claim that has found nothing yet and waits. */
async function waiting(store: LeaseRepository, change: Partial<ClaimRequest> = {}, signal?: AbortSignal): Promise<Watched<ClaimAnswer>> {
  const claim = watch(store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30, ...change }), signal));
  await settleDown();
  expect(claim.isOver()).toBe(false);
  return claim;
}

function idsOf({ leases }: ClaimAnswer): readonly string[] {
  return leases.map(({ job }) => job.id);
}

describe('a waiting claim', () => {
  test('is answered at once where there is something to take', async () => {
    const { store } = await openTestStore();
    const id = await submitOne(store, ALICE);
    expect(idsOf(await store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 })))).toEqual([id]);
  });

  test('is woken by a submission', async () => {
    const { store } = await openTestStore();
    const claim = await waiting(store);
    const id = await submitOne(store, ALICE);
    const answer = await claim.promise;
    expect(idsOf(answer)).toEqual([id]);
    expect(answer).toMatchObject({ idle: null, pollAgainInMs: 0 });
  });

  test('that meets the submission half way misses nothing', async () => {
    const { store } = await openTestStore();
    for (let offset = 0; offset < 30; offset++) {
      const claim = store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 }));
      await settleDown(offset % 6);
      for (let tick = 0; tick < offset; tick++) await Promise.resolve();
      const id = await submitOne(store, ALICE);
      expect(idsOf(await claim)).toEqual([id]);
    }
  });

  test.each<[string, (store: LeaseRepository, held: { readonly jobId: string; readonly leaseToken: string }) => Promise<unknown>]>([
    ['a release', (store, held) => store.release(ALICE, CALLER, [{ ...held, afterSeconds: 0 }])],
    ['a failure that is to be repeated at once', (store, held) => store.fail(ALICE, CALLER, { ...held, error: BOOM, retry: { afterSeconds: 0 } })],
  ])('is woken by %s', async (_what, act) => {
    const { store } = await openTestStore();
    const jobId = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    const claim = await waiting(store);
    await act(store, { jobId, leaseToken });
    expect(idsOf(await claim.promise)).toEqual([jobId]);
  });

  test('is woken by a redrive', async () => {
    const { store } = await openTestStore();
    const jobId = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    await store.fail(ALICE, CALLER, { jobId, leaseToken, error: BOOM, retry: { never: true } });
    const claim = await waiting(store);
    await store.redrive(ALICE, CALLER, { jobId, start: null, maxAttempts: null, payloadJson: null });
    expect(idsOf(await claim.promise)).toEqual([jobId]);
  });

  test('is woken by a reschedule to now', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await submitOne(store, ALICE, { start: { inSeconds: 3_600 } });
    const claim = await waiting(store);
    await store.reschedule(ALICE, CALLER, { jobId, start: { atMs: clock.nowMs() }, priority: null });
    expect(idsOf(await claim.promise)).toEqual([jobId]);
  });

  test('is woken when a queue is resumed', async () => {
    const { store } = await openTestStore();
    await store.pauseQueue(ALICE, CALLER, 'q', null);
    const jobId = await submitOne(store, ALICE);
    const claim = await waiting(store);
    await store.resumeQueue(ALICE, CALLER, 'q');
    expect(idsOf(await claim.promise)).toEqual([jobId]);
  });

  test('is woken when a delayed job falls due and the sweep says so', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await submitOne(store, ALICE, { start: { inSeconds: 10 } });
    const claim = await waiting(store);
    clock.advance(9_999);
    await store.sweep();
    await settleDown();
    expect(claim.isOver()).toBe(false);
    clock.advance(1);
    await store.sweep();
    expect(idsOf(await claim.promise)).toEqual([jobId]);
  });

  test('is woken when a lease lapses and the sweep says so', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await submitOne(store, ALICE);
    await claimOne(store, ALICE, { leaseSeconds: 5 });
    const claim = await waiting(store);
    clock.advance(5_000);
    await store.sweep();
    expect(await claim.promise).toMatchObject({ leases: [{ job: { id: jobId, attempt: 2 } }] });
  });

  test('is not woken by what is not for it', async () => {
    const { store } = await openTestStore();
    const claim = await waiting(store, { queues: ['q'], tasks: ['mine'] });
    await submitOne(store, ALICE, { queue: 'other', task: 'mine' });
    await submitOne(store, ALICE, { task: 'theirs' });
    await submitOne(store, BOB, { task: 'mine' });
    await submitOne(store, ALICE, { task: 'mine', start: { inSeconds: 60 } });
    await settleDown();
    expect(claim.isOver()).toBe(false);
    const id = await submitOne(store, ALICE, { task: 'mine' });
    expect(idsOf(await claim.promise)).toEqual([id]);
  });

  test('ends empty when its time is over, at the very second', async () => {
    const { store, clock } = await openTestStore();
    const claim = await waiting(store, { waitSeconds: 10 });
    clock.advance(9_999);
    await settleDown();
    expect(claim.isOver()).toBe(false);
    clock.advance(1);
    expect(await claim.promise).toMatchObject({ leases: [], idle: 'no_ready_job' });
  });

  test('tells that the queue is paused when its time is over', async () => {
    const { store, clock } = await openTestStore();
    await store.pauseQueue(ALICE, CALLER, 'q', null);
    const claim = await waiting(store, { waitSeconds: 10 });
    clock.advance(10_000);
    expect(await claim.promise).toMatchObject({ leases: [], idle: 'paused' });
  });

  test('settles what it brings before it waits, and tells so when it ends', async () => {
    const { store } = await openTestStore();
    const jobId = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    const claim = await waiting(store, { completing: [{ jobId, leaseToken, resultJson: null }] });
    expect((await store.jobById(ALICE, jobId))?.state).toBe('completed');
    await submitOne(store, ALICE);
    const { completed, leases } = await claim.promise;
    expect(completed).toMatchObject([{ ok: true, value: { replayed: false, job: { id: jobId } } }]);
    expect(leases).toHaveLength(1);
  });

  test('that brings a request id takes one job, however often it is woken', async () => {
    const { store } = await openTestStore();
    const claim = await waiting(store, { requestId: 'r1' });
    const [first] = await Promise.all([submitOne(store, ALICE), submitOne(store, ALICE)]);
    expect(idsOf(await claim.promise)).toEqual([first]);
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ queued: 1, running: 1 });
  });
});

// B14
describe('a client that goes away', () => {
  test('ends its wait at once and takes no job with it', async () => {
    const { store } = await openTestStore();
    const gone = new AbortController();
    const left = await waiting(store, { workerId: 'gone' }, gone.signal);
    gone.abort();
    expect((await left.promise).leases).toEqual([]);
    const stayed = await waiting(store, { workerId: 'there' });
    const id = await submitOne(store, ALICE);
    expect(await stayed.promise).toMatchObject({ leases: [{ job: { id, attempt: 1, lease: { workerId: 'there' } } }] });
    expect((await store.timeline(ALICE, id, null, 10)).events.map(({ kind }) => kind)).toEqual(['SUBMITTED', 'CLAIMED']);
  });

  test('at any moment around its wake-up leaves the job to whoever is told of it', async () => {
    for (let ticks = 0; ticks < 40; ticks++) {
      const { store } = await openTestStore();
      const gone = new AbortController();
      const left = await waiting(store, { workerId: 'gone' }, gone.signal);
      const stayed = await waiting(store, { workerId: 'there' });
      const submitted = submitOne(store, ALICE);
      await settleDown(Math.floor(ticks / 10));
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      gone.abort();
      const id = await submitted;
      const taken = (await left.promise).leases;
      await settleDown();
      const { lease } = (await store.jobById(ALICE, id)) ?? { lease: null };
      expect({ ticks, worker: lease?.workerId }).toEqual({ ticks, worker: taken.length > 0 ? 'gone' : 'there' });
      expect(stayed.isOver()).toBe(taken.length === 0);
      await store.close();
      await stayed.promise;
    }
  });

  test('within the commit that brings the job hands it on to the next one who waits, or was leased it', async () => {
    const takers = new Set<string | undefined>();
    for (let ticks = 0; ticks < 30; ticks++) {
      const gone = new AbortController();
      const leave = async (): Promise<void> => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        gone.abort();
      };
      const { store } = await openTestStore({ onStatement: (text) => void (text.includes('from "event_logs"') && leave()) });
      const left = await waiting(store, { workerId: 'gone' }, gone.signal);
      const stayed = await waiting(store, { workerId: 'there' });
      const id = await submitOne(store, ALICE);
      const taken = (await left.promise).leases;
      await settleDown();
      const { lease } = (await store.jobById(ALICE, id)) ?? { lease: null };
      expect({ ticks, worker: lease?.workerId }).toEqual({ ticks, worker: taken.length > 0 ? 'gone' : 'there' });
      takers.add(lease?.workerId);
      await store.close();
      await stayed.promise;
    }
    expect(takers).toEqual(new Set(['gone', 'there']));
  });

  test('before it has asked takes nothing', async () => {
    const { store } = await openTestStore();
    const answer = await store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 }), AbortSignal.abort());
    expect(answer.leases).toEqual([]);
  });
});

describe('several waiting claims', () => {
  test('are woken as many as there are jobs, in the order in which they came', async () => {
    const { store } = await openTestStore();
    const claims: Watched<ClaimAnswer>[] = [];
    for (let index = 0; index < 6; index++) claims.push(await waiting(store, { workerId: `w${index}` }));
    await store.submit(ALICE, CALLER, [submission(), submission(), submission()], true);
    await settleDown();
    expect(claims.map((claim) => claim.isOver())).toEqual([true, true, true, false, false, false]);
    await submitOne(store, ALICE);
    await settleDown();
    expect(claims.filter((claim) => claim.isOver())).toHaveLength(4);
    store.stopWaiting();
    await Promise.all(claims.map(({ promise }) => promise));
  });

  test('are not all sent looking for one job', async () => {
    const { store } = await openTestStore();
    const claims: Watched<ClaimAnswer>[] = [];
    for (let index = 0; index < 10; index++) claims.push(await waiting(store));
    let operations = 0;
    store.onCommit((report) => (operations += report.operations));
    await submitOne(store, ALICE);
    await settleDown();
    expect(operations).toBe(2);
    store.stopWaiting();
    await Promise.all(claims.map(({ promise }) => promise));
  });

  test('share what comes: one that finds nothing goes on waiting', async () => {
    const { store } = await openTestStore();
    const greedy = await waiting(store, { max: 10 });
    const patient = await waiting(store, { max: 10 });
    const outcomes = await store.submit(ALICE, CALLER, [submission(), submission(), submission()], true);
    expect(outcomes).toHaveLength(3);
    expect((await greedy.promise).leases).toHaveLength(3);
    await settleDown();
    expect(patient.isOver()).toBe(false);
    const id = await submitOne(store, ALICE);
    expect(idsOf(await patient.promise)).toEqual([id]);
  });

  test('each get the task that they can do, whoever came first', async () => {
    const { store } = await openTestStore();
    const mail = await waiting(store, { tasks: ['mail'] });
    const pdf = await waiting(store, { tasks: ['pdf'] });
    const any = await waiting(store);
    const first = await submitOne(store, ALICE, { task: 'pdf' });
    expect(idsOf(await pdf.promise)).toEqual([first]);
    const second = await submitOne(store, ALICE, { task: 'video' });
    expect(idsOf(await any.promise)).toEqual([second]);
    expect(mail.isOver()).toBe(false);
    const third = await submitOne(store, ALICE, { task: 'mail' });
    expect(idsOf(await mail.promise)).toEqual([third]);
  });

  test('end when the store stops, and say so', async () => {
    const { store } = await openTestStore();
    const claims = [await waiting(store), await waiting(store), await waiting(store, { queues: ['other'] })];
    store.stopWaiting();
    for (const { promise } of claims) expect(await promise).toMatchObject({ leases: [], idle: 'shutting_down' });
    const late = await store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 }));
    expect(late).toMatchObject({ leases: [], idle: 'shutting_down' });
  });

  test('do not keep others from working', async () => {
    const { store } = await openTestStore();
    const claims: Watched<ClaimAnswer>[] = [];
    for (let index = 0; index < 20; index++) claims.push(await waiting(store, { queues: ['quiet'] }));
    const id = await submitOne(store, ALICE);
    expect((await claimOne(store, ALICE)).job.id).toBe(id);
    store.stopWaiting();
    await Promise.all(claims.map(({ promise }) => promise));
  });
});
