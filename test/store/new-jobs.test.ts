/** Jobs that are written together leave the database as if each had been written alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
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

const TABLES = ['jobs', 'events', 'job_tags', 'queues', 'queue_counters', 'queue_activity', 'tenant_usage', 'event_logs'] as const;

async function storedBy(submit: Submit, given: readonly SubmitRequest[]): Promise<Readonly<Record<string, unknown>>> {
  const { store, engine } = await openTestStore();
  await submit(store, given);
  const db = acrossTenants(engine.db);
  const stored: Record<string, unknown> = {};
  for (const table of TABLES) stored[table] = await db.selectFrom(table).selectAll().execute();
  await store.close();
  return stored;
}

describe('jobs that are submitted', () => {
  test.each(Object.keys(WAYS).slice(1))('%s are stored as they are one after the other', { timeout: 60_000 }, async (way) => {
    const { 'one after the other': alone, [way]: together } = WAYS;
    if (alone === undefined || together === undefined) throw new Error('no such way');
    await fc.assert(
      fc.asyncProperty(requests, async (given) => {
        expect(await storedBy(together, given)).toEqual(await storedBy(alone, given));
      }),
      { numRuns: 40 },
    );
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
