import { describe, expect, test } from 'vitest';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { TenantId } from '../../src/domain/job.ts';
import type { QuotaChanges } from '../../src/domain/quotas.ts';
import type { Failure, Outcome } from '../../src/domain/failures.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { recountedUsage } from '../support/recounted-usage.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, type TestStore } from '../support/store.ts';

const MEBIBYTE = 1_048_576;
const ERROR = { type: null, message: 'no', detailsJson: null };
const SETTINGS = { expectedVersion: null, defaults: {}, retention: {} };
const WHOLE_PAGE = { after: null, before: null, limit: 1_000, fromEnd: false };

async function grant(store: LeaseRepository, quotas: QuotaChanges, owner: TenantId = ALICE): Promise<void> {
  const update = () => store.updateTenant(owner, { quotas }, 'system');
  const outcome = await update();
  if (!outcome.ok) expect(await store.createTenant({ id: owner, name: owner, quotas })).toMatchObject({ ok: true });
}

async function withQuotas(quotas: QuotaChanges): Promise<TestStore> {
  const opened = await openTestStore();
  await grant(opened.store, quotas);
  return opened;
}

/** `ok`, or why not. */
function word(outcome: Outcome<unknown, Failure> | undefined): string {
  if (outcome === undefined || outcome.ok) return 'ok';
  return outcome.failure.code === 'QUOTA_EXCEEDED' ? `${outcome.failure.quota} ${outcome.failure.limit}` : outcome.failure.code;
}

async function submitted(store: LeaseRepository, requests: readonly Partial<SubmitRequest>[], allOrNothing = false, owner = ALICE): Promise<readonly string[]> {
  return (await store.submit(owner, CALLER, requests.map(submission), allOrNothing)).map(word);
}

async function expectUsageCounted(store: LeaseRepository, owner: TenantId = ALICE): Promise<void> {
  const jobs = (await store.jobs(owner, {}, 'oldest_first', WHOLE_PAGE)).rows.map(({ row }) => row);
  expect(await store.usage(owner)).toEqual(await recountedUsage(store, owner, jobs));
}

/** A payload of so many bytes. */
const sized = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - 8) });

async function bury(store: LeaseRepository, change: Partial<SubmitRequest> = {}): Promise<string> {
  const id = await submitOne(store, ALICE, { queue: 'graves', ...change });
  const { leaseToken } = await claimOne(store, ALICE, { queues: ['graves'] });
  await store.fail(ALICE, CALLER, { jobId: id, leaseToken, error: ERROR, retry: { never: true } });
  return id;
}
const redriveOf = (jobId: string, payloadJson: string | null = null) => ({ jobId, start: null, maxAttempts: null, payloadJson });

