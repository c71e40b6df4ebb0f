/** Figures over time: they say what happened, at any time and however they were moved since. */
import { describe, expect, test } from 'vitest';
import { binOf, HISTOGRAM_BINS, quantileMs } from '../../src/domain/histogram.ts';
import type { SeriesPeriod, SeriesPoint } from '../../src/store/answers.ts';
import type { CommittedEvent, LeaseRepository } from '../../src/store/housekeeping.ts';
import { inspect } from '../../src/store/inspection/inspect.ts';
import { seededChance } from '../../src/testing/seeded-chance.ts';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';
import { takeBackTo } from '../support/older-database.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder, type TestStore } from '../support/store.ts';

const ERROR = { type: null, message: 'no', detailsJson: null };
const STEP_MS = { hour: 60_000, day: 900_000, week: 3_600_000 };
const QUEUES = ['a', 'b', 'c'];
const DEPTHS = ['ready', 'delayed', 'running', 'retry', 'dead'] as const;

const sum = (points: readonly SeriesPoint[], name: 'submitted' | 'claimed' | 'completed' | 'failed' | 'died' | 'expired'): number =>
  points.reduce((all, point) => all + point[name], 0);

async function retainAll(store: LeaseRepository): Promise<void> {
  while ((await store.retain()).hasMore);
}

/** Everything that happened, kept by a listener, and how deep the queues were after each change. */
class Ledger {
  readonly events: (CommittedEvent & { readonly atMs: number })[] = [];
  readonly depths: { readonly atMs: number; readonly queue: string; readonly depth: Record<(typeof DEPTHS)[number], number> }[] = [];
  readonly #store: LeaseRepository;
  readonly #clock: ManualClock;

  constructor({ store, clock }: TestStore) {
    this.#store = store;
    this.#clock = clock;
    store.onCommit(({ events }) => this.events.push(...events.map((event) => ({ ...event, atMs: clock.nowMs() }))));
  }

  async look(): Promise<void> {
    for (const queue of QUEUES) {
      const { ready, delayed, counts } = await this.#store.queueStats(ALICE, queue);
      const depth = { ready, delayed, running: counts.running, retry: counts.retry, dead: counts.dead };
      this.depths.push({ atMs: this.#clock.nowMs(), queue, depth });
    }
  }

  /** What the points of these queues have to be. */
  expected(points: readonly SeriesPoint[], queues: readonly string[], stepMs: number): readonly Omit<SeriesPoint, 'wait' | 'run'>[] {
    const events = this.events.filter(({ tenant, queue }) => tenant === ALICE && queues.includes(queue));
    return points.map(({ atMs }) => {
      const within = events.filter((event) => event.atMs >= atMs && event.atMs < atMs + stepMs);
      const count = (...kinds: readonly string[]): number => within.filter(({ kind }) => kinds.includes(kind)).length;
      return {
        atMs,
        submitted: count('SUBMITTED'),
        claimed: count('CLAIMED'),
        completed: count('COMPLETED'),
        failed: count('RETRY_SCHEDULED', 'DEAD_LETTERED'),
        died: count('DEAD_LETTERED'),
        expired: count('LEASE_EXPIRED'),
        depth: this.#depth(queues, atMs + stepMs),
      };
    });
  }

  #depth(queues: readonly string[], beforeMs: number): SeriesPoint['depth'] {
    const last = queues.map((queue) => this.depths.findLast((seen) => seen.queue === queue && seen.atMs < beforeMs)?.depth);
    if (last.every((depth) => depth === undefined)) return null;
    return Object.fromEntries(DEPTHS.map((name) => [name, last.reduce((all, depth) => all + (depth?.[name] ?? 0), 0)])) as SeriesPoint['depth'];
  }

  times(queues: readonly string[], name: 'waitMs' | 'runMs', fromMs: number, toMs: number): readonly number[] {
    const bins = Array.from({ length: HISTOGRAM_BINS }, () => 0);
    for (const event of this.events) {
      const ms = event[name];
      if (ms === null || event.tenant !== ALICE || !queues.includes(event.queue) || event.atMs < fromMs || event.atMs >= toMs) continue;
      bins[binOf(ms)] = (bins[binOf(ms)] ?? 0) + 1;
    }
    return bins;
  }
}

/** Does something with the queues, as chance has it. */
async function act({ store, clock }: TestStore, ledger: Ledger, chance: { ratio(): number }): Promise<void> {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(chance.ratio() * items.length)] as Item;
  const queue = pick(QUEUES);
  const verb = pick(['submit', 'submit', 'delay', 'work', 'work', 'fail', 'lapse', 'cancel', 'redrive', 'purge', 'sweep'] as const);
  if (verb === 'submit')
    await store.submit(
      ALICE,
      CALLER,
      Array.from({ length: 1 + Math.floor(chance.ratio() * 5) }, () => submission({ queue, maxAttempts: 2 })),
      false,
    );
  if (verb === 'delay') await submitOne(store, ALICE, { queue, start: { inSeconds: Math.floor(chance.ratio() * 600) } });
  if (verb === 'sweep') await store.sweep();
  if (verb === 'cancel')
    await store.bulk(ALICE, CALLER, {
      target: { filter: { queues: [queue] } },
      action: { name: 'cancel', reason: null, force: false },
      limit: 1,
      dryRun: false,
    });
  if (verb === 'redrive')
    await store.bulk(ALICE, CALLER, { target: { filter: { queues: [queue] } }, action: { name: 'redrive', start: null }, limit: 2, dryRun: false });
  if (verb === 'purge') await store.bulk(ALICE, CALLER, { target: { filter: { queues: [queue] } }, action: { name: 'purge' }, limit: 2, dryRun: false });
  if (verb !== 'work' && verb !== 'fail' && verb !== 'lapse') return;
  const { leases } = await store.claim(ALICE, CALLER, claimOf({ queues: [queue], max: 3, leaseSeconds: 30 }));
  await ledger.look();
  clock.advance(Math.floor(chance.ratio() * 20_000));
  const held = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
  if (verb === 'work')
    await store.complete(
      ALICE,
      CALLER,
      held.map((lease) => ({ ...lease, resultJson: null })),
    );
  if (verb === 'fail') for (const lease of held) await store.fail(ALICE, CALLER, { ...lease, error: ERROR, retry: null });
}

