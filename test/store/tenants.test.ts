import { describe, expect, test } from 'vitest';
import { DEFAULT_QUOTAS, NO_USAGE } from '../../src/domain/quotas.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { PageRequest } from '../../src/store/requests.ts';
import { InvalidRequest } from '../../src/store/store.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const PAGE: PageRequest = { after: null, before: null, limit: 2, fromEnd: false };
const ACME = tenant('acme');

async function created(store: LeaseRepository, id: string, name = id): Promise<void> {
  expect(await store.createTenant({ id: tenant(id), name, quotas: {} })).toMatchObject({ ok: true });
}

describe('a tenant', () => {
  test('comes into being with its first queue, named after its id, with the defaults', async () => {
    const { store, clock } = await openTestStore();
    expect(await store.tenant(ALICE)).toBeNull();
    expect(await store.usage(ALICE)).toEqual(NO_USAGE);
    await store.claim(ALICE, CALLER, claimOf());
    expect(await store.tenant(ALICE)).toBeNull();
    await submitOne(store, ALICE);
    clock.advance(1_000);
    await store.pauseQueue(ALICE, CALLER, 'other', null);
    await store.pauseQueue(BOB, CALLER, 'other', null);
    expect(await store.tenant(ALICE)).toEqual({ id: 'alice', name: 'alice', suspended: false, quotas: DEFAULT_QUOTAS, createdAtMs: T0_MS });
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 1, queues: 2, storedBytes: 2 });
    expect(await store.usage(BOB)).toEqual({ waitingJobs: 0, queues: 1, storedBytes: 0 });
    await store.close();
  });

  test('whose id is the name of others gets the first name that is free', async () => {
    const { store } = await openTestStore();
    await created(store, 'acme', 'alice');
    await created(store, 'two', 'alice (2)');
    await submitOne(store, ALICE);
    expect(await store.tenant(ALICE)).toMatchObject({ id: 'alice', name: 'alice (3)' });
    await store.close();
  });

  test('is created by name with what is granted to it', async () => {
    const { store } = await openTestStore();
    const outcome = await store.createTenant({ id: ACME, name: 'Acme, Inc.', quotas: { maxQueues: 3, maxFeeds: null } });
    const acme = { id: 'acme', name: 'Acme, Inc.', suspended: false, quotas: { ...DEFAULT_QUOTAS, maxQueues: 3 }, createdAtMs: T0_MS };
    expect(outcome).toEqual({ ok: true, value: acme });
    expect(await store.tenant(ACME)).toEqual(acme);
    expect(await store.usage(ACME)).toEqual(NO_USAGE);
    await store.close();
  });

  test('cannot be created with an id or a name that another one has, and nothing is changed then', async () => {
    const { store } = await openTestStore();
    await submitOne(store, ALICE);
    await created(store, 'acme', 'Acme');
    const taken = (name: string) => ({ ok: false, failure: { code: 'NAME_TAKEN', name } });
    expect(await store.createTenant({ id: ALICE, name: 'Other', quotas: {} })).toEqual(taken('alice'));
    expect(await store.createTenant({ id: BOB, name: 'Acme', quotas: {} })).toEqual(taken('Acme'));
    expect(await store.createTenant({ id: BOB, name: 'alice', quotas: {} })).toEqual(taken('alice'));
    expect(await store.tenant(BOB)).toBeNull();
    await store.close();
  });

  test('is renamed, suspended and let go on, and keeps what is not named', async () => {
    const { store } = await openTestStore();
    await created(store, 'acme', 'Acme');
    await submitOne(store, ALICE);
    await store.updateTenant(ACME, { quotas: { maxQueues: 3 } }, 'system');
    expect(await store.updateTenant(ACME, { name: 'Ajax', suspended: true }, 'system')).toMatchObject({
      value: { name: 'Ajax', suspended: true, quotas: { maxQueues: 3 } },
    });
    expect(await store.updateTenant(ACME, { suspended: false }, 'system')).toMatchObject({ value: { name: 'Ajax', suspended: false } });
    expect(await store.updateTenant(ACME, { name: 'Ajax' }, 'system')).toMatchObject({ ok: true });
    expect(await store.updateTenant(ACME, { name: 'alice' }, 'system')).toEqual({ ok: false, failure: { code: 'NAME_TAKEN', name: 'alice' } });
    expect(await store.updateTenant(BOB, { name: 'Bob' }, 'system')).toEqual({ ok: false, failure: { code: 'TENANT_NOT_FOUND', id: 'bob' } });
    await store.close();
  });

  test('may lower its own quotas and not raise them above what was granted, nor suspend or rename itself', async () => {
    const { store } = await openTestStore();
    await created(store, 'acme');
    await store.updateTenant(ACME, { quotas: { maxQueues: 3 } }, 'system');
    expect(await store.updateTenant(ACME, { quotas: { maxQueues: 3, maxFeeds: 0 } }, 'own')).toMatchObject({
      value: { quotas: { maxQueues: 3, maxFeeds: 0 } },
    });
    const refused = await store.updateTenant(ACME, { quotas: { maxQueues: 4 } }, 'own').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidRequest);
    expect(refused).toMatchObject({ issues: [{ path: ['input', 'quotas', 'maxQueues'], message: expect.stringContaining('must be at most 3') }] });
    expect(await store.updateTenant(ACME, { suspended: true }, 'own').catch((error: unknown) => error)).toMatchObject({
      issues: [{ path: ['input', 'suspended'] }],
    });
    expect(await store.updateTenant(ACME, { name: 'Other' }, 'own').catch((error: unknown) => error)).toMatchObject({ issues: [{ path: ['input', 'name'] }] });
    expect(await store.tenant(ACME)).toMatchObject({ name: 'acme', suspended: false, quotas: { maxQueues: 3, maxFeeds: 0 } });
    expect(await store.updateTenant(ACME, { quotas: { maxFeeds: null } }, 'own')).toMatchObject({ value: { quotas: DEFAULT_QUOTAS_WITH_3 } });
    await store.close();
  });

  test('is listed with all others, by id, page by page from either end', async () => {
    const { store } = await openTestStore();
    for (const id of ['c', 'a', 'e', 'b', 'd']) await created(store, id);
    const ids = async (page: Partial<PageRequest>) => {
      const { rows, hasNext, hasPrevious } = await store.tenants({ ...PAGE, ...page });
      return [rows.map(({ key, row }) => `${key.join()}=${row.id}`).join(' '), hasNext, hasPrevious];
    };
    expect(await ids({})).toEqual(['a=a b=b', true, false]);
    expect(await ids({ after: ['b'] })).toEqual(['c=c d=d', true, true]);
    expect(await ids({ after: ['d'] })).toEqual(['e=e', false, true]);
    expect(await ids({ fromEnd: true })).toEqual(['d=d e=e', false, true]);
    expect(await ids({ fromEnd: true, before: ['b'] })).toEqual(['a=a', true, false]);
    await store.close();
  });
});