describe('the quota of waiting jobs', () => {
  test('takes as many as it says and not one more, item by item', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 3 });
    expect(await submitted(store, [{}, {}])).toEqual(['ok', 'ok']);
    expect(await submitted(store, [{}, {}, {}])).toEqual(['ok', 'maxWaitingJobs 3', 'maxWaitingJobs 3']);
    await expectUsageCounted(store);
    expect(await submitted(store, [{}, {}], false, BOB)).toEqual(['ok', 'ok']);
    await store.close();
  });

  test('stores nothing of a batch that is all or nothing, and says of which items it was', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 3 });
    await submitted(store, [{}]);
    expect(await submitted(store, [{}, {}, {}], true)).toEqual(['BATCH_ROLLED_BACK', 'BATCH_ROLLED_BACK', 'maxWaitingJobs 3']);
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 1, queues: 1, storedBytes: 2 });
    expect(await submitted(store, [{}, {}], true)).toEqual(['ok', 'ok']);
    await store.close();
  });

  test('counts a key that comes twice in a batch once', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 2 });
    expect(await submitted(store, [{ idempotencyKey: 'k' }, { idempotencyKey: 'k' }, {}], true)).toEqual(['ok', 'ok', 'ok']);
    expect(await store.usage(ALICE)).toMatchObject({ waitingJobs: 2 });
    await store.close();
  });

  test('never refuses a submission that stores nothing: a known key, or a conflict, which comes first', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 2 });
    await submitted(store, [{ idempotencyKey: 'k' }, { idempotencyKey: 'other' }]);
    const requests = [{ idempotencyKey: 'k' }, { idempotencyKey: 'other', task: 'other' }, {}];
    expect(await submitted(store, requests)).toEqual(['ok', 'IDEMPOTENCY_CONFLICT', 'maxWaitingJobs 2']);
    expect(await submitted(store, requests, true)).toEqual(['BATCH_ROLLED_BACK', 'IDEMPOTENCY_CONFLICT', 'maxWaitingJobs 2']);
    await store.close();
  });

  test('burns no key: the refused submission goes through when there is room', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 1 });
    await submitted(store, [{}]);
    expect(await submitted(store, [{ idempotencyKey: 'k' }])).toEqual(['maxWaitingJobs 1']);
    await claimOne(store, ALICE);
    expect(await submitted(store, [{ idempotencyKey: 'k' }, { idempotencyKey: 'k' }])).toEqual(['ok', 'ok']);
    await store.close();
  });

  test('lets exactly as many of fifty at once through as there is room for', async () => {
    const { store } = await withQuotas({ maxWaitingJobs: 20 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => submitted(store, [{}])));
    expect(answers.filter(([answer]) => answer === 'ok')).toHaveLength(20);
    expect(answers.filter(([answer]) => answer === 'maxWaitingJobs 20')).toHaveLength(30);
    await expectUsageCounted(store);
    await store.close();
  });

  test('holds from the next transaction on when it is changed, and takes nothing away', async () => {
    const { store } = await openTestStore();
    await submitted(store, [{}, {}, {}]);
    await grant(store, { maxWaitingJobs: 2 });
    expect(await submitted(store, [{}])).toEqual(['maxWaitingJobs 2']);
    expect(await store.usage(ALICE)).toMatchObject({ waitingJobs: 3 });
    // All four share a commit: each sees what those before it did.
    const [, raised, , lowered] = await Promise.all([
      grant(store, { maxWaitingJobs: 4 }),
      submitted(store, [{}, {}]),
      grant(store, { maxWaitingJobs: null }),
      submitted(store, [{}, {}]),
    ]);
    expect([raised, lowered]).toEqual([
      ['ok', 'maxWaitingJobs 4'],
      ['ok', 'ok'],
    ]);
    await store.close();
  });

  test('refuses no release, failure, lapse, cancel or reschedule of a tenant that is over it', async () => {
    const { store, clock } = await openTestStore();
    const ids = [await submitOne(store, ALICE), await submitOne(store, ALICE), await submitOne(store, ALICE), await submitOne(store, ALICE)];
    const { leases } = await store.claim(ALICE, CALLER, claimOf({ max: 3 }));
    await grant(store, { maxWaitingJobs: 0 });
    const [released, failed] = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
    if (released === undefined || failed === undefined) throw new Error('nothing was claimed');
    expect((await store.release(ALICE, CALLER, [{ ...released, afterSeconds: 0 }])).map(word)).toEqual(['ok']);
    expect(word(await store.fail(ALICE, CALLER, { ...failed, error: ERROR, retry: null }))).toBe('ok');
    expect(word(await store.reschedule(ALICE, CALLER, { jobId: ids[3] ?? '', start: null, priority: 5 }))).toBe('ok');
    clock.advance(60_000);
    await store.sweep();
    expect(await store.usage(ALICE)).toMatchObject({ waitingJobs: 4 });
    expect(word(await store.cancel(ALICE, CALLER, { jobId: ids[3] ?? '', reason: null, force: false }))).toBe('ok');
    expect((await store.claim(ALICE, CALLER, claimOf({ max: 9 }))).leases).toHaveLength(3);
    await expectUsageCounted(store);
    await store.close();
  });
});

