/** JSON as it is kept: nothing rounded, nothing silently changed, one canonical form. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, cutText, isRawNumber, jsonFault, parseJson, utf8Bytes } from '../../src/domain/json.ts';
import { LIMITS } from '../../src/domain/limits.ts';

const roundTrip = (text: string): string => canonicalJson(parseJson(text));
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);
/** Kept out of source text so that the file itself stays well-formed. */
const LONE = String.fromCharCode(0xd800);

describe('a JSON text', () => {
  // B79
  test.each([
    '{}',
    '[]',
    '[{"a":1}]',
    '"text"',
    '"{\\"x\\":1}"',
    '7',
    '-7.25',
    'true',
    'false',
    'null',
    '""',
    '"\\u0000"',
    '{"k\\u0000":1}',
    '"é 中 😀 \\u2028"',
    '[null,[],{},"",0,false]',
  ])('of any shape comes back as it was: %s', (text) => {
    expect(JSON.parse(roundTrip(text))).toStrictEqual(JSON.parse(text));
    expect(jsonFault(parseJson(text), LIMITS.jsonDepthMax)).toBeNull();
  });

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678',
    '18446744073709551615',
    '9223372036854775807',
    '100000000000000000000000000000000000001',
    '9007199254740993.5',
    '1e400',
    '-1e400',
    '12345678901234567890e-1',
  ])('keeps the digits of a number that a double would change: %s', (text) => {
    expect(roundTrip(text)).toBe(text);
    expect(roundTrip(`{"a":[${text}]}`)).toBe(`{"a":[${text}]}`);
    expect(JSON.stringify(parseJson(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
    expect(isRawNumber(parseJson(text))).toBe(true);
    expect(jsonFault(parseJson(`[${text}]`), LIMITS.jsonDepthMax)).toBeNull();
  });

  test.each(['9007199254740991', '-9007199254740991', '9007199254740992', '10000000000000000', '0.1', '-2.5e-7'])(
    'keeps a number that a double holds as a number: %s',
    (text) => {
      expect(parseJson(text)).toBe(Number(text));
      expect(Number(roundTrip(text))).toBe(Number(text));
    },
  );

  test('leaves digits inside a string alone', () => {
    expect(parseJson('"9007199254740993"')).toBe('9007199254740993');
    expect(roundTrip('{"9007199254740993":"9007199254740993"}')).toBe('{"9007199254740993":"9007199254740993"}');
  });

  test('keeps keys that name parts of an object’s prototype', () => {
    const text = '{"__proto__":{"isAdmin":true},"constructor":1,"toString":2}';
    for (const parsed of [parseJson(text), parseJson(text.replace('2}', '9007199254740993}'))]) {
      expect(Object.keys(parsed as object)).toEqual(['__proto__', 'constructor', 'toString']);
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      expect(canonicalJson(parsed)).toContain('"__proto__":{"isAdmin":true}');
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('that is not JSON is refused like JSON.parse refuses it', () => {
    for (const text of ['', '{', '{"a":1,}', '01', 'NaN', '+1', "{'a':1}", '12345678901234567890x']) expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('of any value survives, in its canonical form, digit for digit', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(parseJson(text))).toBe(text);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('with any integer comes back with the same value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (integer) => {
        const text = roundTrip(String(integer));
        expect(/^-?\d+$/.test(text) ? BigInt(text) : BigInt(Number(text))).toBe(integer);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a fault', () => {
  test('is nesting beyond the limit, at the exact border', () => {
    expect(jsonFault(nested(32), 32)).toBeNull();
    expect(jsonFault(nested(33), 32)).toMatchObject({ message: 'is nested deeper than 32 levels' });
    expect(jsonFault({ a: nested(31) }, 32)).toBeNull();
    expect(jsonFault({ a: nested(32) }, 32)).not.toBeNull();
  });

  test('is found in a tree too deep for a recursive reader', () => {
    expect(jsonFault(nested(100_000), 32)).not.toBeNull();
  });

  test('is a lone surrogate, in a text or in a key, and its place is told', () => {
    expect(jsonFault({ a: ['x', `b${LONE}`] }, 32)).toEqual({ path: ['a', 1], message: 'holds a lone surrogate, which is not Unicode text' });
    expect(jsonFault({ a: { [`k${LONE}`]: 1 } }, 32)).toEqual({ path: ['a'], message: 'has a key with a lone surrogate, which is not Unicode text' });
    expect(jsonFault(LONE, 32)).toMatchObject({ path: [] });
    expect(jsonFault(parseJson('"\\ud800"'), 32)).not.toBeNull();
    expect(jsonFault('😀', 32)).toBeNull();
  });

  test('is what JSON has no word for', () => {
    for (const value of [undefined, () => 1, Symbol('s'), 1n, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(jsonFault([value], 32)).toEqual({ path: [0], message: 'is not a JSON value' });
    }
  });

  test('never holds the value itself', () => {
    const told = JSON.stringify([jsonFault({ a: `secret${LONE}` }, 32), jsonFault({ [`secret${LONE}`]: 1 }, 32), jsonFault([1n], 32)]);
    expect(told).not.toContain('secret');
  });
});

describe('the canonical form', () => {
  test('sorts keys by code units at every level and has no spacing', () => {
    expect(roundTrip(' { "b" : [ { "z": 1, "a": 2 } ], "a" : null, "B": 0, "é": 1, "10": 1, "9": 2 } ')).toBe(
      '{"10":1,"9":2,"B":0,"a":null,"b":[{"a":2,"z":1}],"é":1}',
    );
  });

  test('keeps the order of a list', () => {
    expect(roundTrip('[3,1,2]')).toBe('[3,1,2]');
  });

  test('does not depend on the order in which keys were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(canonicalJson(Object.fromEntries(Object.entries(value).toReversed()))).toBe(canonicalJson(value));
      }),
    );
  });
});

describe('the size of a text', () => {
  // B82
  test('counts bytes of UTF-8, not characters', () => {
    expect(utf8Bytes('中'.repeat(22_000))).toBe(66_000);
    expect(utf8Bytes('é')).toBe(2);
    expect(utf8Bytes('😀')).toBe(4);
  });
});

describe('a text that is too long', () => {
  const MARK = '… [cut]';

  test('is left alone up to the limit', () => {
    expect(cutText('é'.repeat(2_048), 4_096)).toBe('é'.repeat(2_048));
    expect(cutText('', 16)).toBe('');
  });

  // B26
  test('is cut on a character border and says so, within the limit', () => {
    const cut = cutText('é'.repeat(1_048_576), LIMITS.errorTextBytesMax);
    expect(utf8Bytes(cut)).toBeLessThanOrEqual(LIMITS.errorTextBytesMax);
    expect(utf8Bytes(cut)).toBeGreaterThan(LIMITS.errorTextBytesMax - 2);
    expect(cut).toMatch(/^é+… \[cut\]$/);
  });

  test('never splits a character of one, two, three or four bytes, wherever the limit falls', () => {
    for (const character of ['a', 'é', '中', '😀']) {
      for (let limit = 12; limit < 40; limit++) {
        const cut = cutText(character.repeat(50), limit);
        expect(cut.replace(MARK, '').replaceAll(character, '')).toBe('');
        expect(utf8Bytes(cut)).toBeLessThanOrEqual(limit);
      }
    }
  });

  test('keeps its beginning, a byte order mark included', () => {
    const text = `\ufeffbegin${'x'.repeat(100)}`;
    expect(cutText(text, 40).startsWith('\ufeffbegin')).toBe(true);
  });

  test('of odd characters is cut all the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 0, maxLength: 60 }), fc.integer({ min: 12, max: 60 }), (text, limit) => {
        const cut = cutText(text, limit);
        expect(utf8Bytes(cut)).toBeLessThanOrEqual(limit);
        expect(cut === text || text.startsWith(cut.slice(0, -MARK.length))).toBe(true);
        expect(cut === text).toBe(utf8Bytes(text) <= limit);
      }),
      { numRuns: 1_000 },
    );
    expect(cutText(LONE.repeat(100), 40)).toContain(MARK);
  });
});
