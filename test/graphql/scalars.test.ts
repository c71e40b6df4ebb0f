/** What the scalars take and print. */
import { assertScalarType, parseConstValue, parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { canonicalJson, parseJson } from '../../src/domain/json.ts';
import { parseDateTime } from '../../src/domain/instant.ts';
import { schema } from '../../src/graphql/schema.ts';

const scalar = (name: string) => assertScalarType(schema.getType(name));

describe('DateTime', () => {
  test.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00.999999999Z', '2026-03-01T12:00:00.999Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00+05:30', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01T12:00:00-23:59', '2026-03-02T11:59:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('takes %s and prints it in UTC with milliseconds', (text, printed) => {
    expect(scalar('DateTime').coerceOutputValue(scalar('DateTime').coerceInputValue(text))).toBe(printed);
  });

  test.each([
    '',
    'now',
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00Z',
    '2026-03-01 12:00:00Z',
    '2026-3-1T12:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-03-00T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:60Z',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+0100',
    '2026-03-01T12:00:00Z ',
    '+010000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00+00:01',
  ])('refuses %j', (text) => {
    expect(parseDateTime(text)).toBeNull();
    expect(() => scalar('DateTime').coerceInputValue(text)).toThrow(/RFC 3339/);
  });

  test.each([0, 1_772_366_400_000, true, {}, []])('refuses %j, which is no text', (value) => {
    expect(() => scalar('DateTime').coerceInputValue(value)).toThrow(/RFC 3339/);
  });
});

describe('JSON', () => {
  test.each(['null', 'true', '7', '-1.5', '"text"', '[]', '[1, [2]]', '{}', '{"a": {"b": [null]}}', '"{\\"x\\":1}"'])(
    'takes %s from a variable and gives it back',
    (text) => {
      const value = parseJson(text);
      expect(scalar('JSON').coerceOutputValue(scalar('JSON').coerceInputValue(value))).toEqual(value);
    },
  );

  test.each([
    ['{a: 1, b: [true, null, "x"], c: {d: 1.5}}', '{"a":1,"b":[true,null,"x"],"c":{"d":1.5}}'],
    ['9007199254740993', '9007199254740993'],
    ['{n: -9007199254740993}', '{"n":-9007199254740993}'],
    ['9007199254740991', '9007199254740991'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1e400', '1e400'],
    ['{__proto__: {x: 1}}', '{"__proto__":{"x":1}}'],
  ])('keeps every digit and key of the literal %s', (literal, json) => {
    expect(canonicalJson(scalar('JSON').parseLiteral(parseConstValue(literal), {}))).toBe(json);
  });

  test('fills the variables inside a literal in, and null where they are absent', () => {
    const literal = parseValue('{a: $given, b: [$absent]}');
    expect(scalar('JSON').parseLiteral(literal, { given: [1] })).toEqual({ a: [1], b: [null] });
    expect(scalar('JSON').parseLiteral(literal, undefined)).toEqual({ a: null, b: [null] });
  });

  test('refuses an enum value, which JSON does not have', () => {
    expect(() => scalar('JSON').parseLiteral(parseConstValue('{a: SECRET}'), {})).toThrow('JSON must be a JSON value');
  });
});

describe('JSONObject', () => {
  test('takes an object', () => {
    expect(scalar('JSONObject').coerceInputValue({ a: 1 })).toEqual({ a: 1 });
    expect(scalar('JSONObject').parseLiteral(parseConstValue('{a: 1}'), {})).toEqual({ a: 1 });
  });

  test.each(['null', '[]', '[{"a": 1}]', '"SECRET"', '7', 'true', '9007199254740993'])('refuses %s without naming it', (text) => {
    expect(() => scalar('JSONObject').coerceInputValue(parseJson(text))).toThrow(new TypeError('JSONObject must be a JSON object'));
  });
});

describe('EventCursor', () => {
  test.each([7, null, {}, true])('refuses %j, which is no text', (value) => {
    expect(() => scalar('EventCursor').coerceInputValue(value)).toThrow('must be the text of a cursor');
  });
});
