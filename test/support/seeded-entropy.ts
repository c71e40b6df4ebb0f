/** Chance that repeats itself: the same seed gives the same secrets, ids and jitter. */
import type { Entropy } from '../../src/runtime/entropy.ts';
import { noteDrawn } from './secret-watch.ts';

export interface SeededEntropyOptions {
  readonly seed?: number;
  /** What `ratio()` answers every time; 0 switches jitter off. Absent: drawn from the seed. */
  readonly ratio?: number;
}

/** Mulberry32: small, fast, and good enough to tell secrets apart. */
export function seededEntropy({ seed = 1, ratio }: SeededEntropyOptions = {}): Entropy {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    bytes(count) {
      const bytes = Uint8Array.from({ length: count }, () => Math.floor(next() * 256));
      noteDrawn(bytes);
      return bytes;
    },
    ratio: () => ratio ?? next(),
  };
}
