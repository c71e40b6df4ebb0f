/** How long to wait before a call is repeated. */
import type { Chance } from '../runtime/chance.ts';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Doubles from 100 ms to 5 s; chance takes up to half off, so that those who failed together do not return together. Never less than the server asks for. */
export function retryPauseMs(repeats: number, { ratio }: Pick<Chance, 'ratio'>, askedMs: number | null): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(repeats, 16));
  const jittered = longest * (1 - ratio() / 2);
  return askedMs === null ? jittered : askedMs + ratio() * Math.min(longest, FIRST_MS);
}
