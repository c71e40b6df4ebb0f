/** How long things took, as counts between fixed bounds: cheap to keep, and summed by adding. */

/** Upper bounds in milliseconds, each included; the last bin holds what took longer. The columns of the store stand for them: they never change. */
export const HISTOGRAM_BOUNDS_MS = [
  10, 30, 100, 300, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000,
] as const;

export const HISTOGRAM_BINS = HISTOGRAM_BOUNDS_MS.length + 1;

/** The bin that counts what took this long. */
export function binOf(ms: number): number {
  let bin = 0;
  for (const bound of HISTOGRAM_BOUNDS_MS) {
    if (ms <= bound) return bin;
    bin += 1;
  }
  return bin;
}

/**
 * Which time a share of all stayed at or below, in milliseconds; null of nothing. Times are taken to lie evenly between the
 * bounds of their bin, so that the answer is off by no more than the bin is wide; past the last bound it is that bound.
 */
export function quantileMs(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const wanted = share * all;
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) return within(bin, (wanted - below) / count);
    below += count;
  }
  return boundMs(HISTOGRAM_BOUNDS_MS.length);
}

function within(bin: number, share: number): number {
  const from = bin === 0 ? 0 : boundMs(bin - 1);
  return from + (boundMs(bin) - from) * share;
}

function boundMs(bin: number): number {
  return HISTOGRAM_BOUNDS_MS[Math.min(bin, HISTOGRAM_BOUNDS_MS.length - 1)] ?? 0;
}
