/** Chance that repeats itself: the same seed gives the same secrets, ids and jitter. */
import type { Entropy } from '../../src/runtime/entropy.ts';
import { seededChance } from '../../src/testing/seeded-chance.ts';
import { noteDrawn } from './secret-watch.ts';

export interface SeededEntropyOptions {
  readonly seed?: number;
  /** What `ratio()` answers every time; 0 switches jitter off. Absent: drawn from the seed. */
  readonly ratio?: number;
}

export function seededEntropy({ seed = 1, ratio }: SeededEntropyOptions = {}): Entropy {
  const chance = seededChance(seed);
  return {
    bytes(count) {
      const bytes = chance.bytes(count);
      noteDrawn(bytes);
      return bytes;
    },
    ratio: () => ratio ?? chance.ratio(),
  };
}
