/** Times counted between bounds, and what can be told from the counts. */
import { describe, expect, test } from 'vitest';
import { binOf, HISTOGRAM_BINS, HISTOGRAM_BOUNDS_MS, quantileMs } from '../../src/domain/histogram.ts';
import { seededChance } from '../../src/testing/seeded-chance.ts';

const counted = (times: readonly number[]): readonly number[] =>
  times.reduce(
    (counts, ms) => counts.with(binOf(ms), (counts[binOf(ms)] ?? 0) + 1),
    Array.from({ length: HISTOGRAM_BINS }, () => 0),
  );

describe('a time', () => {
  test('is counted up to the bound, and past the last one in a bin of its own', () => {
    expect([-5, 0, 10, 11, 30, 1_000, 86_400_000, 86_400_001].map(binOf)).toEqual([0, 0, 0, 1, 1, 4, 14, 15]);
  });
});

describe('a quantile', () => {
  test('of nothing is null', () => {
    expect(quantileMs(counted([]), 0.5)).toBeNull();
  });

  test('lies between the bounds of the bin that the true one is in', () => {
    const chance = seededChance(7);
    for (let round = 0; round < 200; round++) {
      const times = Array.from({ length: 1 + Math.floor(chance.ratio() * 400) }, () => Math.floor(10 ** (chance.ratio() * 7.9)));
      const share = [0.5, 0.95, 0.99][round % 3] ?? 1;
      const truth = times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? 0;
      const told = quantileMs(counted(times), share) ?? -1;
      const bin = binOf(truth);
      expect(told).toBeGreaterThanOrEqual(bin === 0 ? 0 : (HISTOGRAM_BOUNDS_MS[bin - 1] ?? 0));
      expect(told).toBeLessThanOrEqual(HISTOGRAM_BOUNDS_MS[bin] ?? 86_400_000);
    }
  });

  test('takes the times to lie evenly in their bin', () => {
    expect(quantileMs(counted([50, 60, 70, 80]), 0.5)).toBe(65);
    expect(quantileMs(counted([90_000_000]), 0.5)).toBe(86_400_000);
  });
});
