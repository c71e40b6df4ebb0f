import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorFingerprint, FINGERPRINT_CHARACTERS_MAX } from '../../src/domain/error-fingerprint.ts';

const of = (message: string, type: string | null = null): string => errorFingerprint({ type, message });

describe('errors that differ in what belongs to one job alone have one fingerprint', () => {
  test.each<readonly [string, string, string]>([
    ['numbers', 'SMTP 421 too many connections (12 of 10)', 'SMTP 450 too many connections (1,200 of -3.5)'],
    ['hexadecimal', 'at 0x1f3a: object a8f3c21a4', 'at 0xffee01: object deadbeef'],
    ['UUIDs', 'no job 019c0000-0000-7000-8000-000000000001', 'no job abcdefab-cdef-abcd-efab-cdefabcdefab'],
    ['ids', 'invoice inv_481 of user-7 is gone', 'invoice inv_9x8y of user-12345 is gone'],
    ['quoted text', `Cannot read "total" of 'a b' in \`x\``, `Cannot read "" of '1' in \`a longer one\``],
    ['typographic quotations', 'no “name” in «list»', 'no “other” in «x»'],
    ['paths', 'open /var/lib/x.db failed, so did C:\\Temp\\a.txt and ./b', 'open /tmp/y failed, so did D:\\b and ../../c/d'],
    ['paths with spaces', 'no C:\\Program Files\\x y', 'no C:\\a y'],
    ['addresses for mail', 'ada@example.test bounced', 'grace.h+1@mail.example.test bounced'],
    ['URLs', 'GET https://a.test/x?y=1 failed', 'GET http://b.test failed'],
    ['times', 'since 2026-11-03T12:00:00Z', 'since 2025-01-01T00:00:00.123Z'],
    ['addresses of machines', 'connect 10.0.0.1:5432', 'connect fe80::abcd:ef:1'],
    ['long words', `token ${'a'.repeat(41)} expired`, `token ${'bcdZ'.repeat(100)} expired`],
    ['white space', 'out  of\n\tmemory ', ' out of memory'],
    ['digits of other scripts', 'row ٣٤', 'row 7'],
  ])('%s', (_what, one, other) => {
    expect(of(one)).toBe(of(other));
  });

  test('the server names the worker in its own errors, which may be any', () => {
    expect(of('The lease ran out on attempt 1 of worker anna.', 'LeaseExpired')).toBe(of('The lease ran out on attempt 3 of worker bert.', 'LeaseExpired'));
  });
});

describe('errors of another kind have another fingerprint', () => {
  test.each<readonly [string, string]>([
    ['connection refused', 'connection reset'],
    ['no such file: /a/b', 'permission denied: /a/b'],
    ["can't open the users' file, isn't there", "can't close the users' file, isn't there"],
    ['', 'x'],
    ['read "a"', 'read a'],
  ])('%s and %s', (one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  test('the type tells apart, and so does its absence', () => {
    expect(new Set([of('x'), of('x', 'A'), of('x', 'B'), of('x', 'A1'), of('x', 'A2')]).size).toBe(5);
  });
});

const ANYTHING = fc.string({ unit: 'binary', maxLength: 5_000 });
/** Marks of other languages, text from right to left, halves of pairs, controls. */
const ODD = fc.string({
  unit: fc.constantFrom('<b>', '&amp;', '\u202e', 'שלום', '\ud83d', '\ude00', '\0', '\u200d', '"', "'", '“', '//', '@', '\\', ':', '-', '#', '1', 'ab', ' '),
  maxLength: 2_000,
});

test('any text has a fingerprint, of bounded length, the same each time', () => {
  fc.assert(
    fc.property(fc.oneof(ANYTHING, ODD), fc.option(fc.oneof(ANYTHING, ODD)), (message, type) => {
      const text = errorFingerprint({ type, message });
      expect(text.length).toBeLessThanOrEqual(FINGERPRINT_CHARACTERS_MAX);
      expect(text).toBe(errorFingerprint({ type, message }));
    }),
  );
});

/** A message of words with a hole for what changes. */
const WORDS = fc.array(fc.constantFrom('no', 'such', 'row', 'in', 'table', 'ошибка', 'שגיאה', '失敗', 'timeout,', '(retry)'), { maxLength: 8 });
const CHANGING = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map(String),
  fc.uuid(),
  fc.integer({ min: 0 }).map((value) => `0x${value.toString(16)}`),
  fc.stringMatching(/^[0-9a-f]{8,64}$/),
);

test('whatever number or id stands in a message, its fingerprint is the same', () => {
  fc.assert(
    fc.property(WORDS, WORDS, CHANGING, CHANGING, (before, after, one, other) => {
      const withValue = (value: string): string => [...before, value, ...after].join(' ');
      expect(of(withValue(one))).toBe(of(withValue(other)));
    }),
  );
});

test('the time grows with the length: no text is worse than its length', () => {
  const pieces = ['a', '1', '-', 'a-', '1:', '"', "'", "'a", '“', '#', '#.', '/', '\\', '@', ':', ' ', '((', 'a@', 'f-f-', '~', '.'];
  const slowest = Math.max(
    ...pieces.flatMap((piece) =>
      ['', 'z', '"'].map((end) => {
        const message = piece.repeat(1_000_000 / piece.length) + end;
        const startedMs = performance.now();
        of(message);
        return performance.now() - startedMs;
      }),
    ),
  );
  expect(slowest).toBeLessThan(500);
});
