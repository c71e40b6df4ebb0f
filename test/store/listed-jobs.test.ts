/** Lists, counts and bulk operations over the jobs of many queues, against a model that filters and sorts them all. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB_STATES, type TenantId } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { JobFilter } from '../../src/store/requests.ts';
import { expectedCount, expectedPage, matches, type Placed, placedJobs } from '../support/listed-jobs.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { takeBackTo } from '../support/older-database.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { ALICE, BOB, CALLER, claimOf, openTestStore, submission, submitOne, temporaryFolder, type TestStore } from '../support/store.ts';

const ERROR = { type: null, message: 'no', detailsJson: null };
const SPAN_MS = 60;

/** What is done after a job was submitted. A claim takes whichever job of the queue is next. */
const FATES = ['nothing', 'nothing', 'nothing', 'claim', 'complete', 'retry', 'die', 'release', 'cancel'] as const;
interface Submitted {
  readonly tenant: TenantId;
  readonly queue: number;
  readonly task: string;
  readonly tag: number;
  readonly isKeyed: boolean;
  readonly isDelayed: boolean;
  readonly fate: (typeof FATES)[number];
}

const submitted: fc.Arbitrary<Submitted> = fc.record({
  tenant: fc.constantFrom(ALICE, ALICE, BOB),
  queue: fc.nat(1_000),
  task: fc.constantFrom('usual', 'usual', 'rare'),
  tag: fc.nat(3),
  isKeyed: fc.boolean(),
  isDelayed: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  fate: fc.constantFrom(...FATES),
});

async function act({ store, clock }: TestStore, one: Submitted, queues: number): Promise<void> {
  const { tenant, task, fate } = one;
  const queue = `q${one.queue % queues}`;
  const jobId = await submitOne(store, tenant, {
    queue,
    task,
    tags: [{ key: 'k', value: String(one.tag) }],
    concurrencyKey: one.isKeyed ? 'key' : null,
    start: one.isDelayed ? { inSeconds: 1_000 } : null,
  });
  clock.advance(one.tag % 2);
  if (fate === 'cancel') await store.cancel(tenant, CALLER, { jobId, reason: null, force: false });
  if (fate !== 'nothing' && fate !== 'cancel') await claimAnd(fate, store, tenant, queue);
}

async function claimAnd(fate: Submitted['fate'], store: LeaseRepository, tenant: TenantId, queue: string): Promise<void> {
  const [lease] = (await store.claim(tenant, CALLER, claimOf({ queues: [queue], workerId: `w-${queue}` }))).leases;
  if (lease === undefined) return;
  const held = { jobId: lease.job.id, leaseToken: lease.leaseToken };
  if (fate === 'complete') await store.complete(tenant, CALLER, [{ ...held, resultJson: null }]);
  if (fate === 'retry') await store.fail(tenant, CALLER, { ...held, error: ERROR, retry: { afterSeconds: 1_000 } });
  if (fate === 'die') await store.fail(tenant, CALLER, { ...held, error: ERROR, retry: { never: true } });
  if (fate === 'release') await store.release(tenant, CALLER, [{ ...held, afterSeconds: 0 }]);
}

const instant = fc.option(fc.nat(SPAN_MS).map((ms) => T0_MS + ms));
const range = fc.record({ fromMs: instant, toMs: instant });
/** None that many queues are named: a list then has its parts by state. */
const UNKNOWN = Array.from({ length: 45 }, (_, n) => `unknown${n}`);
const queueNames = fc.subarray(['q0', 'q1', 'q2', 'q3', 'none']);
const filters: fc.Arbitrary<JobFilter> = fc.record(
  {
    states: fc.oneof(fc.constant(['queued' as const]), fc.subarray([...JOB_STATES, 'queued' as const])),
    queues: fc.oneof(
      queueNames,
      queueNames.map((names) => [...names, ...UNKNOWN]),
    ),
    tasks: fc.constantFrom(['rare'], ['usual', 'rare'], ['none']),
    concurrencyKeys: fc.constant(['key']),
    workerIds: fc.constant(['w-q0', 'w-q1']),
    createdAt: range,
    runAt: range,
    finishedAt: range,
    tags: fc.nat(3).map((n) => [{ key: 'k', value: String(n) }]),
  },
  { requiredKeys: [] },
);
/** Most have one or two conditions: more of them leave nothing. */
const asked = fc.tuple(filters, fc.subarray([...JOB_STATES.keys(), 6, 7, 8], { maxLength: 3 })).map(([filter, kept]): JobFilter => {
  const all = Object.entries(filter);
  const some = all.filter((_, index) => kept.includes(index));
  const { queues, ...others } = Object.fromEntries(some) as JobFilter;
  return queues === undefined ? others : kept.includes(8) ? { ...others, queues, isConfined: true } : { ...others, queues };
});

