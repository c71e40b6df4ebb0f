/** What is written together leaves the database as if each row had been written alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { CompleteRequest } from '../../src/store/requests.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { ALICE, CALLER, claimOf, openTestStore, submission } from '../support/store.ts';

const PAGE = { after: null, before: null, limit: 100, fromEnd: false };

/** Mostly alike, as what one producer sends is, and now and then not. */
const requests = fc.array(
  fc
    .record(
      {
        queue: fc.constantFrom('q', 'q', 'q', 'other'),
        task: fc.constantFrom('t', 'u'),
        payloadJson: fc.constantFrom('{}', '{"n":1}', '{"text":"é😀"}'),
        priority: fc.constantFrom(null, null, null, 7),
        maxAttempts: fc.constantFrom(null, null, 3),
        start: fc.constantFrom(null, null, { inSeconds: 60 }, { atMs: 0 }),
        concurrencyKey: fc.constantFrom(null, null, 'c'),
        tags: fc.constantFrom(
          [],
          [],
          [{ key: 'k', value: 'v' }],
          ['a', 'b'].map((key) => ({ key, value: 'v' })),
        ),
        idempotencyKey: fc.oneof(fc.constant(null), fc.constantFrom('k1', 'k2', 'k3'), fc.uuid()),
      },
      { requiredKeys: [] },
    )
    .map((change): SubmitRequest => submission(change)),
  { minLength: 1, maxLength: 150 },
);

type Submit = (store: LeaseRepository, requests: readonly SubmitRequest[]) => Promise<unknown>;

const submitOne = (store: LeaseRepository, request: SubmitRequest) => store.submit(ALICE, CALLER, [request], false);

const WAYS: Readonly<Record<string, Submit>> = {
  'one after the other': async (store, given) => {
    for (const request of given) await submitOne(store, request);
  },
  'in one batch': (store, given) => store.submit(ALICE, CALLER, given, false),
  'in one commit': (store, given) => Promise.all(given.map((request) => submitOne(store, request))),
  'in two batches of one commit': (store, given) => Promise.all([given.slice(0, 70), given.slice(70)].map((part) => store.submit(ALICE, CALLER, part, false))),
};

type Settle = (store: LeaseRepository, items: readonly CompleteRequest[]) => Promise<unknown>;

const TABLES = ['jobs', 'events', 'attempts', 'job_tags', 'workers', 'queues', 'queue_counters', 'queue_activity', 'tenant_usage', 'event_logs'] as const;

/** Everything that is stored once `work` is done. */
async function storedAfter(work: (store: LeaseRepository, clock: ManualClock) => Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  const { store, engine, clock } = await openTestStore();
  await work(store, clock);
  const db = acrossTenants(engine.db);
  const stored: Record<string, unknown> = {};
  for (const table of TABLES) stored[table] = await db.selectFrom(table).selectAll().execute();
  await store.close();
  return stored;
}

/** Jobs with a first attempt behind them or not are claimed at once; then some are settled, some twice, one with another's token. */
async function claimAndSettle(store: LeaseRepository, clock: ManualClock, settle: Settle): Promise<void> {
  await store.submit(
    ALICE,
    CALLER,
    Array.from({ length: 90 }, (_, index) => submission({ priority: index % 3 === 0 ? 1 : null })),
    false,
  );
  for (const { job, leaseToken } of (await store.claim(ALICE, CALLER, claimOf({ max: 20, workerId: 'first' }))).leases)
    await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: { type: null, message: 'no', detailsJson: null }, retry: { afterSeconds: 1 } });
  clock.advance(2_000);
  const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 80, workerId: 'second' }));
  const items = leases.map(({ job, leaseToken }, index) => ({ jobId: job.id, leaseToken, resultJson: index % 4 === 0 ? '{"n":1}' : null }));
  await settle(store, [...items.slice(0, 70), ...items.slice(3, 6), { ...items[1], leaseToken: items[2]?.leaseToken } as CompleteRequest]);
}

describe('jobs that are submitted', () => {
  test.each(Object.keys(WAYS).slice(1))('%s are stored as they are one after the other', { timeout: 60_000 }, async (way) => {
    const { 'one after the other': alone, [way]: together } = WAYS;
    if (alone === undefined || together === undefined) throw new Error('no such way');
    await fc.assert(
      fc.asyncProperty(requests, async (given) => {
        expect(await storedAfter((store) => together(store, given))).toEqual(await storedAfter((store) => alone(store, given)));
      }),
      { numRuns: 40 },
    );
  });

  test('and settled in one batch, some of them twice, are stored as they are one after the other', async () => {
    const alone: Settle = async (store, items) => {
      for (const item of items) await store.complete(ALICE, CALLER, [item]);
    };
    const together: Settle = (store, items) => store.complete(ALICE, CALLER, items);
    const stored = await storedAfter((store, clock) => claimAndSettle(store, clock, together));
    expect(stored).toEqual(await storedAfter((store, clock) => claimAndSettle(store, clock, alone)));
    expect(stored['attempts']).toHaveLength(20 + 70);
  });

  test('in a commit are seen by whatever else is part of it', async () => {
    const { store } = await openTestStore();
    await store.submit(ALICE, CALLER, [submission()], false);
    const [, , claimed, late] = await Promise.all([
      store.submit(ALICE, CALLER, [submission(), submission({ idempotencyKey: 'k' })], false),
      store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false),
      store.claim(ALICE, CALLER, claimOf({ max: 10 })),
      store.submit(ALICE, CALLER, [submission({ idempotencyKey: 'k' })], false),
    ]);
    expect(claimed.leases).toHaveLength(3);
    expect(late).toMatchObject([{ ok: true, value: { deduplicated: true, job: { state: 'running' } } }]);
    await store.close();
  });

  test('with hundreds of keys that are known are those that the keys made, of each queue its own', async () => {
    const { store } = await openTestStore();
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const given = keys.flatMap((idempotencyKey) => ['q', 'r'].map((queue) => submission({ queue, idempotencyKey })));
    const made = await store.submit(ALICE, CALLER, given.slice(0, 500), false);
    const again = await store.submit(ALICE, CALLER, given.slice(1, 500), false);
    const ids = (outcomes: typeof made) => outcomes.map((outcome) => (outcome.ok ? outcome.value.job.id : outcome.failure.code));
    expect(again.every((outcome) => outcome.ok && outcome.value.deduplicated)).toBe(true);
    expect(ids(again)).toEqual(ids(made).slice(1));
    const { rows } = await store.jobs(ALICE, { queues: ['r'] }, 'oldest_first', PAGE);
    expect(rows.map(({ row }) => row.queue)).toEqual(Array.from({ length: 100 }, () => 'r'));
    await store.close();
  });
});
