import { describe, expect, test } from 'vitest';
import { ALICE, BOB, CALLER, claimOf, openTestStore, submission } from '../support/store.ts';

describe('a count of jobs', () => {
  test('by queue and state agrees with the list, and reads no job', async () => {
    const statements: string[] = [];
    const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
    await store.submit(ALICE, CALLER, [submission(), submission(), submission({ queue: 'b' })], false);
    await store.submit(BOB, CALLER, [submission()], false);
    await store.claim(ALICE, CALLER, claimOf());
    statements.length = 0;
    const counts = await Promise.all(
      [
        {},
        { queues: ['q'] },
        { states: ['queued' as const] },
        { queues: ['b', 'q'], states: ['running' as const, 'running' as const] },
        { queues: [] },
        { states: [] },
      ].map((filter) => store.countJobs(ALICE, filter)),
    );
    expect(counts.map(({ value }) => value)).toEqual([3, 2, 2, 1, 0, 0]);
    expect(counts.every(({ exact }) => exact)).toBe(true);
    expect(statements.filter((text) => text.includes('"jobs"'))).toEqual([]);
    await store.close();
  });

  test('by anything else looks at the jobs, up to the cap', async () => {
    const { store } = await openTestStore();
    const batch = Array.from({ length: 500 }, (_, index) => submission({ task: index % 2 === 0 ? 'even' : 'odd' }));
    for (let round = 0; round < 21; round++) await store.submit(ALICE, CALLER, batch, false);
    expect(await store.countJobs(ALICE, { tasks: ['even'] })).toEqual({ value: 5_250, exact: true });
    expect(await store.countJobs(ALICE, { tasks: ['even', 'odd'] })).toEqual({ value: 10_000, exact: false });
    expect(await store.countJobs(ALICE, {})).toEqual({ value: 10_000, exact: false });
    expect(await store.countJobs(ALICE, { tasks: ['none'] })).toEqual({ value: 0, exact: true });
    await store.close();
  });
});