interface Question {
  readonly filter: JobFilter;
  readonly newestFirst: boolean;
  /** Cursors, as places among the jobs of the tenant. */
  readonly after: number | null;
  readonly before: number | null;
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly max: number | null;
}
const place = fc.option(fc.nat(150));
const questions: fc.Arbitrary<Question> = fc.record({
  filter: asked,
  newestFirst: fc.boolean(),
  after: place,
  before: place,
  limit: fc.integer({ min: 1, max: 12 }),
  fromEnd: fc.boolean(),
  max: fc.option(fc.integer({ min: 1, max: 90 })),
});

async function checkPage(store: LeaseRepository, jobs: readonly Placed[], question: Question): Promise<void> {
  const { filter, newestFirst, limit, fromEnd } = question;
  const keyAt = (index: number | null) => {
    const at = index === null ? undefined : jobs.at(index % jobs.length);
    return at === undefined ? null : [at.seq];
  };
  const request = { after: keyAt(question.after), before: keyAt(question.before), limit, fromEnd };
  // How far a look among the jobs of a tag comes is told by them.
  const max = filter.tags === undefined ? question.max : null;
  const page = await store.jobs(ALICE, filter, newestFirst ? 'newest_first' : 'oldest_first', request, max);
  const { rows, lookedThrough, cutAt, hasNext, hasPrevious } = page;
  const found = { ids: rows.map(({ row }) => row.id), hasMore: fromEnd ? hasPrevious : hasNext, lookedThrough, cutAt };
  expect({ question, ...found }).toEqual({ question, ...expectedPage(jobs, filter, newestFirst, request, max) });
}

async function checkCount(store: LeaseRepository, jobs: readonly Placed[], { filter, max }: Question): Promise<void> {
  const counted = await store.countJobs(ALICE, filter, filter.tags === undefined ? (max ?? undefined) : undefined);
  expect({ filter, max, ...counted }).toEqual({ filter, max, ...expectedCount(jobs, filter, filter.tags === undefined ? (max ?? 30_000) : 30_000) });
}

/** Cancels, and looks which jobs were: the oldest that match and wait or run. */
async function checkCancelling(
  { store, engine }: Pick<TestStore, 'store' | 'engine'>,
  jobs: readonly Placed[],
  { filter, limit }: Pick<Question, 'filter' | 'limit'>,
): Promise<void> {
  const could = jobs.filter((one) => ['queued', 'running', 'retry'].includes(one.job.state) && matches(one, filter));
  const answer = await store.bulk(ALICE, CALLER, { target: { filter }, action: { name: 'cancel', reason: null, force: true }, limit, dryRun: false });
  expect(answer).toMatchObject({ matched: { value: could.length, exact: true }, changed: Math.min(limit, could.length), hasMore: could.length > limit });
  const touched = could.slice(0, limit).map(({ seq }) => seq);
  const after = await placedJobs(engine);
  const changed = after.filter(({ tenant, seq, job }) => tenant === ALICE && job.state !== jobs.find((one) => one.seq === seq)?.job.state);
  expect(changed.map(({ seq }) => seq)).toEqual(touched);
}

const ofAlice = (all: readonly Placed[]): readonly Placed[] => all.filter(({ tenant }) => tenant === ALICE);

