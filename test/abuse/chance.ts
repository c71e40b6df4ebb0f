/** Chance that repeats itself, in the words that the generators of attacks use. */
import { seededEntropy } from '../support/seeded-entropy.ts';

export interface Chance {
  /** A whole number from 0 up to, and without, the bound. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True so many times in a hundred. */
  percent(share: number): boolean;
  /** A value for each of a number of places, from none to so many. */
  some<Item>(max: number, make: () => Item): readonly Item[];
  /** Any bytes. */
  noise(bytesMax: number): Buffer;
}

export function chanceOf(seed: number): Chance {
  const { ratio } = seededEntropy({ seed });
  const below = (bound: number): number => Math.floor(ratio() * bound);
  return {
    below,
    pick(items) {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    percent: (share) => below(100) < share,
    some: (max, make) => Array.from({ length: below(max + 1) }, make),
    noise: (bytesMax) => Buffer.from(Array.from({ length: below(bytesMax + 1) }, () => below(256))),
  };
}

/** Some bytes changed, lost, doubled, added or cut off. */
export function damaged(chance: Chance, bytes: Buffer): Buffer {
  const place = chance.below(bytes.length + 1);
  const end = Math.min(bytes.length, place + 1 + chance.below(chance.pick([1, 4, 200])));
  const [before, within, after] = [bytes.subarray(0, place), bytes.subarray(place, end), bytes.subarray(end)];
  const result = chance.pick<() => Buffer>([
    () => Buffer.concat([before, chance.noise(4), after]),
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, within, within, after]),
    () => Buffer.concat([before, chance.noise(20), within, after]),
    () => before,
    () => Buffer.concat([before, Buffer.from(within.map((byte) => byte ^ (1 << chance.below(8)))), after]),
  ])();
  return chance.percent(50) ? damaged(chance, result) : result;
}
