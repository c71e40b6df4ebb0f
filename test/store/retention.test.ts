import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder, type TestStore } from '../support/store.ts';
import { watch } from '../support/turns.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ERROR = { type: null, message: 'broken', detailsJson: null };

async function retainAll(store: LeaseRepository, onStep = (): void => {}): Promise<number> {
  let [removed, hasMore] = [0, true];
  while (hasMore) {
    const step = await store.retain();
    expect(step.removed).toBeLessThanOrEqual(2 * LIMITS.purgeJobsPerStepMax);
    removed += step.removed;
    onStep();
    hasMore = step.hasMore;
  }
  return removed;
}

async function completeAll(store: LeaseRepository, count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 100 }));
    await store.complete(
      ALICE,
      CALLER,
      leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: null })),
    );
    left -= leases.length;
  }
}

async function rowsLeft({ engine }: TestStore): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of ['jobs', 'events', 'attempts', 'job_tags']) {
    const { rows } = await sql<{ found: number }>`select count(*) as found from ${sql.table(table)}`.execute(acrossTenants(engine.db));
    counts[table] = rows[0]?.found ?? -1;
  }
  return counts;
}

describe('retention', () => {
  test('is measured from the end of the job, and only for ended jobs (B95)', async () => {
    const { store, clock } = await openTestStore();
    const waiting = await submitOne(store, ALICE, { queue: 'waiting' });
    const running = await submitOne(store, ALICE, { queue: 'running' });
    const redriven = await submitOne(store, ALICE, { queue: 'dead' });
    const toComplete = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE, { queues: ['dead'] });
    await store.fail(ALICE, CALLER, { jobId: redriven, leaseToken, error: ERROR, retry: { never: true } });
    clock.advance(30 * DAY_MS);
    await claimOne(store, ALICE, { queues: ['running'], leaseSeconds: 3600 });
    await store.redrive(ALICE, CALLER, { jobId: redriven, start: null, maxAttempts: null, payloadJson: null });
    await completeAll(store, 1);
    expect(await retainAll(store)).toBe(0);
    clock.advance(7 * DAY_MS - 1);
    expect(await retainAll(store)).toBe(0);
    clock.advance(1);
    expect(await retainAll(store)).toBe(1);
    expect(await store.jobById(ALICE, toComplete)).toBeNull();
    for (const id of [waiting, running, redriven]) expect(await store.jobById(ALICE, id)).not.toBeNull();
    await store.close();
  });

  test('never reopens an idempotency window early', async () => {
    const { store, clock } = await openTestStore();
    await store.configureQueue(ALICE, CALLER, { name: 'q', expectedVersion: null, defaults: {}, retention: { completedSeconds: 60 } });
    const keyed = await submitOne(store, ALICE, { idempotencyKey: 'k' });
    const free = await submitOne(store, ALICE);
    await completeAll(store, 2);
    clock.advance(61_000);
    expect(await retainAll(store)).toBe(1);
    expect(await store.jobById(ALICE, free)).toBeNull();
    clock.advance(DAY_MS - 61_000 - 1);
    expect(await retainAll(store)).toBe(0);
    expect(await store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false)).toMatchObject([
      { ok: true, value: { deduplicated: true, job: { id: keyed } } },
    ]);
    clock.advance(1);
    expect(await retainAll(store)).toBe(1);
    expect(await store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false)).toMatchObject([{ ok: true, value: { deduplicated: false } }]);
    await store.close();
  });

  test('leaves no row of a removed job in any table (B97), in small steps (B94)', async () => {
    const test = await openTestStore();
    const { store, clock } = test;
    const jobs = Array.from({ length: 400 }, (_, index) => submission({ idempotencyKey: `k${index}`, tags: [{ key: 'a', value: 'b' }] }));
    await store.submit(ALICE, CALLER, jobs, false);
    await completeAll(store, 400);
    expect(await rowsLeft(test)).toEqual({ jobs: 400, events: 1200, attempts: 400, job_tags: 400 });
    clock.advance(7 * DAY_MS);
    expect(await retainAll(store)).toBe(400);
    expect(await rowsLeft(test)).toEqual({ jobs: 0, events: 0, attempts: 0, job_tags: 0 });
    expect((await store.stats(ALICE)).counts.completed).toBe(0);
    await store.close();
  });

  test('lets heartbeats in between any two steps, and nobody loses a lease (B94)', async () => {
    using folder = temporaryFolder();
    const { store, clock } = await openTestStore({ path: folder.file('x.db') });
    const jobs = Array.from({ length: 500 }, () => submission({ payloadJson: JSON.stringify({ text: 'x'.repeat(1_000) }) }));
    for (let round = 0; round < 6; round++) await store.submit(ALICE, CALLER, jobs, false);
    await completeAll(store, 3_000);
    clock.advance(7 * DAY_MS);
    const held = await submitOne(store, ALICE, { queue: 'held' });
    const { leaseToken } = await claimOne(store, ALICE, { queues: ['held'], leaseSeconds: 30 });
    let [steps, heartbeats] = [0, 0];
    const cleaning = watch(
      retainAll(store, () => {
        steps += 1;
        // Between two steps, where nobody reads: a read beside the writer is ended when its time is over.
        clock.advance(5_000);
      }),
    );
    while (!cleaning.isOver()) {
      const { results } = await store.heartbeat(ALICE, CALLER, [{ jobId: held, leaseToken, extendSeconds: null, progress: null }]);
      expect(results).toMatchObject([{ ok: true }]);
      heartbeats += 1;
    }
    expect(await cleaning.promise).toBe(3_000);
    // None waits for more than the step that is running.
    expect(heartbeats).toBeGreaterThanOrEqual(steps - 1);
    expect(steps).toBeGreaterThanOrEqual(3_000 / LIMITS.purgeJobsPerStepMax);
    expect((await store.stats(ALICE)).counts).toMatchObject({ completed: 0, running: 1 });
    await store.close();
  });

  test('0 keeps for ever', async () => {
    const { store, clock } = await openTestStore();
    await store.configureQueue(ALICE, CALLER, { name: 'q', expectedVersion: null, defaults: {}, retention: { completedSeconds: 0 } });
    const id = await submitOne(store, ALICE);
    await completeAll(store, 1);
    clock.advance(3_650 * DAY_MS);
    expect(await retainAll(store)).toBe(0);
    expect((await store.jobById(ALICE, id))?.purgeAtMs).toBeNull();
    await store.close();
  });

  test('removes the last word about a purged job as late as a finished one', async () => {
    const { store, clock } = await openTestStore();
    const id = await submitOne(store, ALICE);
    await store.cancel(ALICE, CALLER, { jobId: id, reason: null, force: false });
    await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'purge' }, limit: 1, dryRun: false });
    clock.advance(7 * DAY_MS - 1);
    await retainAll(store);
    expect((await store.eventsAfter(ALICE, null, {}, 10)).events.map(({ kind }) => kind)).toEqual(['PURGED']);
    clock.advance(1);
    expect(await retainAll(store)).toBe(1);
    expect((await store.eventsAfter(ALICE, null, {}, 10)).events).toEqual([]);
    await store.close();
  });
});

