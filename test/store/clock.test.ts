import { describe, expect, test } from 'vitest';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';
import { ALICE, CALLER, claimOf, openTestStore, submitOne, temporaryFolder } from '../support/store.ts';

const HOUR_MS = 3_600_000;

describe('a clock that is set back', () => {
  test('takes nothing from a running server: what was due is claimed, and leases end by the time that passes again', async () => {
    const { store, clock } = await openTestStore();
    const id = await submitOne(store, ALICE);
    clock.set(T0_MS - HOUR_MS);
    const { leases } = await store.claim(ALICE, CALLER, claimOf());
    expect(leases.map(({ job }) => job.id)).toEqual([id]);
    expect(leases.map(({ leaseExpiresAtMs }) => leaseExpiresAtMs)).toEqual([T0_MS + 60_000]);
    await store.close();
  });

  test('between two servers delays what is not due yet by the new one, which says so and fails nothing', async () => {
    using folder = temporaryFolder();
    const first = await openTestStore({ path: folder.file('x.db') });
    const id = await submitOne(first.store, ALICE);
    await first.store.close();

    const clock = new ManualClock(T0_MS - HOUR_MS);
    const { store } = await openTestStore({ path: folder.file('x.db'), clock });
    expect(await store.claim(ALICE, CALLER, claimOf())).toMatchObject({ leases: [], idle: 'no_ready_job' });
    clock.advance(HOUR_MS);
    const { leases } = await store.claim(ALICE, CALLER, claimOf());
    expect(leases.map(({ job }) => job.id)).toEqual([id]);
    await store.close();
  });
});