const DEFAULT_QUOTAS_WITH_3 = { ...DEFAULT_QUOTAS, maxQueues: 3 };

describe('a change of a tenant', () => {
  test('raises the version of access, and is told once it is durable', async () => {
    const { store } = await openTestStore();
    const told: (readonly [string, string | undefined])[] = [];
    const reads: Promise<unknown>[] = [];
    store.onAccessChanged((id) => {
      reads.push(store.tenant(id).then((row) => told.push([id, row?.name])));
    });
    expect(await store.accessVersion()).toBe(0);
    await created(store, 'acme');
    expect(await store.accessVersion()).toBe(1);
    await store.updateTenant(ACME, { name: 'Acme' }, 'system');
    await store.updateTenant(ACME, { quotas: { maxQueues: 1 } }, 'system');
    expect(await store.accessVersion()).toBe(3);
    await Promise.all(reads);
    expect(told).toEqual([
      ['acme', 'acme'],
      ['acme', 'Acme'],
      ['acme', 'Acme'],
    ]);
    await store.close();
  });

  test('that is refused, or a first queue, raises nothing and is not told', async () => {
    const { store } = await openTestStore();
    await created(store, 'acme');
    const told: string[] = [];
    store.onAccessChanged((id) => void told.push(id));
    await store.createTenant({ id: ACME, name: 'x', quotas: {} });
    await store.updateTenant(BOB, { name: 'x' }, 'system');
    await store.updateTenant(ACME, { quotas: { maxFeeds: 10_001 } }, 'own').catch(() => {});
    await submitOne(store, ALICE);
    expect([await store.accessVersion(), told]).toEqual([1, []]);
    await store.close();
  });
});

describe('a database from before tenants', () => {
  test('gets a tenant for all that own a queue, with what they use', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const before = await openTestStore({ path });
    await before.store.submit(ALICE, CALLER, [submission({ payloadJson: '{"a":"é漢😀"}' }), submission(), submission({ queue: 'later' })], false);
    const [first, second] = [await claimOne(before.store, ALICE), await claimOne(before.store, ALICE)];
    await before.store.complete(ALICE, CALLER, [{ jobId: first.job.id, leaseToken: first.leaseToken, resultJson: '"ü"' }]);
    const error = { type: null, message: 'no', detailsJson: null };
    await before.store.fail(ALICE, CALLER, { jobId: second.job.id, leaseToken: second.leaseToken, error, retry: null });
    before.clock.advance(5_000);
    await before.store.configureQueue(BOB, CALLER, { name: 'empty', expectedVersion: null, defaults: {}, retention: {} });
    await before.store.close();
    takeBackTo('001-jobs', path);

    const { store } = await openTestStore({ path });
    expect((await store.tenants(PAGE)).rows.map(({ row }) => row)).toEqual([
      { id: 'alice', name: 'alice', suspended: false, quotas: DEFAULT_QUOTAS, createdAtMs: T0_MS },
      { id: 'bob', name: 'bob', suspended: false, quotas: DEFAULT_QUOTAS, createdAtMs: T0_MS + 5_000 },
    ]);
    // The failed one is in RETRY, the one of `later` QUEUED. Payloads have 17, 2 and 2 bytes, the result 4.
    expect(await store.usage(ALICE)).toEqual({ waitingJobs: 2, queues: 2, storedBytes: 25 });
    expect(await store.usage(BOB)).toEqual({ waitingJobs: 0, queues: 1, storedBytes: 0 });
    await submitOne(store, BOB);
    expect(await store.usage(BOB)).toEqual({ waitingJobs: 1, queues: 2, storedBytes: 2 });
    await store.close();
  });

  test('that nobody has used gets none', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    await (await openTestStore({ path })).store.close();
    takeBackTo('001-jobs', path);
    const { store } = await openTestStore({ path });
    expect((await store.tenants(PAGE)).rows).toEqual([]);
    await store.close();
  });
});
