/** Answers hold what the repository's interface names, and nothing of how they came about. */
import { expect, test } from 'vitest';
import { ALICE, CALLER, claimOne, openTestStore, submitOne } from '../support/store.ts';

const ERROR = { type: null, message: 'boom', detailsJson: null };

test('a settled lease is answered with the job and whether this was a repeat', async () => {
  const { store } = await openTestStore();
  const settle = {
    complete: async (held: { readonly jobId: string; readonly leaseToken: string }) =>
      (await store.complete(ALICE, CALLER, [{ ...held, resultJson: null }]))[0],
    release: async (held: { readonly jobId: string; readonly leaseToken: string }) => (await store.release(ALICE, CALLER, [{ ...held, afterSeconds: 60 }]))[0],
    fail: (held: { readonly jobId: string; readonly leaseToken: string }) => store.fail(ALICE, CALLER, { ...held, error: ERROR, retry: null }),
  };
  const fields: Record<string, readonly string[]> = {};
  for (const [verb, act] of Object.entries(settle)) {
    const jobId = await submitOne(store, ALICE);
    const { leaseToken } = await claimOne(store, ALICE);
    for (const time of ['once', 'again']) {
      const outcome = await act({ jobId, leaseToken });
      fields[`${verb} ${time}`] = outcome?.ok === true ? Object.keys(outcome.value).toSorted() : [];
    }
  }
  const settled = ['job', 'replayed'];
  const failed = ['deadLettered', 'job', 'replayed', 'retryAtMs'];
  expect(fields).toEqual({
    'complete once': settled,
    'complete again': settled,
    'release once': settled,
    'release again': settled,
    'fail once': failed,
    'fail again': failed,
  });
});

test('a lease token, a digest of one and an idempotency key stand in nothing that can be read', async () => {
  const { store } = await openTestStore();
  const jobId = await submitOne(store, ALICE, { idempotencyKey: 'secret-key' });
  const { leaseToken } = await claimOne(store, ALICE);
  const texts = JSON.stringify([
    await store.jobById(ALICE, jobId),
    await store.eventsAfter(ALICE, null, {}, 100),
    await store.workers(ALICE, 0),
    await store.stats(ALICE),
  ]);
  expect(texts).not.toContain(leaseToken);
  expect(texts).not.toContain('secret-key');
  expect(texts).not.toMatch(/"[A-Za-z0-9_-]{43}"/);
});
