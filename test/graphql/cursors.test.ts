/** Cursors, and the pages they lead to. */
import type { GraphQLError } from 'graphql';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { readCursor, readEventCursor, writeCursor, writeEventCursor } from '../../src/graphql/cursors.ts';
import { connection, parseFirst, parsePage } from '../../src/graphql/pages.ts';
import { tenant } from '../support/tenants.ts';

const acme = tenant('acme');
const other = tenant('other');

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as GraphQLError).extensions['code'];
  }
  return null;
}

const reencoded = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('a cursor', () => {
  test('leads back to the key it was made from', () => {
    const key = fc.array(
      fc.oneof(
        fc.maxSafeInteger(),
        fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0')),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(key, (values) => {
        const clean = values.map((value) => (Object.is(value, -0) ? 0 : value));
        expect(readCursor(writeCursor(acme, 'jobs newest_first', clean), acme, 'jobs newest_first', 'after')).toEqual(clean);
      }),
    );
  });

  test('is refused for another tenant, another list and another order', () => {
    const cursor = writeCursor(acme, 'jobs newest_first', [1, 'a']);
    expect(codeOf(() => readCursor(cursor, other, 'jobs newest_first', 'after'))).toBe('INVALID_CURSOR');
    expect(codeOf(() => readCursor(cursor, acme, 'jobs oldest_first', 'after'))).toBe('INVALID_CURSOR');
    expect(codeOf(() => readCursor(cursor, acme, 'queues', 'after'))).toBe('INVALID_CURSOR');
  });

  const valid = writeCursor(acme, 'queues', ['a']);
  test.each([
    ['empty', ''],
    ['no base64', '!!!'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no list', reencoded({ a: 1 })],
    ['another version', reencoded([2, 'acme', 'queues', 'a'])],
    ['without values', reencoded([1, 'acme', 'queues'])],
    ['too many values', reencoded([1, 'acme', 'queues', 1, 2, 3, 4, 5])],
    ['a value that is no key', reencoded([1, 'acme', 'queues', { a: 1 }])],
    ['a null', reencoded([1, 'acme', 'queues', null])],
    ['a number past the safe ones', Buffer.from('[1,"acme","queues",9007199254740993]').toString('base64url')],
    ['a NUL', reencoded([1, 'acme', 'queues', 'a\0'])],
    ['a lone surrogate', reencoded([1, 'acme', 'queues', '\ud800'])],
    ['spelled with spaces', Buffer.from('[1, "acme", "queues", "a"]').toString('base64url')],
    ['spelled with padding', `${valid}=`],
    ['followed by a character', `${valid}A`],
    ['longer than any', 'A'.repeat(LIMITS.cursorCharactersMax + 1)],
  ])('that is %s is refused', (_what, cursor) => {
    expect(codeOf(() => readCursor(cursor, acme, 'queues', 'after'))).toBe('INVALID_CURSOR');
  });

  test('never fits for any random text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codeOf(() => readCursor(text, acme, 'queues', 'after')) === 'INVALID_CURSOR'));
  });

  test('stays below the longest that is read, for the longest names', () => {
    const cursor = writeCursor(tenant('t'.repeat(LIMITS.tenantCharactersMax)), 'jobs recently_finished', [
      Number.MIN_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      'n'.repeat(LIMITS.nameCharactersMax),
    ]);
    expect(cursor.length).toBeLessThanOrEqual(LIMITS.cursorCharactersMax);
  });
});

describe('an event cursor', () => {
  test('keeps epoch and place, also past 32 bits', () => {
    const position = { epoch: 'e1', seq: 3_000_000_000 };
    expect(readEventCursor(writeEventCursor(acme, position), acme, 'after')).toEqual(position);
    expect(readEventCursor(null, acme, 'after')).toBeNull();
    expect(readEventCursor(undefined, acme, 'after')).toBeNull();
  });

  test.each([[['e']], [[1, 'e']], [['e', -1]], [['e', 1.5]], [['e', 1, 2]]])('made of %j is refused', (values) => {
    expect(codeOf(() => readEventCursor(reencoded([1, 'acme', 'events', ...values]), acme, 'after'))).toBe('INVALID_CURSOR');
  });

  test('is not the cursor of a list', () => {
    expect(codeOf(() => readEventCursor(writeCursor(acme, 'queues', ['a']), acme, 'after'))).toBe('INVALID_CURSOR');
    expect(codeOf(() => readEventCursor(writeEventCursor(acme, { epoch: 'e', seq: 1 }), other, 'after'))).toBe('INVALID_CURSOR');
  });
});

describe('a page', () => {
  const name = { tenant: acme, list: 'queues', firstDefault: 20 };

  test.each([1, LIMITS.pageItemsMax])('may have %i rows', (size) => {
    expect(parsePage({ first: size }, name).limit).toBe(size);
    expect(parsePage({ first: 20, last: size }, name)).toMatchObject({ limit: size, fromEnd: true });
    expect(parseFirst(size, 50)).toBe(size);
  });

  test.each([0, -1, LIMITS.pageItemsMax + 1])('of %i rows is refused, not cut', (size) => {
    expect(codeOf(() => parsePage({ first: size }, name))).toBe('BAD_USER_INPUT');
    expect(codeOf(() => parsePage({ first: 20, last: size }, name))).toBe('BAD_USER_INPUT');
    expect(codeOf(() => parseFirst(size, 50))).toBe('BAD_USER_INPUT');
  });

  test('takes its default where the number is null', () => {
    expect(parsePage({ first: null, after: null, last: null, before: null }, name)).toEqual({ after: null, before: null, limit: 20, fromEnd: false });
    expect(parseFirst(null, 50)).toBe(50);
  });

  test('does not go both ways', () => {
    expect(codeOf(() => parsePage({ first: 5, last: 5 }, name))).toBe('BAD_USER_INPUT');
    expect(parsePage({ first: 20, last: 5 }, name)).toMatchObject({ limit: 5, fromEnd: true });
    expect(parsePage({ first: null, last: 5 }, name)).toMatchObject({ limit: 5, fromEnd: true });
  });

  test('lies between its cursors', () => {
    const [after, before] = [writeCursor(acme, 'queues', ['a']), writeCursor(acme, 'queues', ['m'])];
    expect(parsePage({ first: 5, after, before }, name)).toEqual({ after: ['a'], before: ['m'], limit: 5, fromEnd: false });
  });

  test('without rows has no cursors', () => {
    expect(connection({ rows: [], hasNext: false, hasPrevious: true }, name)).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
  });

  test('names its first and last row', () => {
    const rows = ['a', 'b', 'c'].map((row) => ({ key: [row], row }));
    const { edges, pageInfo } = connection({ rows, hasNext: true, hasPrevious: false }, name);
    expect(edges.map(({ node }) => node)).toEqual(['a', 'b', 'c']);
    expect(pageInfo).toMatchObject({ hasNextPage: true, startCursor: edges[0]?.cursor, endCursor: edges[2]?.cursor });
  });
});
