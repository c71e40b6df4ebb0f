/** How long a failed job waits: capped, finite, never negative, whatever the attempt. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryPolicy, retryDelayMs } from '../../src/domain/backoff.ts';
import { LIMITS } from '../../src/domain/limits.ts';

const seconds = (attempt: number, policy: RetryPolicy): number => retryDelayMs(attempt, policy, 0) / 1000;

const policies = fc
  .tuple(
    fc.integer({ min: LIMITS.retryBaseSecondsMin, max: LIMITS.retryBaseSecondsMax }),
    fc.integer({ min: LIMITS.retryMaxSecondsMin, max: LIMITS.retryMaxSecondsMax }),
  )
  .map(([base, cap]): RetryPolicy => ({ retryBaseSeconds: base, retryMaxSeconds: Math.max(base, cap) }));
const attempts = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay before a retry', () => {
  // B19
  test('doubles with each attempt up to the cap and stays there, also where 2^n overflows', () => {
    const asked = [1, 10, 31, 32, 33, 64, 1_024, 1_100, Number.MAX_SAFE_INTEGER, Infinity];
    expect(asked.map((attempt) => seconds(attempt, { retryBaseSeconds: 5, retryMaxSeconds: 3_600 }))).toEqual([5, 2_560, ...asked.slice(2).map(() => 3_600)]);
    expect(asked.map((attempt) => seconds(attempt, { retryBaseSeconds: 3_600, retryMaxSeconds: 3_600 }))).toEqual(asked.map(() => 3_600));
    expect([1, 2, 3, 4].map((attempt) => seconds(attempt, { retryBaseSeconds: 15, retryMaxSeconds: 3_600 }))).toEqual([15, 30, 60, 120]);
  });

  test('reaches the largest cap from the smallest base within the attempts a job can have', () => {
    expect(seconds(18, { retryBaseSeconds: 1, retryMaxSeconds: 86_400 })).toBe(86_400);
    expect(seconds(17, { retryBaseSeconds: 1, retryMaxSeconds: 86_400 })).toBe(65_536);
  });

  // B20
  test('is the documented 15 seconds for a job that named no base', () => {
    expect(LIMITS.retryBaseSecondsDefault).toBe(15);
    expect(LIMITS.retryMaxSecondsDefault).toBe(3_600);
    expect(seconds(1, { retryBaseSeconds: LIMITS.retryBaseSecondsDefault, retryMaxSeconds: LIMITS.retryMaxSecondsDefault })).toBe(15);
  });

  test('treats an attempt below the first like the first', () => {
    expect(seconds(0, { retryBaseSeconds: 5, retryMaxSeconds: 60 })).toBe(5);
    expect(seconds(-3, { retryBaseSeconds: 5, retryMaxSeconds: 60 })).toBe(5);
  });

  test('is a whole, finite and positive number of milliseconds between nine tenths of the delay and the delay', () => {
    fc.assert(
      fc.property(attempts, policies, jitters, (attempt, policy, jitter) => {
        const full = retryDelayMs(attempt, policy, 0);
        const delay = retryDelayMs(attempt, policy, jitter);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThan(0);
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(full * 0.9));
        expect(full).toBeLessThanOrEqual(policy.retryMaxSeconds * 1000);
        expect(full).toBeGreaterThanOrEqual(policy.retryBaseSeconds * 1000);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never shrinks from one attempt to the next where chance takes nothing off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), policies, (attempt, policy) => {
        expect(retryDelayMs(attempt + 1, policy, 0)).toBeGreaterThanOrEqual(retryDelayMs(attempt, policy, 0));
      }),
      { numRuns: 2_000 },
    );
  });

  test('shrinks as chance takes more off', () => {
    fc.assert(
      fc.property(attempts, policies, jitters, jitters, (attempt, policy, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(retryDelayMs(attempt, policy, more)).toBeLessThanOrEqual(retryDelayMs(attempt, policy, less));
      }),
    );
  });
});
