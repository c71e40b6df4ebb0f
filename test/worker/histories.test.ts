/**
 * Random histories of workers: whatever becomes of requests and answers, no job is lost, done twice, or worked on by two who
 * both take it for theirs. `HISTORY_SEED` chooses others.
 */
import { expect, test } from 'vitest';
import { playHistory } from './history.ts';
import { flawsOf } from './history-checks.ts';

const SEED = Number(process.env['HISTORY_SEED'] ?? 20_261);
const HISTORIES = Number(process.env['HISTORIES'] ?? 100);

test('x', { timeout: 400_000 }, async () => {
  const flaws: string[] = [];
  const seen = new Map<string, number>();
  for (let index = 0; index < HISTORIES; index++) {
    const seed = SEED * 1_000 + index;
    const history = await playHistory(seed);
    flaws.push(...flawsOf(history).map((flaw) => `seed ${seed}${history.isClean ? ' clean' : ''}: ${flaw}`));
    for (const { kind } of history.events) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    for (const { type } of history.told) seen.set(type, (seen.get(type) ?? 0) + 1);
  }
  console.log(seen);
  console.log(flaws.length, flaws.join('\n').slice(0, 20000));
  expect(flaws).toEqual([]);
});
