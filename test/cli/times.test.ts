/** Times and lengths as people read them. */
import { expect, test } from 'vitest';
import { counted, spanText, timesFor } from '../../src/cli/times.ts';

test.each([
  [0, '0s'],
  [59.9, '59s'],
  [60, '1m'],
  [125, '2m 5s'],
  [601, '10m'],
  [3_600, '1h'],
  [7_500, '2h 5m'],
  [86_400, '1d'],
  [90_000, '1d 1h'],
  [8_640_000, '100d'],
  [-5, '0s'],
])('%d seconds are %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});

test('an instant is as it came for programs, and local with its age for people', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00.000Z');
  const [plain, shown] = [timesFor(false, nowMs), timesFor(true, nowMs)];
  expect([plain('2026-03-01T11:57:00.000Z'), plain(null), shown(null)]).toEqual(['2026-03-01T11:57:00.000Z', '-', '-']);
  expect(shown('2026-03-01T11:57:00.000Z')).toMatch(/^\d\d:\d\d:\d\d \(3m ago\)$/);
  expect(shown('2026-03-01T11:59:59.999Z')).toMatch(/\(now\)$/);
  expect(shown('2026-03-01T12:05:00.000Z')).toMatch(/\(in 5m\)$/);
  expect(shown('2025-03-01T12:00:00.000Z')).toMatch(/^2025-0[23]-\d\d \d\d:\d\d:\d\d \(365d ago\)$/);
});

test('one is no plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'job'))).toEqual(['0 jobs', '1 job', '2 jobs']);
});