async function history(seed: number, rounds: number, msPerRound: number): Promise<{ readonly test: TestStore; readonly ledger: Ledger }> {
  const test = await openTestStore();
  const ledger = new Ledger(test);
  const chance = seededChance(seed);
  await ledger.look();
  for (let round = 0; round < rounds; round++) {
    test.clock.advance(Math.floor(chance.ratio() * msPerRound));
    await act(test, ledger, chance);
    await ledger.look();
    if (chance.ratio() < 0.2) await retainAll(test.store);
  }
  return { test, ledger };
}

describe.each([
  ['an hour', 'hour', 60_000],
  ['some days', 'day', 2_000_000],
  ['more than a week', 'week', 10_000_000],
] as const)('a random history of %s', (_name, period, msPerRound) => {
  test.each([1, 2, 3])('is what the series say, queue by queue and of the tenant as a whole (%i)', { timeout: 60_000 }, async (seed) => {
    const { test: given, ledger } = await history(seed, 120, msPerRound);
    const { store, engine } = given;
    for (const queues of [...QUEUES.map((queue) => [queue]), ['a', 'c'], null]) {
      const { points, fromMs, toMs } = await store.series(ALICE, queues, period);
      const names = queues ?? QUEUES;
      expect(points.map(({ wait: _wait, run: _run, ...point }) => point)).toEqual(ledger.expected(points, names, STEP_MS[period]));
      expect([fromMs, toMs, points.length]).toEqual([points[0]?.atMs, store.nowMs(), { hour: 60, day: 96, week: 168 }[period]]);
      for (const { atMs, wait, run } of points) {
        const seconds = (name: 'waitMs' | 'runMs', share: number) => {
          const ms = quantileMs(ledger.times(names, name, atMs, atMs + STEP_MS[period]), share);
          return ms === null ? null : ms / 1_000;
        };
        expect([wait.p50Seconds, wait.p95Seconds, run.p99Seconds]).toEqual([seconds('waitMs', 0.5), seconds('waitMs', 0.95), seconds('runMs', 0.99)]);
      }
    }
    expect((await inspect({ db: engine.db, replays: false })).filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    await store.close();
  });
});

describe('series', () => {
  const periods: readonly SeriesPeriod[] = ['hour', 'day', 'week'];

  test('of a queue that nobody has used have every step, with nothing in it', async () => {
    const { store } = await openTestStore();
    for (const period of periods) {
      const { points } = await store.series(ALICE, ['none'], period);
      expect(sum(points, 'submitted')).toBe(0);
      expect(points.at(-1)).toMatchObject({ depth: { ready: 0 }, wait: { p95Seconds: null }, run: { p50Seconds: null } });
      expect(points.at(0)?.depth).toBeNull();
    }
    await store.close();
  });

  test('hold nothing of another tenant', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, BOB);
    clock.advance(300_000);
    await retainAll(store);
    for (const queues of [null, ['q']]) expect(sum((await store.series(ALICE, queues, 'hour')).points, 'submitted')).toBe(0);
    expect(sum((await store.series(BOB, null, 'hour')).points, 'submitted')).toBe(1);
    await store.close();
  });

  test('carry the depth on while nothing happens', async () => {
    const { store, clock } = await openTestStore();
    await submitOne(store, ALICE);
    clock.advance(6 * 86_400_000);
    await retainAll(store);
    const { points } = await store.series(ALICE, ['q'], 'week');
    expect(points.slice(-100).map(({ depth }) => depth?.ready)).toEqual(Array.from({ length: 100 }, () => 1));
    await store.close();
  });

  test('are kept for as long as is said, and no longer', async () => {
    const { store, clock, engine } = await openTestStore();
    const rows = async () => {
      const kept = await engine.db
        .selectFrom('queue_series')
        .select(['step_seconds', 'queue_name'])
        .where('tenant_id', '=', ALICE)
        .orderBy('queue_name')
        .execute();
      return kept.map((row) => `${row.queue_name}/${row.step_seconds}`);
    };
    await submitOne(store, ALICE);
    await retainAll(store);
    expect(await rows()).toEqual([]);
    clock.advance(130_000);
    await retainAll(store);
    expect(await rows()).toEqual(['/60', 'q/60']);
    clock.advance(27 * 3_600_000);
    await retainAll(store);
    expect(await rows()).toEqual(['/3600', 'q/3600']);
    clock.advance(8 * 86_400_000);
    await retainAll(store);
    expect(await rows()).toEqual([]);
    await store.close();
  });
});

