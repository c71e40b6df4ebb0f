/** Figures: counted along with every change, per queue and per tenant. */
import { describe, expect, test } from 'vitest';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';

const ERROR = { type: null, message: 'boom', detailsJson: null };

describe('the figures of a queue', () => {
  test('that nobody has used are all zero', async () => {
    const { store } = await openTestStore();
    const none = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0 };
    expect(await store.queueStats(ALICE, 'never')).toEqual({
      counts: none,
      ready: 0,
      delayed: 0,
      oldestReadySeconds: null,
      throughput: { submitted: 0, claimed: 0, completed: 0, failed: 0 },
      lastHour: { waitP95Seconds: null, runP95Seconds: null, died: 0 },
    });
  });

  test('tell what went through over the last minute, per second, and forget it after', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 30 }, () => submission()),
      true,
    );
    clock.advance(10_000);
    const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 12 }));
    const held = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
    await store.complete(
      ALICE,
      CALLER,
      held.slice(0, 6).map((item) => ({ ...item, resultJson: null })),
    );
    for (const item of held.slice(6, 9)) await store.fail(ALICE, CALLER, { ...item, error: ERROR, retry: null });
    const rates = (await store.queueStats(ALICE, 'q')).throughput;
    expect(rates).toEqual({ submitted: 0.5, claimed: 0.2, completed: 0.1, failed: 0.05 });
    expect((await store.stats(ALICE)).throughput).toEqual(rates);
    clock.advance(70_000);
    expect((await store.queueStats(ALICE, 'q')).throughput).toEqual({ submitted: 0, claimed: 0, completed: 0, failed: 0 });
  });

  // B100
  test('tell the age of what could run, not of what waits for its time or stands in a paused queue', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE, { start: { inSeconds: 100 } });
    clock.advance(40_000);
    await submitOne(store, ALICE);
    clock.advance(20_000);
    expect((await store.queueStats(ALICE, 'q')).oldestReadySeconds).toBe(20);
    await claimOne(store, ALICE);
    expect((await store.queueStats(ALICE, 'q')).oldestReadySeconds).toBeNull();
    clock.advance(70_000);
    await store.sweep();
    expect((await store.queueStats(ALICE, 'q')).oldestReadySeconds).toBe(30);
    await store.pauseQueue(ALICE, CALLER, 'q', null);
    expect((await store.queueStats(ALICE, 'q')).oldestReadySeconds).toBeNull();
    expect((await store.stats(ALICE)).oldestReadySeconds).toBeNull();
  });
});

describe('the figures of a tenant', () => {
  test('are the sum over its queues, and hold nothing of another', async () => {
    const { store, clock } = await openTestStore();
    for (const queue of ['a', 'b', 'c'])
      await store.submit(ALICE, CALLER, [submission({ queue }), submission({ queue }), submission({ queue, start: { inSeconds: 60 } })], true);
    await submitOne(store, BOB);
    await claimOne(store, ALICE, { queues: ['a'], workerId: 'w1' });
    const { job, leaseToken } = await claimOne(store, ALICE, { queues: ['b'], workerId: 'w2' });
    await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
    clock.advance(5_000);
    expect(await store.stats(ALICE)).toMatchObject({
      counts: { queued: 7, running: 1, retry: 0, completed: 1, dead: 0, cancelled: 0 },
      ready: 4,
      oldestReadySeconds: 5,
      workers: 2,
      asOfMs: clock.nowMs(),
    });
    expect(await store.stats(BOB)).toMatchObject({ counts: { queued: 1, running: 0 }, workers: 0 });
  });

  test('name the workers that were heard of, what they hold, and where they look', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(ALICE, CALLER, [submission(), submission(), submission({ queue: 'other' })], true);
    await store.claim(ALICE, CALLER, claimOf({ workerId: 'busy', max: 2 }));
    clock.advance(1_000);
    await store.claim(ALICE, CALLER, claimOf({ workerId: 'idle', queues: ['nothing', 'q'] }));
    expect(await store.workers(ALICE, clock.nowMs() - 60_000)).toEqual([
      expect.objectContaining({ id: 'busy', queues: ['q'], runningJobs: 2, lastSeenAtMs: clock.nowMs() - 1_000 }),
      expect.objectContaining({ id: 'idle', queues: ['nothing', 'q'], runningJobs: 0, lastSeenAtMs: clock.nowMs() }),
    ]);
    expect(await store.workers(BOB, 0)).toEqual([]);
    clock.advance(3_600_000);
    await store.sweep();
    expect((await store.workers(ALICE, clock.nowMs() - 60_000)).map(({ id }) => id)).toEqual([]);
  });
});

describe('how soon to ask again', () => {
  test('is at once after a job, and no later than the next job that falls due', async () => {
    const { store } = await openTestStore();
    expect((await store.claim(ALICE, CALLER, claimOf())).pollAgainInMs).toBeGreaterThan(0);
    await submitOne(store, ALICE);
    expect((await store.claim(ALICE, CALLER, claimOf())).pollAgainInMs).toBe(0);
    await submitOne(store, ALICE, { start: { atMs: store.nowMs() + 300 } });
    const { pollAgainInMs } = await store.claim(ALICE, CALLER, claimOf());
    expect(pollAgainInMs).toBeGreaterThan(0);
    expect(pollAgainInMs).toBeLessThanOrEqual(300);
  });
});