describe('a redrive', () => {
  test('at the quota of waiting jobs is taken, and one more is not', async () => {
    const { store } = await openTestStore();
    const [first, second] = [await bury(store), await bury(store)];
    await grant(store, { maxWaitingJobs: 1 });
    expect(word(await store.redrive(ALICE, CALLER, redriveOf(first)))).toBe('ok');
    expect(word(await store.redrive(ALICE, CALLER, redriveOf(second)))).toBe('maxWaitingJobs 1');
    expect(word(await store.redrive(ALICE, CALLER, redriveOf(first)))).toBe('INVALID_TRANSITION');
    expect(await store.jobById(ALICE, second)).toMatchObject({ state: 'dead' });
    await expectUsageCounted(store);
    await store.close();
  });

  test('of many skips those that there is no room for, and says why', async () => {
    const { store } = await openTestStore();
    const ids = [await bury(store), await bury(store), await bury(store)];
    await grant(store, { maxWaitingJobs: 2 });
    const answer = await store.bulk(ALICE, CALLER, { target: { ids }, action: { name: 'redrive', start: null }, limit: 10, dryRun: false });
    expect(answer).toMatchObject({ changed: 2, skipped: 1, samples: [{ jobId: ids[2], code: 'QUOTA_EXCEEDED' }] });
    await store.close();
  });

  test('with a payload that is not larger passes a full store; a larger one needs room', async () => {
    const { store } = await openTestStore();
    const id = await bury(store, { payloadJson: sized(100) });
    await grant(store, { maxStoredMebibytes: 0 });
    expect(word(await store.redrive(ALICE, CALLER, redriveOf(id, sized(101))))).toBe('maxStoredMebibytes 0');
    expect(word(await store.redrive(ALICE, CALLER, redriveOf(id, sized(99))))).toBe('ok');
    expect(await store.usage(ALICE)).toMatchObject({ storedBytes: 99 });
    await store.close();
  });
});

describe('the quota of stored bytes', () => {
  const SIXTEENTH = MEBIBYTE / 16;
  const sixteen = Array.from({ length: 16 }, () => ({ payloadJson: sized(SIXTEENTH) }));

  test('takes payloads up to the last byte', async () => {
    const { store } = await withQuotas({ maxStoredMebibytes: 1 });
    expect(new Set(await submitted(store, sixteen))).toEqual(new Set(['ok']));
    expect(await store.usage(ALICE)).toMatchObject({ storedBytes: MEBIBYTE });
    expect(await submitted(store, [{}])).toEqual(['maxStoredMebibytes 1']);
    await store.close();
  });

  test('refuses the one byte more, and takes a smaller item after it', async () => {
    const { store } = await withQuotas({ maxStoredMebibytes: 1 });
    const requests = [...sixteen.slice(1), { payloadJson: sized(SIXTEENTH - 2) }, { payloadJson: sized(9) }, {}, {}];
    expect((await submitted(store, requests)).slice(15)).toEqual(['ok', 'maxStoredMebibytes 1', 'ok', 'maxStoredMebibytes 1']);
    expect(await store.usage(ALICE)).toMatchObject({ storedBytes: MEBIBYTE });
    await store.close();
  });

  test('counts the bytes of UTF-8 and not the characters', async () => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE, { payloadJson: '{"a":"é漢😀"}' });
    expect(await store.usage(ALICE)).toMatchObject({ storedBytes: 17 });
    await store.close();
  });

  test('never refuses a result, counts it, and gives the room back when the job goes', async () => {
    const { store, clock } = await openTestStore();
    const id = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    await submitOne(store, ALICE, { queue: 'other' });
    await grant(store, { maxStoredMebibytes: 0 });
    const completion = { jobId: id, leaseToken, resultJson: sized(50) };
    expect((await store.complete(ALICE, CALLER, [completion])).map(word)).toEqual(['ok']);
    expect((await store.complete(ALICE, CALLER, [completion])).map(word)).toEqual(['ok']);
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 1, queues: 2, storedBytes: 54 });
    clock.advance(7 * 86_400_000);
    expect(await store.retain()).toMatchObject({ removed: 1 });
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 1, queues: 2, storedBytes: 2 });
    await store.close();
  });

  test('is given back by a purge', async () => {
    const { store } = await openTestStore();
    const id = await bury(store, { payloadJson: sized(100) });
    await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'purge' }, limit: 1, dryRun: false });
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 0, queues: 1, storedBytes: 0 });
    await store.close();
  });
});

