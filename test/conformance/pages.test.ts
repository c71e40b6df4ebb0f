/** Lists of jobs: pages neither skip nor repeat, whatever happens in between, and filters take what they name. */
import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { Page } from '../../src/store/answers.ts';
import type { JobFilter, JobOrder, PageRequest } from '../../src/store/requests.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne } from '../support/store.ts';

const FIRST: PageRequest = { after: null, before: null, limit: 10, fromEnd: false };
const LAST: PageRequest = { ...FIRST, fromEnd: true };
const ERROR = { type: null, message: 'boom', detailsJson: null };

function idsOf(page: Page<Job>): readonly string[] {
  return page.rows.map(({ row }) => row.id);
}

/** Pages from the first on; `between` runs after each. */
async function forwards(store: LeaseRepository, order: JobOrder, between: () => Promise<unknown> = async () => undefined): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let request = FIRST, hasNext = true; hasNext; ) {
    const page = await store.jobs(ALICE, {}, order, request);
    expect(page.hasPrevious).toBe(request.after !== null);
    seen.push(...idsOf(page));
    ({ hasNext } = page);
    request = { ...FIRST, after: page.rows.at(-1)?.key ?? null };
    await between();
  }
  return seen;
}

async function backwards(store: LeaseRepository, order: JobOrder): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let request = LAST, hasPrevious = true; hasPrevious; ) {
    const page = await store.jobs(ALICE, {}, order, request);
    expect(page.hasNext).toBe(request.before !== null);
    seen.unshift(...idsOf(page));
    ({ hasPrevious } = page);
    request = { ...LAST, before: page.rows[0]?.key ?? null };
  }
  return seen;
}

async function submitMany(store: LeaseRepository, count: number): Promise<readonly string[]> {
  const requests = Array.from({ length: count }, () => submission());
  return (await store.submit(ALICE, CALLER, requests, true)).flatMap((outcome) => (outcome.ok ? outcome.value.job.id : []));
}

