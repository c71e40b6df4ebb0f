/** What the store writes down of what operators do: in the same commit, once, and not for ever. */
import { describe, expect, test } from 'vitest';
import type { OperatorAction } from '../../src/domain/audit.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { BulkRequest } from '../../src/store/requests.ts';
import { ALICE, BOB, CALLER, claimOne, openTestStore, submission, submitOne, type TestStore } from '../support/store.ts';

const PAGE = { after: null, before: null, limit: 100, fromEnd: false };
const OPERATOR = { actor: 'ops' };

async function actions(store: LeaseRepository, owner = ALICE): Promise<readonly (Omit<OperatorAction, 'targetJson'> & { readonly target: unknown })[]> {
  const { rows } = await store.operatorActions(owner, null, PAGE);
  return rows.map(({ row: { targetJson, ...row } }) => ({ ...row, target: JSON.parse(targetJson) }));
}

async function deadOne(store: LeaseRepository, payloadJson = '{}'): Promise<string> {
  await submitOne(store, ALICE, { payloadJson });
  const { job, leaseToken } = await claimOne(store, ALICE);
  await store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error: { type: null, message: 'no', detailsJson: null }, retry: { never: true } });
  return job.id;
}

const bulk = (change: Partial<BulkRequest>): BulkRequest => ({
  target: { filter: { queues: ['q'] } },
  action: { name: 'cancel', reason: 'over', force: true },
  limit: 1_000,
  dryRun: false,
  ...change,
});

describe('an action on one job', () => {
  test('is written down with who, what and why, and never with a payload', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await deadOne(store, '{"secret":"s3cret"}');
    await store.redrive(ALICE, OPERATOR, { jobId, start: null, maxAttempts: null, payloadJson: '{"secret":"n3w"}' });
    clock.advance(1_000);
    await store.reschedule(ALICE, OPERATOR, { jobId, start: null, priority: 5 });
    await store.cancel(ALICE, OPERATOR, { jobId, reason: 'no longer needed', force: false });
    const found = await actions(store);
    expect(found).toMatchObject([
      { seq: 3, actor: 'ops', kind: 'cancel_job', target: { jobId, queue: 'q' }, changed: 1, skipped: 0, reason: 'no longer needed' },
      { seq: 2, kind: 'reschedule_job', target: { jobId, queue: 'q', priority: 5 } },
      { seq: 1, kind: 'redrive_job', target: { jobId, queue: 'q', payload: 'replaced' } },
    ]);
    expect([found[1]?.atMs, found[2]?.atMs]).toEqual([clock.nowMs(), clock.nowMs() - 1_000]);
    expect(JSON.stringify(found)).not.toMatch(/s3cret|n3w/);
    await store.close();
  });

  test('that changes nothing is not', async () => {
    const { store } = await openTestStore();
    const running = await submitOne(store, ALICE);
    await claimOne(store, ALICE);
    await store.redrive(ALICE, OPERATOR, { jobId: running, start: null, maxAttempts: null, payloadJson: null });
    await store.cancel(ALICE, OPERATOR, { jobId: 'unknown', reason: null, force: false });
    for (let time = 0; time < 3; time++) await store.cancel(ALICE, OPERATOR, { jobId: running, reason: null, force: false });
    expect(await actions(store)).toMatchObject([{ kind: 'cancel_job', target: { jobId: running } }]);
    await store.close();
  });
});

describe('a bulk call', () => {
  test('is one entry, however many transactions it takes, with its filter in the words of the API', async () => {
    const { store } = await openTestStore();
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 120 }, () => submission()),
      false,
    );
    const filter = { queues: ['q'], states: ['queued' as const], createdAt: { fromMs: 0, toMs: null } };
    expect(await store.bulk(ALICE, OPERATOR, bulk({ target: { filter } }))).toMatchObject({ changed: 120 });
    expect(await actions(store)).toEqual([
      {
        seq: 1,
        atMs: expect.any(Number),
        actor: 'ops',
        kind: 'cancel_jobs',
        target: { filter: { queues: ['q'], states: ['QUEUED'], createdAt: { from: '1970-01-01T00:00:00.000Z', to: null } }, force: true },
        changed: 120,
        skipped: 0,
        reason: 'over',
      },
    ]);
    await store.close();
  });

  test('by ids tells of those that are jobs, and of nothing else that was sent', async () => {
    const { store } = await openTestStore();
    const id = await submitOne(store, ALICE);
    await store.bulk(ALICE, OPERATOR, bulk({ target: { ids: ['a token in the wrong place', id] } }));
    expect(await actions(store)).toMatchObject([{ target: { ids: 2, jobIds: [id] }, changed: 1, skipped: 1 }]);
    await store.close();
  });

  test('that finds nothing, and a dry run, are not written down; one that only skips is', async () => {
    const { store } = await openTestStore();
    const id = await submitOne(store, ALICE);
    await store.bulk(ALICE, OPERATOR, bulk({ target: { filter: { queues: ['none'] } } }));
    await store.bulk(ALICE, OPERATOR, bulk({ dryRun: true }));
    expect(await actions(store)).toEqual([]);
    await store.bulk(ALICE, OPERATOR, bulk({ action: { name: 'purge' }, target: { ids: [id] } }));
    expect(await actions(store)).toMatchObject([{ kind: 'purge_jobs', changed: 0, skipped: 1, reason: null }]);
    await store.close();
  });

  test('with a filter that is too long tells the lengths of its lists', async () => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE);
    const tasks = ['t', ...Array.from({ length: 99 }, (_, index) => `task-${index}`.padEnd(64, 'x'))];
    await store.bulk(ALICE, OPERATOR, bulk({ target: { filter: { tasks, queues: ['q'] } } }));
    expect(await actions(store)).toMatchObject([{ target: { filter: { tasks: 100, queues: 1 }, truncated: true } }]);
    await store.close();
  });
});

