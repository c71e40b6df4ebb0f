/** What the client keeps of calls that are over: nothing. */
import { expect, test } from 'vitest';
import { Batch } from '../../src/client/batch.ts';
import { atTurnEnd } from '../../src/runtime/turn.ts';
import { collectGarbage } from '../support/garbage.ts';

const IN_FLIGHT = 64;
const ROUNDS = 400;

test('of calls in flight one after the other, what is over is young when it is freed, and does not wait for a sweep of all memory', async () => {
  const send = (items: readonly string[]) => new Promise<readonly object[]>((resolve) => setImmediate(() => resolve(items.map((text) => ({ text })))));
  const batch = new Batch<object, object>({ list: 'jobs', send, atTurnEnd, monotonicMs: () => 0 });
  const lane = async (number: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) await batch.add({ task: 'task', payload: `${number}.${round} `.padEnd(500, 'x') });
  };
  const all = () => Promise.all(Array.from({ length: IN_FLIGHT }, (_, number) => lane(number)));
  const young = setInterval(() => collectGarbage('minor'), 0);
  await all();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await all();
  collectGarbage('minor');
  const grown = process.memoryUsage().heapUsed - before;
  clearInterval(young);
  // All of it together is 25 MB; a chain of outgrown tables held 6 of them.
  expect(grown).toBeLessThan(2_500_000);
});
