/** How often something may happen: so often in the long run, and so much at once after a quiet time. */

export interface TokenBucket {
  /** Takes so many, one if it is not said. False where they are not there, and then nothing is taken. */
  take(nowMs: number, count?: number): boolean;
  /** For how long so many are not there, if nobody else takes any. Infinity: for ever. */
  waitMs(nowMs: number, count?: number): number;
  /** From now on; what is in it stays, as far as it fits. */
  setRate(nowMs: number, perSecond: number, atOnceMax: number): void;
}

/** What sums of fractions may be off by. */
const GRAIN = 1e-6;

/** A bucket that is full at first. `nowMs` of its calls may come from any clock that does not run backwards. */
export function createTokenBucket(perSecond: number, atOnceMax: number): TokenBucket {
  let rate = { perSecond, atOnceMax };
  let left = atOnceMax;
  let filledAtMs: number | null = null;

  function fill(nowMs: number): void {
    left = Math.min(rate.atOnceMax, left + ((nowMs - (filledAtMs ?? nowMs)) / 1_000) * rate.perSecond);
    filledAtMs = nowMs;
  }

  return {
    take(nowMs, count = 1) {
      fill(nowMs);
      if (left < count - GRAIN) return false;
      left -= count;
      return true;
    },
    waitMs(nowMs, count = 1) {
      fill(nowMs);
      if (left >= count - GRAIN) return 0;
      return count > rate.atOnceMax ? Infinity : Math.ceil(((count - left) / rate.perSecond) * 1_000);
    },
    setRate(nowMs, newPerSecond, newAtOnceMax) {
      fill(nowMs);
      rate = { perSecond: newPerSecond, atOnceMax: newAtOnceMax };
      left = Math.min(left, newAtOnceMax);
    },
  };
}
