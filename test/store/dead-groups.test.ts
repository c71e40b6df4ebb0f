/** Groups of dead letters: what they count, what they show, and how jobs are found and worked on by them. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { confine } from '../../src/store/confined-store.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { inspect } from '../../src/store/inspection/inspect.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ALICE, BOB, CALLER, claimOne, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';

const HOUR_MS = 3_600_000;
const PAGE = { after: null, before: null, limit: 20, fromEnd: false };

interface Death {
  readonly owner?: typeof ALICE;
  readonly queue?: string;
  readonly task?: string;
  readonly type?: string | null;
  readonly message?: string;
}

async function die(store: LeaseRepository, { owner = ALICE, queue = 'q', task = 't', type = null, message = 'no 1' }: Death = {}): Promise<string> {
  await submitOne(store, owner, { queue, task });
  const { job, leaseToken } = await claimOne(store, owner, { queues: [queue], tasks: [task] });
  await store.fail(owner, CALLER, { jobId: job.id, leaseToken, error: { type, message, detailsJson: null }, retry: { never: true } });
  return job.id;
}

const groupsOf = async (store: Pick<LeaseRepository, 'deadLetterGroups'>, owner = ALICE) =>
  (await store.deadLetterGroups(owner, {}, 'count', PAGE)).rows.map(({ row }) => row);

const redrive = (store: LeaseRepository, jobId: string) => store.redrive(ALICE, CALLER, { jobId, start: null, maxAttempts: null, payloadJson: null });

async function expectSound({ db }: Awaited<ReturnType<typeof openTestStore>>['engine']): Promise<void> {
  expect((await inspect({ db, replays: true })).flatMap(({ breaches }) => breaches)).toEqual([]);
}

test('dead letters of one queue, task and error are one group, which shows the latest message', async () => {
  const { store, clock, engine } = await openTestStore();
  const startMs = clock.nowMs();
  for (let number = 0; number < 3; number++) {
    await die(store, { type: 'Smtp', message: `SMTP ${421 + number} for "user-${number}"` });
    clock.advance(1_000);
  }
  for (const other of [{ type: 'Other' }, { task: 'u' }, { queue: 'r' }, { message: 'another' }])
    await die(store, { type: 'Smtp', message: 'SMTP 1 for ""', ...other });
  await die(store, { owner: BOB, type: 'Smtp', message: 'SMTP 1 for ""' });
  const [largest, ...others] = await groupsOf(store);
  expect(largest).toMatchObject({
    queue: 'q',
    task: 't',
    errorType: 'Smtp',
    message: 'SMTP 423 for "user-2"',
    count: 3,
    firstAtMs: startMs,
    lastAtMs: startMs + 2_000,
  });
  expect(others.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
  expect(await groupsOf(store, BOB)).toMatchObject([{ id: largest?.id, count: 1 }]);
  await expectSound(engine);
  await store.close();
});

test('jobs that die of a lapse or of releases have a group as well, and the ledger names the group of each error', async () => {
  const { store, clock, engine } = await openTestStore();
  const id = await submitOne(store, ALICE, { maxAttempts: 2 });
  const { leaseToken } = await claimOne(store, ALICE);
  await store.fail(ALICE, CALLER, { jobId: id, leaseToken, error: { type: 'A', message: 'x', detailsJson: null }, retry: { afterSeconds: 0 } });
  await claimOne(store, ALICE, { leaseSeconds: 5, workerId: 'anna' });
  clock.advance(5_000);
  await store.sweep();
  const job = await store.jobById(ALICE, id);
  if (job === null) throw new Error('the job is gone');
  expect(await groupsOf(store)).toMatchObject([{ id: job.deadGroup, errorType: 'LeaseExpired', count: 1 }]);
  const ledger = (await store.attempts(ALICE, job, PAGE)).rows.map(({ row }) => row.errorGroup);
  expect(ledger).toEqual([job.deadGroup, expect.stringMatching(/^[0-9a-f]{24}$/)]);
  expect(ledger[0]).not.toBe(ledger[1]);
  await expectSound(engine);
  await store.close();
});

test('a message of any length and content is shown by its beginning, never half of a pair', async () => {
  const { store } = await openTestStore();
  await die(store, { message: '\u{1F600}'.repeat(1_000) });
  await die(store, { message: '<b>\u202eשלום', task: 'u' });
  const messages = (await groupsOf(store)).map(({ message }) => message);
  expect(messages.toSorted()).toEqual(['<b>\u202eשלום', '\u{1F600}'.repeat(LIMITS.groupMessageCharactersMax)]);
  await store.close();
});

describe('a group goes with its last job', () => {
  test('by redrive, of one and of many', async () => {
    const { store, engine } = await openTestStore();
    const ids = [await die(store), await die(store), await die(store)];
    const [group] = await groupsOf(store);
    const target = { filter: { deadLetterGroups: [group?.id ?? ''] } };
    expect(await store.bulk(ALICE, CALLER, { target, action: { name: 'redrive', start: null }, limit: 1, dryRun: false })).toMatchObject({
      matched: { value: 3, exact: true },
      changed: 1,
      hasMore: true,
    });
    expect(await store.jobById(ALICE, ids[0] ?? '')).toMatchObject({ state: 'queued', deadGroup: null });
    expect(await store.deadLetterGroup(ALICE, group?.id ?? '')).toMatchObject({ count: 2 });
    await redrive(store, ids[1] ?? '');
    expect(await store.bulk(ALICE, CALLER, { target, action: { name: 'redrive', start: null }, limit: 10, dryRun: false })).toMatchObject({ changed: 1 });
    expect([await groupsOf(store), await store.deadLetterGroup(ALICE, group?.id ?? '')]).toEqual([[], null]);
    await expectSound(engine);
    await store.close();
  });

  test('by purge, which takes nothing else along', async () => {
    const { store, engine } = await openTestStore();
    await die(store);
    const kept = await die(store, { message: 'another' });
    const target = { filter: { deadLetterGroups: [(await groupsOf(store)).find(({ message }) => message === 'no 1')?.id ?? ''] } };
    expect(await store.bulk(ALICE, CALLER, { target, action: { name: 'cancel', reason: null, force: true }, limit: 10, dryRun: false })).toMatchObject({
      matched: { value: 0, exact: true },
      changed: 0,
    });
    expect(await store.bulk(ALICE, CALLER, { target, action: { name: 'purge' }, limit: 10, dryRun: false })).toMatchObject({ changed: 1 });
    expect(await groupsOf(store)).toMatchObject([{ id: (await store.jobById(ALICE, kept))?.deadGroup, count: 1 }]);
    await expectSound(engine);
    await store.close();
  });

  test('by retention', async () => {
    const { store, engine, clock } = await openTestStore();
    await die(store);
    clock.advance(HOUR_MS);
    await die(store);
    clock.advance(89 * 24 * HOUR_MS + 23 * HOUR_MS);
    await store.retain();
    expect(await groupsOf(store)).toMatchObject([{ count: 1 }]);
    clock.advance(HOUR_MS);
    await store.retain();
    expect(await groupsOf(store)).toEqual([]);
    await expectSound(engine);
    await store.close();
  });
});

test('jobs that come and go within one commit are counted right', async () => {
  const { store, engine } = await openTestStore();
  const first = await die(store);
  await submitOne(store, ALICE);
  const { job, leaseToken } = await claimOne(store, ALICE);
  const error = { type: null, message: 'no 2', detailsJson: null };
  await Promise.all([redrive(store, first), store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error, retry: { never: true } })]);
  expect(await groupsOf(store)).toMatchObject([{ count: 1, message: 'no 2' }]);
  await Promise.all([
    redrive(store, job.id),
    store.bulk(ALICE, CALLER, { target: { ids: [job.id] }, action: { name: 'cancel', reason: null, force: true }, limit: 1, dryRun: false }),
  ]);
  expect(await groupsOf(store)).toEqual([]);
  await expectSound(engine);
  await store.close();
});

test('the trend has the last hours, oldest first, and counts those that died, also where they are dead no longer', async () => {
  const { store, clock, engine } = await openTestStore();
  const first = await die(store);
  await redrive(store, first);
  clock.advance(2 * HOUR_MS);
  await die(store);
  await die(store);
  const [group] = await groupsOf(store);
  expect(group?.trend).toHaveLength(LIMITS.groupTrendHours);
  expect(group?.trend.map(({ died }) => died).slice(-4)).toEqual([0, 1, 0, 2]);
  expect(group?.trend.map(({ atMs }) => atMs)).toEqual(group?.trend.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect((group?.trend.at(-1)?.atMs ?? 0) + HOUR_MS).toBeGreaterThan(clock.nowMs());
  clock.advance(30 * HOUR_MS);
  expect((await groupsOf(store))[0]?.trend.every(({ died }) => died === 0)).toBe(true);
  clock.advance(8 * 24 * HOUR_MS);
  await store.retain();
  const { rows } = await sql<{ left: number }>`select count(*) as left from dead_group_activity`.execute(acrossTenants(engine.db));
  expect([rows, (await groupsOf(store))[0]?.count]).toEqual([[{ left: 0 }], 2]);
  await store.close();
});

test('pages go on where they ended, in both orders', async () => {
  const { store, clock } = await openTestStore();
  const tasks = ['a', 'b', 'c', 'd', 'e'];
  for (const [index, task] of tasks.entries()) {
    for (let count = 0; count <= index % 3; count++) await die(store, { task });
    clock.advance(1_000);
  }
  for (const [order, expected] of [
    ['count', [3, 2, 2, 1, 1]],
    ['recent', ['e', 'd', 'c', 'b', 'a']],
  ] as const) {
    const seen: (string | number)[] = [];
    for (let after: (typeof PAGE)['after'] | readonly (string | number)[] = null, hasNext = true; hasNext; ) {
      const page = await store.deadLetterGroups(ALICE, {}, order, { ...PAGE, after, limit: 2 });
      seen.push(...page.rows.map(({ row }) => (order === 'count' ? row.count : row.task)));
      ({ hasNext } = page);
      after = page.rows.at(-1)?.key ?? null;
    }
    expect(seen).toEqual(expected);
  }
  const named = await store.deadLetterGroups(ALICE, { tasks: ['b', 'none'], queues: ['q'] }, 'count', PAGE);
  expect(named.rows.map(({ row }) => row.task)).toEqual(['b']);
  expect((await store.deadLetterGroups(ALICE, { queues: [] }, 'count', PAGE)).rows).toEqual([]);
  await store.close();
});

test('a count by group reads no job, unless more is asked', async () => {
  const statements: string[] = [];
  const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
  for (const task of ['a', 'a', 'b']) await die(store, { task });
  const groups = (await groupsOf(store)).map(({ id }) => id);
  statements.length = 0;
  const filters = [{}, { queues: ['q'] }, { queues: ['r'] }, { tasks: ['b'] }, { states: ['dead' as const] }, { states: ['queued' as const] }];
  const counts = await Promise.all(filters.map((filter) => store.countJobs(ALICE, { deadLetterGroups: [...groups, 'none'], ...filter })));
  expect(counts.map(({ value, exact }) => [value, exact])).toEqual([3, 3, 0, 1, 3, 0].map((value) => [value, true]));
  expect(statements.filter((text) => text.includes('"jobs"'))).toEqual([]);
  expect(await store.countJobs(ALICE, { deadLetterGroups: groups, createdAt: { fromMs: 0, toMs: null } })).toEqual({ value: 3, exact: true });
  expect(await store.countJobs(ALICE, { deadLetterGroups: groups, createdAt: { fromMs: 0, toMs: 1 } })).toEqual({ value: 0, exact: true });
  expect(await store.countJobs(ALICE, { deadLetterGroups: [] })).toEqual({ value: 0, exact: true });
  await store.close();
});

test('lists by group hold its jobs alone, in every order', async () => {
  const { store, clock } = await openTestStore();
  const ids: string[] = [];
  for (let number = 0; number < 4; number++) {
    ids.push(await die(store));
    await die(store, { message: 'another' });
    clock.advance(1_000);
  }
  await redrive(store, ids.shift() ?? '');
  const filter = { deadLetterGroups: [(await store.jobById(ALICE, ids[0] ?? ''))?.deadGroup ?? ''] };
  const list = async (order: 'newest_first' | 'oldest_first' | 'recently_finished' | 'next_to_run', more = {}) =>
    (await store.jobs(ALICE, { ...filter, ...more }, order, PAGE)).rows.map(({ row }) => row.id);
  expect(await list('oldest_first')).toEqual(ids);
  expect(await list('newest_first')).toEqual(ids.toReversed());
  expect(await list('recently_finished')).toEqual(ids.toReversed());
  expect(await list('next_to_run')).toEqual([]);
  expect(await list('oldest_first', { states: ['queued'] })).toEqual([]);
  expect(await list('oldest_first', { queues: ['r'] })).toEqual([]);
  const second = await store.jobs(ALICE, filter, 'recently_finished', {
    ...PAGE,
    limit: 1,
    after: (await store.jobs(ALICE, filter, 'recently_finished', { ...PAGE, limit: 1 })).rows[0]?.key ?? null,
  });
  expect(second.rows.map(({ row }) => row.id)).toEqual([ids[1]]);
  await store.close();
});

test('a key that is restricted to queues sees the groups of these alone, and works on no other', async () => {
  const { store } = await openTestStore();
  await die(store, { queue: 'mine' });
  await die(store, { queue: 'other' });
  const confined = confine(store, new Set(['mine']));
  const other = (await groupsOf(store)).find(({ queue }) => queue === 'other')?.id ?? '';
  expect((await groupsOf(confined)).map(({ queue }) => queue)).toEqual(['mine']);
  expect(await confined.deadLetterGroup(ALICE, other)).toBeNull();
  expect((await confined.deadLetterGroups(ALICE, { queues: ['other'] }, 'recent', PAGE)).rows).toEqual([]);
  expect(await confined.countJobs(ALICE, { deadLetterGroups: [other] })).toEqual({ value: 0, exact: true });
  const target = { filter: { deadLetterGroups: [other] } };
  expect(await confined.bulk(ALICE, CALLER, { target, action: { name: 'redrive', start: null }, limit: 10, dryRun: false })).toMatchObject({
    matched: { value: 0 },
    changed: 0,
  });
  await store.close();
});

test('dead letters of the version before are in the groups that they would be in now', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  const { store, clock } = await openTestStore({ path });
  await store.submit(
    BOB,
    CALLER,
    Array.from({ length: 500 }, () => submission()),
    false,
  );
  for (let number = 0; number < 4; number++) {
    for (const owner of [ALICE, BOB]) await die(store, { owner, queue: 'x', message: `SMTP ${number}`, task: `t${number % 2}` });
    clock.advance(HOUR_MS);
  }
  await Promise.all(Array.from({ length: 600 }, (_, number) => die(store, { queue: 'many', message: `no ${number}` })));
  const before = [await groupsOf(store), await groupsOf(store, BOB)];
  await store.close();
  takeBackTo('002-access', path);
  const upgraded = await openTestStore({ path, clock });
  expect([await groupsOf(upgraded.store), await groupsOf(upgraded.store, BOB)]).toEqual(before);
  expect(before[0]?.map(({ count }) => count)).toEqual([600, 2, 2]);
  await expectSound(upgraded.engine);
  expect(
    await upgraded.store.bulk(ALICE, CALLER, {
      target: { filter: { deadLetterGroups: [before[0]?.[0]?.id ?? ''] } },
      action: { name: 'redrive', start: null },
      limit: 1_000,
      dryRun: false,
    }),
  ).toMatchObject({ changed: 600 });
  await expectSound(upgraded.engine);
  await upgraded.store.close();
});
