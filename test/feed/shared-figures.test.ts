/** Watching figures together: one look a beat for all, and each is told what is new to it. */
import { describe, expect, test } from 'vitest';
import { SharedFigures } from '../../src/feed/shared-figures.ts';
import type { Shown } from '../../src/feed/subscriber.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settleDown } from '../support/turns.ts';

interface Text extends Shown {
  readonly figure: number;
}

class Figures {
  readonly clock = new ManualClock();
  readonly stopping = new AbortController();
  readonly shared = new SharedFigures<number, Text>();
  figure = 1;
  looks = 0;
  renders = 0;
  openRenderers = 0;
  fault: Error | null = null;

  watch(key = 'same', take: (taken: () => void) => void = (taken) => taken()) {
    const watcher = { told: [] as number[], error: null as unknown, isOver: false };
    this.openRenderers += 1;
    const leave = this.shared.watch(
      {
        key,
        parts: {
          look: async () => {
            this.looks += 1;
            if (this.fault !== null) throw this.fault;
            return this.figure;
          },
          mark: String,
          everyMs: 1_000,
          sleep: (ms, signal) => this.clock.sleep(ms, signal),
          signal: this.stopping.signal,
        },
        renderer: {
          render: async (figure) => {
            this.renders += 1;
            return { figure, byteLength: 10 };
          },
          failure: async (error) => error,
          close: () => (this.openRenderers -= 1),
        },
      },
      {
        send: ({ figure }, taken) => {
          watcher.told.push(figure);
          take(taken);
        },
        hasRoom: () => true,
        end: () => (watcher.isOver = true),
        fail: (error) => (watcher.error = error),
      },
    );
    return { watcher, leave };
  }

  async second(): Promise<void> {
    this.clock.advance(1_000);
    await settleDown();
  }
}

describe('those who watch the same figures', () => {
  test('are told at once, then at each beat that finds a change, for one look and one rendering', async () => {
    const figures = new Figures();
    const watchers = Array.from({ length: 10 }, () => figures.watch().watcher);
    await settleDown();
    const [looks, renders] = [figures.looks, figures.renders];
    await figures.second();
    figures.figure = 2;
    await figures.second();
    await figures.second();
    expect(watchers.map(({ told }) => told)).toEqual(watchers.map(() => [1, 2]));
    expect([figures.looks - looks, figures.renders - renders, figures.openRenderers]).toEqual([3, 1, 1]);
  });

  test('are each told what is new to them, whenever they came', async () => {
    const figures = new Figures();
    const { watcher: early } = figures.watch();
    await settleDown();
    figures.figure = 2;
    const { watcher: late } = figures.watch();
    await settleDown();
    expect([early.told, late.told]).toEqual([[1], [2]]);
    await figures.second();
    expect([early.told, late.told]).toEqual([[1, 2], [2]]);
    figures.figure = 1;
    await figures.second();
    expect([early.told, late.told]).toEqual([
      [1, 2, 1],
      [2, 1],
    ]);
  });

  test('get the latest when they take again what they did not take', async () => {
    const figures = new Figures();
    const untaken: (() => void)[] = [];
    const { watcher: slow } = figures.watch('same', (taken) => untaken.push(taken));
    const { watcher: quick } = figures.watch();
    await settleDown();
    for (figures.figure = 2; figures.figure < 5; figures.figure += 1) await figures.second();
    for (const taken of untaken) taken();
    await figures.second();
    expect([slow.told, quick.told]).toEqual([
      [1, 5],
      [1, 2, 3, 4, 5],
    ]);
  });

  test('leave when they like, and the last one ends the looks', async () => {
    const figures = new Figures();
    const watches = [figures.watch(), figures.watch(), figures.watch('other')];
    await settleDown();
    watches[0]?.leave();
    figures.figure = 2;
    await figures.second();
    expect(watches.map(({ watcher }) => watcher.told)).toEqual([[1], [1, 2], [1, 2]]);
    for (const { leave } of watches) leave();
    const looks = figures.looks;
    await figures.second();
    expect([figures.looks - looks, figures.openRenderers]).toEqual([0, 0]);
    const { watcher } = figures.watch();
    await settleDown();
    expect(watcher.told).toEqual([2]);
  });

  test('are all told of a fault, and can come back', async () => {
    const figures = new Figures();
    const watchers = [figures.watch().watcher, figures.watch().watcher];
    await settleDown();
    figures.fault = new Error('gone');
    await figures.second();
    expect(watchers.map(({ error }) => error)).toEqual([figures.fault, figures.fault]);
    expect(figures.openRenderers).toBe(0);
    figures.fault = null;
    const { watcher } = figures.watch();
    await settleDown();
    expect(watcher.told).toEqual([1]);
  });

  test('end with the server', async () => {
    const figures = new Figures();
    const watchers = [figures.watch().watcher, figures.watch('other').watcher];
    await settleDown();
    figures.stopping.abort();
    await settleDown();
    expect(watchers.every(({ isOver }) => isOver)).toBe(true);
    expect(figures.openRenderers).toBe(0);
  });
});