describe('the quota of queues', () => {
  test('holds wherever a queue would come into being, and not for those that are there', async () => {
    const { store } = await withQuotas({ maxQueues: 2 });
    expect(await submitted(store, [{ queue: 'a' }, { queue: 'b' }, { queue: 'c' }, { queue: 'a' }])).toEqual(['ok', 'ok', 'maxQueues 2', 'ok']);
    expect(word(await store.configureQueue(ALICE, CALLER, { ...SETTINGS, name: 'c' }))).toBe('maxQueues 2');
    expect(word(await store.configureQueue(ALICE, CALLER, { ...SETTINGS, name: 'c', expectedVersion: 7 }))).toBe('VERSION_CONFLICT');
    expect(word(await store.pauseQueue(ALICE, CALLER, 'c', null))).toBe('maxQueues 2');
    expect(word(await store.configureQueue(ALICE, CALLER, { ...SETTINGS, name: 'a' }))).toBe('ok');
    expect(word(await store.pauseQueue(ALICE, CALLER, 'b', null))).toBe('ok');
    expect((await store.queues(ALICE, WHOLE_PAGE)).rows).toHaveLength(2);
    expect(word(await store.pauseQueue(BOB, CALLER, 'c', null))).toBe('ok');
    await store.close();
  });

  test('at its limit lets a configuration or a pause create the last queue', async () => {
    const { store } = await withQuotas({ maxQueues: 2 });
    expect(word(await store.configureQueue(ALICE, CALLER, { ...SETTINGS, name: 'a' }))).toBe('ok');
    expect(word(await store.pauseQueue(ALICE, CALLER, 'b', null))).toBe('ok');
    expect(await store.usage(ALICE)).toMatchObject({ queues: 2 });
    await store.close();
  });

  test('counts the new queues of a batch that is all or nothing, each once', async () => {
    const { store } = await withQuotas({ maxQueues: 2 });
    const queues = (...names: readonly string[]) => names.map((queue) => ({ queue }));
    const rolledBack = 'BATCH_ROLLED_BACK';
    expect(await submitted(store, queues('a', 'a', 'b', 'c', 'b'), true)).toEqual([rolledBack, rolledBack, rolledBack, 'maxQueues 2', rolledBack]);
    expect(await store.usage(ALICE)).toMatchObject({ queues: 0, waitingJobs: 0 });
    expect(await submitted(store, queues('a', 'a', 'b', 'b'), true)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await store.usage(ALICE)).toMatchObject({ queues: 2, waitingJobs: 4 });
    await store.close();
  });
});

test('a commit reads and writes the figures of a tenant once, whatever it submits', async () => {
  const statements: string[] = [];
  const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
  await submitOne(store, ALICE);
  statements.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => submitted(store, [{}, {}])));
  const about = (pattern: RegExp): number => statements.filter((text) => pattern.test(text)).length;
  expect([about(/^begin/), about(/^select .*"tenant_usage"/), about(/^update "tenant_usage"/)]).toEqual([1, 1, 1]);
  await store.close();
});

test('an operation that changes nothing of the figures writes none', async () => {
  const statements: string[] = [];
  const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
  await submitOne(store, ALICE);
  const { job, leaseToken } = await claimOne(store, ALICE);
  statements.length = 0;
  await store.heartbeat(ALICE, CALLER, [{ jobId: job.id, leaseToken, extendSeconds: null, progress: null }]);
  await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }]);
  expect(statements.filter((text) => text.includes('tenant_usage'))).toEqual([]);
  await store.close();
});