describe('jobs of many queues', () => {
  const histories = fc.tuple(
    fc.array(submitted, { minLength: 20, maxLength: 90, size: 'max' }),
    fc.constantFrom(1, 4, 1_000),
    fc.array(questions, { minLength: 40, maxLength: 40 }),
    fc.array(questions, { minLength: 3, maxLength: 3 }),
  );

  test('are listed, counted and worked on as plain filters over all of them tell', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ([history, queues, asking, cancelling]) => {
        const opened = await openTestStore();
        for (const one of history) await act(opened, one, queues);
        const jobs = ofAlice(await placedJobs(opened.engine));
        for (const question of asking) {
          await checkPage(opened.store, jobs, question);
          await checkCount(opened.store, jobs, question);
        }
        for (const question of cancelling) await checkCancelling(opened, ofAlice(await placedJobs(opened.engine)), question);
        await opened.store.close();
      }),
      { numRuns: 40 },
    );
  });

  const spreads: Readonly<Record<string, (n: number) => string>> = {
    'hundreds of which have some': (n) => `q${n % 303}`,
    'one of which has them all': () => 'q0',
    'one of which has nearly all': (n) => (n % 50 === 0 ? `q${n}` : 'q0'),
    'which were used one after the other': (n) => `q${Math.floor(n / 7)}`,
  };
  test.each(Object.entries(spreads))('%s: are looked through as far as asked, from any place', { timeout: 60_000 }, async (_name, queueOf) => {
    const { store, engine } = await openTestStore();
    for (let n = 0; n < 1_200; n += 400) {
      const some = Array.from({ length: 400 }, (_, k) => submission({ queue: queueOf(n + k), task: (n + k) % 97 === 0 ? 'rare' : 'usual' }));
      await store.submit(ALICE, CALLER, some, false);
      await store.submit(BOB, CALLER, some, false);
      await store.bulk(ALICE, CALLER, { target: { filter: {} }, action: { name: 'cancel', reason: null, force: true }, limit: 40, dryRun: false });
    }
    const jobs = ofAlice(await placedJobs(engine));
    const rare: JobFilter = { tasks: ['rare'] };
    for (const filter of [{}, rare, { ...rare, states: ['queued' as const] }, { states: ['queued' as const] }])
      for (const newestFirst of [true, false])
        for (const fromEnd of [true, false])
          for (const max of [null, 1, 17, 300, 777, 1_079, 1_080, 1_081, 2_000])
            for (const [after, before] of [
              [null, null],
              [1_100, 5],
              [5, 1_100],
              [600, null],
            ] as const) {
              const question = { filter, newestFirst, after, before, limit: max === null ? 20 : 10, fromEnd, max };
              await checkPage(store, jobs, question);
              if (after === null && fromEnd) await checkCount(store, jobs, question);
            }
    await checkCancelling({ store, engine }, jobs, { filter: { ...rare, states: ['queued'] }, limit: 9 });
    await checkCancelling({ store, engine }, ofAlice(await placedJobs(engine)), { filter: rare, limit: 20 });
    await store.close();
  });

  test('of a database from before are found as they were', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const before = await openTestStore({ path });
    for (const [n, fate] of FATES.entries())
      await act(before, { tenant: ALICE, queue: n, task: 'rare', tag: n % 2, isKeyed: false, isDelayed: false, fate }, 4);
    const jobs = ofAlice(await placedJobs(before.engine));
    await before.store.close();
    takeBackTo('008-submission-calls', path);
    const { store } = await openTestStore({ path, entropy: seededEntropy({ seed: 2, ratio: 0 }) });
    for (const filter of [{}, { states: ['queued' as const] }, { tasks: ['rare'] }]) {
      const question = { filter, newestFirst: true, after: null, before: null, limit: 10, fromEnd: false, max: null };
      await checkPage(store, jobs, question);
      await checkCount(store, jobs, question);
    }
    await submitOne(store, ALICE, { queue: 'q9' });
    expect(await store.countJobs(ALICE, { tasks: ['t', 'rare'] })).toEqual({ value: jobs.length + 1, exact: true });
    await store.close();
  });
});
