/** What counts as trouble, and how much. */
import { expect, test } from 'vitest';
import { troublePoints } from '../../src/domain/trouble.ts';

const CALM = { died: 0, oldestReadySeconds: null, retrying: 0, isPausedWithJobs: false };

test('a queue without signs is in no trouble', () => {
  expect(troublePoints(CALM)).toBe(0);
});

test('each sign adds its points', () => {
  expect(troublePoints({ ...CALM, oldestReadySeconds: 90 })).toBe(90);
  expect(troublePoints({ ...CALM, died: 2 })).toBe(120);
  expect(troublePoints({ ...CALM, retrying: 7 })).toBe(7);
  expect(troublePoints({ ...CALM, isPausedWithJobs: true })).toBe(600);
  expect(troublePoints({ died: 1, oldestReadySeconds: 1, retrying: 1, isPausedWithJobs: true })).toBe(662);
});

test('one sign alone never hides the others', () => {
  expect(troublePoints({ ...CALM, oldestReadySeconds: 1e9 })).toBe(3_600);
  expect(troublePoints({ ...CALM, retrying: 1e9, died: 1e6 })).toBe(7_200);
});
