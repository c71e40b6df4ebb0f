import { expect, test } from 'vitest';
import { createTokenBucket } from '../../src/domain/token-bucket.ts';

const taken = (take: (nowMs: number) => boolean, nowMs: number, tries: number): number =>
  Array.from({ length: tries }, () => take(nowMs)).filter(Boolean).length;

test('a bucket gives what it holds, whenever its first use is', () => {
  for (const nowMs of [0, 1e12]) expect(taken(createTokenBucket(50, 100).take, nowMs, 150)).toBe(100);
});

test('a bucket fills with time, up to what it holds', () => {
  const { take } = createTokenBucket(50, 100);
  taken(take, 0, 100);
  expect([taken(take, 20, 5), taken(take, 30, 5), taken(take, 40, 5), taken(take, 1_040, 100), taken(take, 3_600_000, 1_000)]).toEqual([1, 0, 1, 50, 100]);
});