// B139
describe('pages of jobs of one instant', () => {
  test('show each job once, forwards and backwards, newest and oldest first', async () => {
    const { store } = await openTestStore();
    const ids = await submitMany(store, 25);
    await submitOne(store, BOB);
    expect(await forwards(store, 'oldest_first')).toEqual(ids);
    expect(await backwards(store, 'oldest_first')).toEqual(ids);
    expect(await forwards(store, 'newest_first')).toEqual(ids.toReversed());
    expect(await backwards(store, 'newest_first')).toEqual(ids.toReversed());
  });

  test('show the jobs that were there once each, while others come and change', async () => {
    for (const order of ['newest_first', 'oldest_first'] as const) {
      const { store } = await openTestStore();
      const ids = await submitMany(store, 25);
      const seen = await forwards(store, order, async () => {
        if ((await store.countJobs(ALICE, {})).value < 30) await submitMany(store, 2);
        await store.claim(ALICE, CALLER, claimOf());
      });
      expect(seen.filter((id) => ids.includes(id))).toEqual(order === 'oldest_first' ? ids : ids.toReversed());
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('tell at the exact end that nothing follows', async () => {
    const { store } = await openTestStore();
    const ids = await submitMany(store, 10);
    expect(await store.jobs(ALICE, {}, 'oldest_first', FIRST)).toMatchObject({ hasNext: false, hasPrevious: false });
    expect(await store.jobs(ALICE, {}, 'oldest_first', { ...FIRST, limit: 9 })).toMatchObject({ hasNext: true });
    expect(idsOf(await store.jobs(ALICE, {}, 'oldest_first', { ...LAST, limit: 3 }))).toEqual(ids.slice(7));
  });
});

describe('orders', () => {
  test('next to run shows what waits, by due time and then by submission', async () => {
    const { store } = await openTestStore();
    const late = await submitOne(store, ALICE, { start: { inSeconds: 60 } });
    const running = await submitOne(store, ALICE, { priority: 9 });
    await claimOne(store, ALICE);
    const soon = await submitOne(store, ALICE, { start: { inSeconds: 30 } });
    const [now, too] = await submitMany(store, 2);
    const page = await store.jobs(ALICE, {}, 'next_to_run', FIRST);
    expect(idsOf(page)).toEqual([now, too, soon, late]);
    expect(idsOf(page)).not.toContain(running);
    expect(await forwards(store, 'next_to_run')).toEqual(await backwards(store, 'next_to_run'));
  });

  test('recently finished shows what has ended, the latest first', async () => {
    const { store, clock } = await openTestStore();
    const ids = await submitMany(store, 12);
    for (const jobId of ids.slice(0, 11)) {
      clock.advance(Math.floor(ids.indexOf(jobId) / 4) * 1_000);
      await store.cancel(ALICE, CALLER, { jobId, reason: null, force: false });
    }
    expect(await forwards(store, 'recently_finished')).toEqual(ids.slice(0, 11).toReversed());
    expect(await backwards(store, 'recently_finished')).toEqual(ids.slice(0, 11).toReversed());
  });
});

describe('a filter on jobs', () => {
  test('takes exactly what it names, counts the same, and never another tenant’s', async () => {
    const { store, clock } = await openTestStore();
    const mail = await submitOne(store, ALICE, {
      queue: 'mail',
      task: 'send',
      tags: [
        { key: 'customer', value: '7' },
        { key: 'kind', value: 'a' },
      ],
    });
    await submitOne(store, BOB, { queue: 'mail', task: 'send', tags: [{ key: 'customer', value: '7' }] });
    clock.advance(1_000);
    const keyed = await submitOne(store, ALICE, { queue: 'maps', concurrencyKey: 'c1', tags: [{ key: 'customer', value: '7' }] });
    clock.advance(1_000);
    const claimed = await submitOne(store, ALICE, { queue: 'video', task: 'render', start: null });
    await claimOne(store, ALICE, { queues: ['video'], workerId: 'w7' });
    const ended = await submitOne(store, ALICE, { queue: 'video', task: 'render' });
    await store.cancel(ALICE, CALLER, { jobId: ended, reason: null, force: false });
    const all = [mail, keyed, claimed, ended];
    const cases: readonly [JobFilter, readonly string[]][] = [
      [{}, all],
      [{ queues: ['mail'] }, [mail]],
      [{ queues: ['mail', 'maps', 'none'] }, [mail, keyed]],
      [{ queues: [] }, []],
      [{ tasks: ['render'] }, [claimed, ended]],
      [{ states: ['queued'] }, [mail, keyed]],
      [{ states: ['running', 'cancelled'] }, [claimed, ended]],
      [{ states: [] }, []],
      [{ workerIds: ['w7'] }, [claimed]],
      [{ concurrencyKeys: ['c1', 'c2'] }, [keyed]],
      [{ tags: [{ key: 'customer', value: '7' }] }, [mail, keyed]],
      [
        {
          tags: [
            { key: 'customer', value: '7' },
            { key: 'kind', value: 'a' },
          ],
        },
        [mail],
      ],
      [{ createdAt: { fromMs: T0_MS + 1_000, toMs: T0_MS + 2_000 } }, [keyed]],
      [{ createdAt: { fromMs: T0_MS + 1_000, toMs: null } }, [keyed, claimed, ended]],
      [{ runAt: { fromMs: null, toMs: T0_MS + 1 } }, [mail]],
      [{ finishedAt: { fromMs: T0_MS + 2_000, toMs: T0_MS + 2_001 } }, [ended]],
      [{ queues: ['video'], states: ['running'], tasks: ['render'] }, [claimed]],
      [{ queues: ['mail'], states: ['running'] }, []],
    ];
    for (const [filter, expected] of cases) {
      expect({ filter, ids: idsOf(await store.jobs(ALICE, filter, 'oldest_first', FIRST)) }).toEqual({ filter, ids: expected });
      expect({ filter, count: await store.countJobs(ALICE, filter) }).toEqual({ filter, count: { value: expected.length, exact: true } });
    }
  });

  test('of a bulk call changes what it names, up to the limit, and a dry run changes nothing', async () => {
    const { store } = await openTestStore();
    const tagged = await submitOne(store, ALICE, { tags: [{ key: 'batch', value: '1' }] });
    const [plain] = await submitMany(store, 1);
    const request = {
      target: { filter: { tags: [{ key: 'batch', value: '1' }] } },
      action: { name: 'cancel', reason: 'wrong batch', force: false } as const,
      limit: 10,
    };
    expect(await store.bulk(ALICE, CALLER, { ...request, dryRun: true })).toMatchObject({ matched: { value: 1, exact: true } });
    expect((await store.jobById(ALICE, tagged))?.state).toBe('queued');
    expect(await store.bulk(ALICE, CALLER, { ...request, dryRun: false })).toMatchObject({ changed: 1, skipped: 0, hasMore: false });
    expect(await store.jobById(ALICE, tagged)).toMatchObject({ state: 'cancelled', cancelReason: 'wrong batch' });
    expect((await store.jobById(ALICE, plain ?? ''))?.state).toBe('queued');
  });

  test('of a bulk call by ids says which it skipped and why', async () => {
    const { store } = await openTestStore();
    const [queued, other] = await submitMany(store, 2);
    const theirs = await submitOne(store, BOB);
    const ids = [queued ?? '', 'nobody', theirs, other ?? ''];
    const answer = await store.bulk(ALICE, CALLER, { target: { ids }, action: { name: 'redrive', start: null }, limit: 10, dryRun: false });
    expect(answer).toMatchObject({ matched: { value: 2, exact: true }, changed: 0, skipped: 4, hasMore: false });
    expect(answer.samples).toEqual([
      { jobId: queued, code: 'INVALID_TRANSITION' },
      { jobId: 'nobody', code: 'JOB_NOT_FOUND' },
      { jobId: theirs, code: 'JOB_NOT_FOUND' },
      { jobId: other, code: 'INVALID_TRANSITION' },
    ]);
  });
});

describe('the ledger of a job', () => {
  test('is read newest first in pages, forwards and backwards, with the running attempt on top', async () => {
    const { store, clock } = await openTestStore();
    const jobId = await submitOne(store, ALICE, { maxAttempts: 20 });
    for (let round = 0; round < 6; round++) {
      const { leaseToken } = await claimOne(store, ALICE, { workerId: `w${round}` });
      clock.advance(1_000);
      await store.fail(ALICE, CALLER, { jobId, leaseToken, error: ERROR, retry: { afterSeconds: 0 } });
    }
    const { job, leaseToken } = await claimOne(store, ALICE, { workerId: 'w6' });
    clock.advance(500);
    await store.heartbeat(ALICE, CALLER, [{ jobId, leaseToken, extendSeconds: null, progress: null }]);
    const running = (await store.jobById(ALICE, jobId)) ?? job;
    const fences: number[] = [];
    for (let request: PageRequest = { ...FIRST, limit: 3 }, hasNext = true; hasNext; ) {
      const page = await store.attempts(ALICE, running, request);
      fences.push(...page.rows.map(({ row }) => row.fence));
      ({ hasNext } = page);
      request = { ...request, after: page.rows.at(-1)?.key ?? null };
    }
    expect(fences).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const fromEnd = await store.attempts(ALICE, running, { ...LAST, limit: 3 });
    expect(fromEnd.rows.map(({ row }) => row.fence)).toEqual([3, 2, 1]);
    const [top] = (await store.attempts(ALICE, running, FIRST)).rows;
    expect(top?.row).toEqual({
      number: 7,
      fence: 7,
      workerId: 'w6',
      startedAtMs: T0_MS + 6_000,
      lastHeartbeatAtMs: T0_MS + 6_500,
      finishedAtMs: null,
      outcome: 'running',
      error: null,
      errorGroup: null,
    });
  });
});
