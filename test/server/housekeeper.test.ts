import { describe, expect, test } from 'vitest';
import { createLogger } from '../../src/runtime/logger.ts';
import { Housekeeper } from '../../src/server/housekeeper.ts';
import type { SweepReport } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';

const QUIET: SweepReport = { expired: 0, promoted: 0, hasMore: false, nextDueAtMs: null };

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function keep(
  sweep: () => Promise<SweepReport>,
  retain: (clock: ManualClock) => Promise<{ removed: number; hasMore: boolean }> = async () => ({ removed: 0, hasMore: false }),
) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const counts = { sweeps: 0, retentions: 0 };
  const store = {
    sweep: () => {
      counts.sweeps += 1;
      return sweep();
    },
    retain: () => {
      counts.retentions += 1;
      return retain(clock);
    },
  };
  const log = createLogger({ level: 'debug', clock, stream: { write: (line) => lines.push(line) } });
  const housekeeper = new Housekeeper({ store, clock, log });
  housekeeper.start();
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await turns();
  };
  return { housekeeper, counts, lines, clock, pass, started: turns() };
}

describe('the housekeeper', () => {
  test('sweeps at once, and then once a second', async () => {
    const { housekeeper, counts, pass, started } = keep(async () => QUIET);
    await started;
    expect(counts.sweeps).toBe(1);
    await pass(999);
    expect(counts.sweeps).toBe(1);
    await pass(1);
    expect(counts.sweeps).toBe(2);
    await housekeeper.stop();
  });

  test('sweeps sooner where it knows that a job falls due', async () => {
    const due = [T0_MS + 300];
    const { housekeeper, counts, pass, started } = keep(async () => ({ ...QUIET, nextDueAtMs: due.shift() ?? null }));
    await started;
    await pass(299);
    expect(counts.sweeps).toBe(1);
    await pass(1);
    expect(counts.sweeps).toBe(2);
    await housekeeper.stop();
  });

  test.each([
    ['in the past', -5_000, 25],
    ['30 days away', 30 * 86_400_000, 1_000],
    ['2^31 ms away', 2_147_483_648, 1_000],
  ])('neither spins nor oversleeps where the next job is due %s (B74)', async (_name, offsetMs, pauseMs) => {
    const { housekeeper, counts, pass, started } = keep(async () => ({ ...QUIET, nextDueAtMs: T0_MS + offsetMs }));
    await started;
    expect(counts.sweeps).toBe(1);
    await pass(pauseMs - 1);
    expect(counts.sweeps).toBe(1);
    await pass(1);
    expect(counts.sweeps).toBe(2);
    await housekeeper.stop();
  });

  test('goes on at once while there is more to sweep, and lets others work in between', async () => {
    let left = 50;
    const { housekeeper, counts, started } = keep(async () => ({ ...QUIET, hasMore: --left > 0 }));
    await started;
    expect(counts.sweeps).toBeGreaterThan(1);
    expect(counts.sweeps).toBeLessThan(50);
    await turns();
    await turns();
    await turns();
    await turns();
    await turns();
    expect(counts.sweeps).toBe(50);
    await housekeeper.stop();
  });

  test('removes in steps with a pause, and then looks every few seconds', async () => {
    let left = 3;
    const { housekeeper, counts, pass, started } = keep(
      async () => QUIET,
      async () => ({ removed: 1, hasMore: --left > 0 }),
    );
    await started;
    expect(counts.retentions).toBe(1);
    await pass(50);
    await pass(50);
    expect(counts.retentions).toBe(3);
    await pass(4_999);
    expect(counts.retentions).toBe(3);
    await pass(1);
    expect(counts.retentions).toBe(4);
    await housekeeper.stop();
  });

  test('pauses longer after a step that took long, so that retention never has more than a quarter of the time', async () => {
    let left = 3;
    const { housekeeper, counts, pass, started } = keep(
      async () => QUIET,
      async (clock) => {
        clock.advance(100);
        return { removed: 1, hasMore: --left > 0 };
      },
    );
    await started;
    await pass(299);
    expect(counts.retentions).toBe(1);
    await pass(1);
    expect(counts.retentions).toBe(2);
    await housekeeper.stop();
  });

  test('survives errors, logs each kind once, and again after it had recovered', async () => {
    const outcomes: (Error | null)[] = [fault(), fault(), new TypeError('bug'), fault(), null, fault()];
    const { housekeeper, counts, lines, pass, started } = keep(async () => {
      const outcome = outcomes.shift() ?? null;
      if (outcome !== null) throw outcome;
      return QUIET;
    });
    await started;
    for (let second = 0; second < 6; second += 1) await pass(1_000);
    expect(counts.sweeps).toBe(7);
    expect(lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(['busy', 'TypeError', 'busy']);
    await housekeeper.stop();
  });

  test('stops after the step that is running, and starts no other', async () => {
    const running = Promise.withResolvers<SweepReport>();
    const { housekeeper, counts, pass, started } = keep(() => running.promise);
    await started;
    let isStopped = false;
    const stopped = housekeeper.stop().then(() => (isStopped = true));
    await turns();
    expect(isStopped).toBe(false);
    running.resolve({ ...QUIET, hasMore: true });
    await stopped;
    await pass(10_000);
    expect(counts.sweeps).toBe(1);
  });
});

function fault(): StoreFault {
  return new StoreFault('busy', 'busy', { outcomeUnknown: false });
}
