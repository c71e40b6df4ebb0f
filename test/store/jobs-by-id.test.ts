/** Ids that name the place of a job's first event, and those from before they did. */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/domain/job.ts';
import { numberInId } from '../../src/runtime/entropy.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { inspect } from '../../src/store/inspection/inspect.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';

const PAGE = { after: null, before: null, limit: 20, fromEnd: false };
const NO_DETAILS = { type: null, message: 'no', detailsJson: null };

/** What each way to a job by its id finds: the ids of what it found. */
async function foundBy(store: LeaseRepository, tenant: TenantId, id: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const job = await store.jobById(tenant, id);
  const counted = await store.bulk(tenant, CALLER, { target: { ids: [id] }, action: { name: 'cancel', reason: null, force: false }, limit: 10, dryRun: true });
  const { events } = await store.eventsAfter(tenant, null, { jobIds: [id] }, 100);
  const timeline = await store.timeline(tenant, id, null, 100);
  const cancelled = await store.cancel(tenant, CALLER, { jobId: id, reason: null, force: false });
  return {
    read: job === null ? [] : [job.id],
    bulk: counted.matched.value === 1 ? [id] : [],
    events: [...new Set(events.map(({ jobId }) => jobId))],
    timeline: [...new Set(timeline.events.map(({ jobId }) => jobId))],
    cancel: cancelled.ok ? [cancelled.value.job.id] : [cancelled.failure.code],
  };
}

function found(id: string): Readonly<Record<string, readonly string[]>> {
  return { read: [id], bulk: [id], events: [id], timeline: [id], cancel: [id] };
}
const NOTHING = { read: [], bulk: [], events: [], timeline: [], cancel: ['JOB_NOT_FOUND'] };

