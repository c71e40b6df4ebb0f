import { expect, test } from 'vitest';
import { lately } from '../../src/server/lately.ts';

test('what is asked again is not answered anew, and each text has its own answer', () => {
  const asked: string[] = [];
  const answer = lately((text) => (asked.push(text), text === '' ? null : text.toUpperCase()));
  const texts = ['a', 'a', 'b', 'a', '', '', 'a'];
  expect(texts.map(answer)).toEqual(['A', 'A', 'B', 'A', null, null, 'A']);
  expect(asked).toEqual(['a', 'b', 'a', '', 'a']);
});