test('queues, keys, tenants and rules: what changes is written down, and in the tenant that it concerns', async () => {
  const { store } = await openTestStore();
  await store.pauseQueue(ALICE, OPERATOR, 'q', 'rest');
  await store.pauseQueue(ALICE, OPERATOR, 'q', 'again');
  await store.resumeQueue(ALICE, OPERATOR, 'q');
  await store.resumeQueue(ALICE, OPERATOR, 'q');
  await store.configureQueue(ALICE, OPERATOR, { name: 'q', expectedVersion: null, defaults: { priority: 3 }, retention: {} });
  await store.configureQueue(ALICE, OPERATOR, { name: 'q', expectedVersion: 99, defaults: { priority: 4 }, retention: {} });
  const key = { id: 'k', name: 'the key', secretHash: 'h4sh', scopes: ['READ' as const], queues: [], expiresAtMs: null };
  await store.createKey(ALICE, key, false, OPERATOR);
  await store.createKey(ALICE, { ...key, id: 'k2' }, false, OPERATOR);
  for (let time = 0; time < 2; time++) await store.revokeKey(ALICE, 'k', OPERATOR);
  await store.createTenant({ id: BOB, name: 'Bob', quotas: {} }, OPERATOR);
  for (let time = 0; time < 2; time++) await store.updateTenant(BOB, { suspended: true }, 'system', OPERATOR);
  for (let time = 0; time < 2; time++) await store.setRedactionRules(ALICE, OPERATOR, { rules: [{ task: '*', path: 'a' }], expectedVersion: null });
  const found = await actions(store);
  expect(found.map(({ kind, target }) => [kind, target])).toEqual([
    ['set_redaction_rules', { rules: 1, version: 1 }],
    ['revoke_api_key', { keyId: 'k', name: 'the key' }],
    ['create_api_key', { keyId: 'k', name: 'the key', scopes: ['READ'], queues: [] }],
    ['configure_queue', { queue: 'q', defaults: { priority: 3 }, retention: {} }],
    ['resume_queue', { queue: 'q' }],
    ['pause_queue', { queue: 'q' }],
  ]);
  expect(JSON.stringify(found)).not.toContain('h4sh');
  expect(await actions(store, BOB)).toMatchObject([
    { kind: 'update_tenant', actor: 'ops', target: { tenantId: 'bob', suspended: true } },
    { kind: 'create_tenant', actor: 'ops', target: { tenantId: 'bob', name: 'Bob' } },
  ]);
  await store.close();
});

test('a tenant that does not exist has no entries, whatever is asked in its name', async () => {
  const { store, engine } = await openTestStore();
  await store.bulk(ALICE, OPERATOR, bulk({ target: { ids: ['unknown'] } }));
  expect(await acrossTenants(engine.db).selectFrom('operator_actions').selectAll().execute()).toEqual([]);
  await store.close();
});

test('pages go from the newest to the oldest, of all kinds or of some', async () => {
  const { store } = await openTestStore();
  for (let round = 0; round < 5; round++) {
    await store.pauseQueue(ALICE, OPERATOR, 'q', null);
    await store.resumeQueue(ALICE, OPERATOR, 'q');
  }
  const first = await store.operatorActions(ALICE, null, { ...PAGE, limit: 4 });
  expect([first.rows.map(({ row }) => row.seq), first.hasNext]).toEqual([[10, 9, 8, 7], true]);
  const second = await store.operatorActions(ALICE, ['pause_queue'], { ...PAGE, limit: 4, after: first.rows.at(-1)?.key ?? null });
  expect([second.rows.map(({ row }) => row.seq), second.hasNext]).toEqual([[5, 3, 1], false]);
  expect((await store.operatorActions(ALICE, [], PAGE)).rows).toEqual([]);
  expect((await store.operatorActions(BOB, null, PAGE)).rows).toEqual([]);
  await store.close();
});

describe('upkeep', () => {
  const OLD_MS = LIMITS.operatorActionKeptSecondsMax * 1_000 + 1;

  async function filled(): Promise<TestStore> {
    const opened = await openTestStore();
    for (const owner of [ALICE, BOB]) {
      await opened.store.pauseQueue(owner, OPERATOR, 'q', null);
      await opened.store.resumeQueue(owner, OPERATOR, 'q');
    }
    return opened;
  }

  test('removes what is old enough, but for the latest of each tenant, so that no number is given twice', async () => {
    const { store, clock } = await filled();
    clock.advance(OLD_MS - 1);
    await store.retain();
    expect(await actions(store)).toHaveLength(2);
    clock.advance(1);
    await store.retain();
    expect([(await actions(store)).map(({ seq }) => seq), (await actions(store, BOB)).map(({ seq }) => seq)]).toEqual([[2], [2]]);
    await store.pauseQueue(ALICE, OPERATOR, 'q', null);
    await store.retain();
    expect((await actions(store)).map(({ seq }) => seq)).toEqual([3]);
    await store.close();
  });

  test('has nothing to do where there are too many: the oldest gives way to the newest', async () => {
    const { store, engine } = await filled();
    const last = LIMITS.operatorActionsMax + 1;
    await acrossTenants(engine.db).updateTable('operator_actions').set({ seq: last }).where('tenant_id', '=', ALICE).where('seq', '=', 2).execute();
    await store.pauseQueue(ALICE, OPERATOR, 'q', null);
    expect((await actions(store)).map(({ seq }) => seq)).toEqual([last + 1, last]);
    await store.close();
  });
});
