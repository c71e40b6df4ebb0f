/** Chance that repeats itself: the same seed gives the same ids, tokens and jitter. */
import type { Chance } from '../runtime/chance.ts';
import type { Entropy } from '../runtime/entropy.ts';

/** Numbers from 0 to 1, 1 excluded, by Mulberry32: small, fast, and good enough to tell values apart. Never for secrets that protect something. */
function seededRatios(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function seededChance(seed: number): Chance & Entropy {
  const ratio = seededRatios(seed);
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(ratio() * 256));
  return { ratio, bytes, word: () => Buffer.from(bytes(16)).toString('hex') };
}