describe('a job is found by its id', () => {
  test('whatever was submitted, claimed and purged around it, and only by its own tenant', async () => {
    const step = fc.oneof(
      fc.record({ tenant: fc.constantFrom(ALICE, BOB), jobs: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ tenant: fc.constantFrom(ALICE, BOB), does: fc.constantFrom('claim' as const, 'purge' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { store } = await openTestStore();
        const ids: { readonly tenant: TenantId; readonly id: string }[] = [];
        for (const { tenant, ...work } of steps) {
          if ('jobs' in work) {
            const outcomes = await store.submit(
              tenant,
              CALLER,
              Array.from({ length: work.jobs }, () => submission()),
              false,
            );
            for (const outcome of outcomes) if (outcome.ok) ids.push({ tenant, id: outcome.value.job.id });
          } else if (work.does === 'claim') await store.claim(tenant, CALLER, claimOf({ max: 2 }));
          else await purgeNewest(store, tenant);
        }
        for (const { tenant, id } of ids) {
          const page = await store.jobs(tenant, {}, 'newest_first', { ...PAGE, limit: 100 });
          const isThere = page.rows.some(({ row }) => row.id === id);
          expect((await store.jobById(tenant, id))?.id ?? null).toBe(isThere ? id : null);
          expect(await store.jobById(tenant === ALICE ? BOB : ALICE, id)).toBeNull();
        }
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  test('in every way that asks for one', async () => {
    const { store } = await openTestStore();
    const ids = [await submitOne(store, ALICE), await submitOne(store, ALICE)];
    expect(ids.map(numberInId)).toEqual([1, 2]);
    for (const id of ids) expect(await foundBy(store, ALICE, id)).toEqual(found(id));
    await store.close();
  });

  test('and not by an id that only names its place, nor by what is no id', async () => {
    const { store } = await openTestStore();
    const id = await submitOne(store, ALICE);
    await submitOne(store, BOB);
    const places = ['000000000000', '000000000001', '000000000002', 'ffffffffffff'];
    const strange = ['', 'x', id.toUpperCase().replace(/^0/, 'f'), ` ${id}`, `${id} `, ...places.map((place) => `019c0000-0000-7000-8000-${place}`)];
    for (const wrong of strange) expect(await foundBy(store, ALICE, wrong)).toEqual(NOTHING);
    expect(await foundBy(store, BOB, id)).toEqual(NOTHING);
    expect(await foundBy(store, ALICE, id)).toEqual(found(id));
    await store.close();
  });

  test('and not by the id of a purged one whose row another one has now', async () => {
    const { store, engine } = await openTestStore();
    const gone = await submitOne(store, ALICE);
    await purgeNewest(store, ALICE);
    const id = await submitOne(store, ALICE);
    const [row] = await engine.db.selectFrom('jobs').select(['seq', 'id']).where('tenant_id', '=', ALICE).execute();
    expect(row).toEqual({ seq: 1, id });
    expect((await foundBy(store, ALICE, gone)).read).toEqual([]);
    expect((await foundBy(store, ALICE, gone)).cancel).toEqual(['JOB_NOT_FOUND']);
    await store.close();
  });
});

test('jobs from before ids named places are found by theirs, and new ones beside them', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  const before = await openTestStore({ path });
  for (let count = 0; count < 4; count++) await submitOne(before.store, ALICE, { maxAttempts: 1 });
  const running = await claimOne(before.store, ALICE);
  await before.store.fail(ALICE, CALLER, { jobId: running.job.id, leaseToken: running.leaseToken, error: NO_DETAILS, retry: null });
  await before.store.close();
  takeBackTo('008-submission-calls', path);
  // The last two name places that others have, as chance may have made them.
  const tails = ['8c3f00d1a2b4', 'ffffffffffff', '000000000001', '000000000005'];
  const old = giveIds(path, tails);

  const { store, engine, clock } = await openTestStore({ path });
  const [dead = '', ...waiting] = old;
  expect(await store.jobById(ALICE, dead)).toMatchObject({ id: dead, state: 'dead' });
  expect(await store.attempts(ALICE, (await store.jobById(ALICE, dead)) ?? running.job, PAGE)).toMatchObject({ rows: [{ row: { number: 1 } }] });
  expect(await store.redrive(ALICE, CALLER, { jobId: dead, start: null, maxAttempts: null, payloadJson: null })).toMatchObject({ ok: true });
  for (const id of waiting) expect(await foundBy(store, ALICE, id)).toEqual(found(id));
  const id = await submitOne(store, ALICE);
  expect(old).not.toContain(id);
  expect(await foundBy(store, ALICE, id)).toEqual(found(id));
  const { leaseToken, job } = await claimOne(store, ALICE);
  expect(await store.complete(ALICE, CALLER, [{ jobId: job.id, leaseToken, resultJson: null }])).toMatchObject([{ ok: true }]);
  expect(job.id).toBe(dead);
  clock.advance(1);
  const verdicts = await inspect({ db: engine.db, replays: true });
  expect(verdicts.flatMap(({ breaches }) => breaches)).toEqual([]);
  await store.close();
});

async function purgeNewest(store: LeaseRepository, tenant: TenantId): Promise<void> {
  const [newest] = (await store.jobs(tenant, { states: ['queued'] }, 'newest_first', PAGE)).rows;
  if (newest === undefined) return;
  await store.cancel(tenant, CALLER, { jobId: newest.row.id, reason: null, force: false });
  await store.bulk(tenant, CALLER, { target: { ids: [newest.row.id] }, action: { name: 'purge' }, limit: 1, dryRun: false });
}

/** Ids as they were before: their last 62 bits told nothing. */
function giveIds(path: string, tails: readonly string[]): readonly string[] {
  const database = new Database(path);
  const ids = tails.map((tail, index) => `019c0000-0000-700${index}-8abc-${tail}`);
  for (const [index, id] of ids.entries()) database.prepare('update jobs set id = ? where seq = ?').run(id, index + 1);
  database.close();
  return ids;
}
