import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokenBucket } from '../../src/domain/token-bucket.ts';

describe('a token bucket', () => {
  test('gives what it holds at once, then one for each part of a second', () => {
    const bucket = createTokenBucket(10, 3);
    expect([0, 0, 0, 0].map((nowMs) => bucket.take(nowMs))).toEqual([true, true, true, false]);
    expect([bucket.take(99), bucket.take(100), bucket.take(100)]).toEqual([false, true, false]);
  });

  test('says how long to wait, and that time is enough and a shorter one is not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        (perSecond, atOnceMax, steps) => {
          const bucket = createTokenBucket(perSecond, atOnceMax);
          let nowMs = 0;
          for (const step of steps) {
            nowMs += step;
            const count = (step % atOnceMax) + 1;
            const waitMs = bucket.waitMs(nowMs, count);
            // One millisecond is the grain of the answer.
            if (waitMs > 1) expect(bucket.take(nowMs + waitMs - 2, count)).toBe(false);
            nowMs += waitMs;
            expect(bucket.take(nowMs, count)).toBe(true);
          }
        },
      ),
    );
  });

  test('never holds more than it may, however long it was left alone', () => {
    const bucket = createTokenBucket(1_000, 5);
    bucket.take(0);
    expect(Array.from({ length: 7 }, () => bucket.take(1e9))).toEqual([true, true, true, true, true, false, false]);
  });

  test('gives for ever nothing of what is more than it may hold, and takes nothing then', () => {
    const bucket = createTokenBucket(1, 5);
    expect([bucket.waitMs(0, 6), bucket.take(0, 6), bucket.take(0, 5)]).toEqual([Infinity, false, true]);
  });

  test('keeps what is in it when its rate changes, as far as it fits, so that a change is no refill', () => {
    const bucket = createTokenBucket(10, 10);
    bucket.take(0, 8);
    bucket.setRate(0, 100, 100);
    expect([bucket.take(0, 3), bucket.take(0, 2)]).toEqual([false, true]);
    bucket.setRate(1_000, 1, 1);
    expect([bucket.take(1_000), bucket.take(1_000)]).toEqual([true, false]);
  });
});
