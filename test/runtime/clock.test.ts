import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { VirtualClock } from '../../src/testing/virtual-clock.ts';

const DAY_MS = 86_400_000;

afterEach(() => vi.useRealTimers());

describe('a clock', () => {
  test.each([
    ['of the system', () => systemClock, (ms: number) => void vi.advanceTimersByTime(ms)],
    ['that somebody moves', () => new VirtualClock(0), undefined],
  ] as const)('%s calls back once its time has come, and not where it was told otherwise', (_name, open, move) => {
    vi.useFakeTimers();
    const clock = open();
    const advance = move ?? ((ms: number) => (clock as VirtualClock).advance(ms));
    const calls: string[] = [];
    clock.after(1_000, () => calls.push('first'));
    const cancel = clock.after(1_000, () => calls.push('cancelled'));
    // Longer than one timer of Node can be.
    clock.after(60 * DAY_MS, () => calls.push('late'));
    const cancelLate = clock.after(60 * DAY_MS, () => calls.push('cancelled'));
    advance(999);
    expect(calls).toEqual([]);
    cancel();
    advance(1);
    expect(calls).toEqual(['first']);
    advance(30 * DAY_MS);
    cancelLate();
    advance(30 * DAY_MS - 1_001);
    expect(calls).toEqual(['first']);
    advance(1);
    expect(calls).toEqual(['first', 'late']);
    cancel();
    advance(DAY_MS);
    expect(calls).toEqual(['first', 'late']);
  });

  test('that somebody moves does not call back what another one took back at the same instant', () => {
    const clock = new VirtualClock(0);
    const calls: string[] = [];
    const cancel: (() => void)[] = [];
    clock.after(10, () => cancel.forEach((take) => take()));
    cancel.push(clock.after(10, () => calls.push('cancelled')));
    cancel.push(clock.after(11, () => calls.push('cancelled')));
    clock.advance(20);
    expect(calls).toEqual([]);
    expect(clock.untilWakeMs()).toBeNull();
  });

  test('ends a sleep when its time has come, and at once where its signal aborts or has aborted', async () => {
    const clock = new VirtualClock(0);
    const over = new AbortController();
    const ends: string[] = [];
    const sleeps = [
      clock.sleep(10).then(() => ends.push('slept')),
      clock.sleep(1_000, over.signal).then(() => ends.push('woken')),
      clock.sleep(0).then(() => ends.push('none')),
      clock.sleep(1_000, AbortSignal.abort()).then(() => ends.push('none')),
    ];
    clock.advance(10);
    over.abort();
    await Promise.all(sleeps);
    expect(ends.toSorted()).toEqual(['none', 'none', 'slept', 'woken']);
    expect(clock.untilWakeMs()).toBeNull();
  });
});
