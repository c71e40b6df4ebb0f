/** A lease that is ended before its time is as over as one whose time was over. */
import { expect, test } from 'vitest';
import { ALICE, BOB, CALLER, claimOne, openTestStore, submitOne } from '../support/store.ts';

test('its job is there for the next claim, and its token is worthless', async () => {
  const { store } = await openTestStore();
  const id = await submitOne(store, ALICE);
  const { leaseToken } = await claimOne(store, ALICE);
  expect(await store.lapse(ALICE, id)).toBe(true);
  const next = await claimOne(store, ALICE);
  expect(next.job).toMatchObject({ id, attempt: 2, fence: 2 });
  const [late] = await store.complete(ALICE, CALLER, [{ jobId: id, leaseToken, resultJson: null }]);
  expect(late).toMatchObject({ ok: false, failure: { code: 'LEASE_LOST', reason: 'superseded' } });
  await store.close();
});

test('at the last attempt the job is a dead letter, and a cancelled one ends as cancelled', async () => {
  const { store } = await openTestStore();
  const last = await submitOne(store, ALICE, { maxAttempts: 1 });
  await claimOne(store, ALICE);
  await store.lapse(ALICE, last);
  expect(await store.jobById(ALICE, last)).toMatchObject({ state: 'dead', lease: null });
  const cancelled = await submitOne(store, ALICE);
  await claimOne(store, ALICE);
  await store.cancel(ALICE, CALLER, { jobId: cancelled, reason: null, force: false });
  await store.lapse(ALICE, cancelled);
  expect(await store.jobById(ALICE, cancelled)).toMatchObject({ state: 'cancelled' });
  await store.close();
});

test('nothing happens to a job that does not run, that is unknown, or that is another tenant’s', async () => {
  const { store } = await openTestStore();
  const waiting = await submitOne(store, ALICE);
  expect(await store.lapse(ALICE, waiting)).toBe(false);
  expect(await store.lapse(ALICE, 'nothing')).toBe(false);
  await claimOne(store, ALICE);
  expect(await store.lapse(BOB, waiting)).toBe(false);
  expect(await store.jobById(ALICE, waiting)).toMatchObject({ state: 'running' });
  await store.close();
});