describe('a late message about a removed job', () => {
  test('finds nothing and leaves nothing (B11)', async () => {
    const test = await openTestStore();
    const { store, clock } = test;
    await submitOne(store, ALICE);
    const { job, leaseToken } = await claimOne(store, ALICE);
    await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
    clock.advance(7 * DAY_MS);
    await retainAll(store);
    const unknown = { ok: false, failure: { code: 'JOB_NOT_FOUND', jobId: job.id } };
    expect(await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }])).toEqual([unknown]);
    expect(await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: ERROR, retry: null })).toEqual(unknown);
    expect((await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }])).results).toEqual([unknown]);
    expect(await rowsLeft(test)).toEqual({ jobs: 0, events: 0, attempts: 0, job_tags: 0 });
    await store.close();
  });
});

describe('the sweeper', () => {
  test('recovers a lease of a queue that nobody asks for again, once (B08, B13)', async () => {
    const { store, clock } = await openTestStore();
    const id = await submitOne(store, ALICE, { queue: 'mail' });
    await claimOne(store, ALICE, { queues: ['mail'], leaseSeconds: 30 });
    clock.advance(30_000);
    expect(await store.sweep()).toMatchObject({ expired: 1, hasMore: false });
    expect(await store.sweep()).toMatchObject({ expired: 0 });
    expect(await store.jobById(ALICE, id)).toMatchObject({ state: 'retry', attempt: 1, lease: null });
    expect((await store.queueStats(ALICE, 'mail')).counts).toMatchObject({ running: 0, retry: 1 });
    await store.close();
  });

  test('takes a few of many queues at a time, so that a claim waits behind a few', async () => {
    const { store, clock } = await openTestStore();
    for (let number = 0; number < 50; number++) await submitOne(store, ALICE, { queue: `q${number}`, start: { inSeconds: 60 } });
    clock.advance(60_000);
    const promoted: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const report = await store.sweep();
      promoted.push(report.promoted);
      ({ hasMore } = report);
    }
    expect(promoted).toEqual([20, 20, 10]);
    await store.close();
  });

  test('forgets no queue where the sweep of one failed', async () => {
    const { store, clock, engine } = await openTestStore();
    for (const queue of ['a', 'b', 'c']) {
      await submitOne(store, ALICE, { queue });
      await claimOne(store, ALICE, { queues: [queue], leaseSeconds: 30 });
    }
    clock.advance(30_000);
    await sql
      .raw(`create temp trigger planted before update on main.jobs when new.queue_name = 'b' begin select raise(abort, 'planted'); end`)
      .execute(acrossTenants(engine.db));
    await expect(store.sweep()).rejects.toThrow('planted');
    await sql`drop trigger planted`.execute(engine.db);
    await store.sweep();
    expect((await store.stats(ALICE)).counts).toMatchObject({ running: 0, retry: 3 });
    await store.close();
  });

  test('says when to come again: the next delayed job, whoever submitted it', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, BOB, { start: { inSeconds: 90 } });
    await submitOne(store, ALICE, { start: { inSeconds: 60 } });
    expect((await store.sweep()).nextDueAtMs).toBe(clock.nowMs() + 60_000);
    clock.advance(60_000);
    expect(await store.sweep()).toMatchObject({ promoted: 1, nextDueAtMs: clock.nowMs() + 30_000 });
    expect(await store.queueStats(ALICE, 'q')).toMatchObject({ ready: 1, delayed: 0 });
    await store.close();
  });

  test('after a restart knows what it has not seen itself', async () => {
    using folder = temporaryFolder();
    const first = await openTestStore({ path: folder.file('x.db') });
    await submitOne(first.store, ALICE, { queue: 'later', start: { inSeconds: 30 } });
    await submitOne(first.store, ALICE);
    await claimOne(first.store, ALICE, { leaseSeconds: 30 });
    await first.store.close();
    first.clock.advance(30_000);
    const second = await openTestStore({ path: folder.file('x.db'), clock: first.clock });
    expect(await second.store.sweep()).toMatchObject({ expired: 1, promoted: 1 });
    await second.store.close();
  });
});
