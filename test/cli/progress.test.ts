/** How long work is told of: by a clock that the test moves. */
import { expect, test } from 'vitest';
import { withProgress } from '../../src/cli/database/timed-progress.ts';
import { ManualClock } from '../support/manual-clock.ts';

function watched(isTTY: boolean) {
  const [clock, written, over] = [new ManualClock(), [] as string[], Promise.withResolvers<string>()];
  const stream = { isTTY, write: (text: string) => void written.push(text) };
  const told = { say: (_text: string): void => {} };
  const done = withProgress({ clock, stream }, (say) => {
    told.say = say;
    return over.promise;
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { written, told, pass, end: () => over.resolve('done'), done };
}

test('where nobody watches, a line every ten seconds says how far it has come', async () => {
  const { written, told, pass, end, done } = watched(false);
  told.say('first');
  await pass(9_999);
  expect(written).toEqual([]);
  await pass(1);
  told.say('second');
  await pass(10_000);
  end();
  expect(await done).toBe('done');
  expect(written).toEqual(['10 s: first\n', '20 s: second\n']);
});

test('on a terminal one line changes, and is gone in the end', async () => {
  const { written, told, pass, end, done } = watched(true);
  told.say('first');
  await pass(200);
  told.say('second');
  await pass(1_000);
  end();
  await done;
  expect(written).toEqual(['\r\u001b[K0 s: first', '\r\u001b[K1 s: second', '\r\u001b[K']);
});

test('short work says nothing', async () => {
  const { written, end, done } = watched(false);
  end();
  await done;
  expect(written).toEqual([]);
});
