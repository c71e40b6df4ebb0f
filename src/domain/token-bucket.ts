/** How often something may happen: so often in the long run, and so many at once after a quiet time. */

export interface TokenBucket {
  /** Takes one. False where none is left, and then nothing is taken. */
  take(nowMs: number): boolean;
}

/** A bucket that is full at first. `nowMs` of its calls may come from any clock that does not run backwards. */
export function createTokenBucket(perSecond: number, atOnceMax: number): TokenBucket {
  let left = atOnceMax;
  let filledAtMs: number | null = null;
  return {
    take(nowMs) {
      left = Math.min(atOnceMax, left + ((nowMs - (filledAtMs ?? nowMs)) / 1_000) * perSecond);
      filledAtMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
