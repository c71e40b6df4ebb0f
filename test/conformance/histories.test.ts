/** Random histories: the store does what the model does, step for step, and stays consistent in itself. */
import * as fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { playHistory } from './history.ts';
import type { Occurrences } from './history-checks.ts';
import { histories } from './history-commands.ts';

const RUNS = 200;
const occurrences: Occurrences = new Map();

test('the store answers and holds what the model answers and holds, after every step of any history', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(histories, (commands) => playHistory(commands, occurrences)),
    { numRuns: RUNS },
  );
});

afterAll(() => console.log(occurrences));
