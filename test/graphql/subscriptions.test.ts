/** Following the figures: what is sent, and how it ends. */
import { describe, expect, test } from 'vitest';
import { followChanges } from '../../src/graphql/subscriptions.ts';
import type { Stats } from '../../src/store/answers.ts';

const statsOf = (ready: number, asOfMs: number): Stats => ({
  counts: { queued: ready, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0 },
  ready,
  oldestReadySeconds: null,
  throughput: { submitted: 0, claimed: 0, completed: 0, failed: 0 },
  workers: 0,
  asOfMs,
});

const mark = ({ ready }: Stats): string => String(ready);

/** Looks that find these figures, one after the other. */
function looks(...ready: readonly number[]) {
  let index = 0;
  const look = (): Promise<Stats> => {
    index += 1;
    return Promise.resolve(statsOf(ready[index - 1] ?? -1, index));
  };
  return { look, mark, everyMs: 1 };
}

describe('following the figures', () => {
  test('sends the first at once and then only changes, whenever they were taken', async () => {
    let pauses = 0;
    const pause = (): Promise<boolean> => Promise.resolve(++pauses < 6);
    const seen: number[] = [];
    for await (const { ready } of followChanges(looks(1, 1, 2, 2, 2, 1), pause)) seen.push(ready);
    expect(seen).toEqual([1, 2, 1]);
    expect(pauses).toBe(6);
  });

  test('ends when the pause says that it must', async () => {
    const feed = followChanges(looks(1), () => Promise.resolve(false));
    expect(await feed.next()).toMatchObject({ done: false });
    expect(await feed.next()).toEqual({ done: true, value: undefined });
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });

  test('lets its reader go while it pauses', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const feed = followChanges(looks(1, 2), () => promise);
    await feed.next();
    const waiting = feed.next();
    expect(await feed.return?.()).toEqual({ done: true, value: undefined });
    resolve(true);
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('passes a fault on', async () => {
    const feed = followChanges({ ...looks(), look: () => Promise.reject(new Error('the database is gone')) }, () => Promise.resolve(true));
    await expect(feed.next()).rejects.toThrow('the database is gone');
  });
});