describe('a database from before series', () => {
  test('keeps its rates, and has series from its upgrade on', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const before = await openTestStore({ path });
    await before.store.submit(ALICE, CALLER, [submission(), submission()], false);
    await before.store.close();
    takeBackTo('003-dead-letter-groups', path);
    const { store, clock, engine } = await openTestStore({ path, clock: new ManualClock(T0_MS + 50_000) });
    expect((await store.queueStats(ALICE, 'q')).throughput.submitted).toBeCloseTo(2 / 60);
    clock.advance(3_600_000);
    await submitOne(store, ALICE);
    await retainAll(store);
    const { points } = await store.series(ALICE, null, 'day');
    const known = points.filter(({ depth }) => depth !== null);
    expect(known.map(({ depth }) => depth?.ready)).toEqual([2, 2, 2, 2, 3]);
    expect(sum(points, 'submitted')).toBe(3);
    expect((await inspect({ db: engine.db, replays: false })).filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    await store.close();
  });
});

describe('the last hour of a queue', () => {
  test('tells how long jobs waited and ran, and how many died', async () => {
    const { store, clock } = await openTestStore();
    await store.submit(ALICE, CALLER, [submission(), submission({ maxAttempts: 1 })], false);
    clock.advance(1_500);
    const first = await claimOne(store, ALICE);
    const second = await claimOne(store, ALICE);
    clock.advance(200_000);
    await store.complete(ALICE, CALLER, [{ jobId: first.job.id, leaseToken: first.leaseToken, resultJson: null }]);
    await store.sweep();
    await retainAll(store);
    const { lastHour } = await store.queueStats(ALICE, 'q');
    expect(lastHour.died).toBe(second.job.maxAttempts === 1 ? 1 : 0);
    expect(lastHour.waitP95Seconds).toBeGreaterThan(1);
    expect(lastHour.waitP95Seconds).toBeLessThanOrEqual(2);
    clock.advance(3_700_000);
    expect((await store.queueStats(ALICE, 'q')).lastHour).toEqual({ waitP95Seconds: null, runP95Seconds: null, died: 0 });
    await store.close();
  });
});
