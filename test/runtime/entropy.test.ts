import { describe, expect, test } from 'vitest';
import { createIdMaker, mintSecret, numberInId, systemEntropy } from '../../src/runtime/entropy.ts';

const DRAWS = 20_000;

describe('the entropy of a server', () => {
  test('gives as many bytes as are asked for, also more than are drawn at once', () => {
    for (const count of [0, 1, 8, 32, 4_095, 4_096, 4_097, 10_000]) expect(systemEntropy.bytes(count)).toHaveLength(count);
  });

  test('never gives a secret twice, nor one that is partly known', () => {
    const secrets = Array.from({ length: DRAWS }, () => mintSecret(systemEntropy));
    expect(new Set(secrets).size).toBe(DRAWS);
    for (const place of [0, 15, 31]) {
      const values = new Set(secrets.map((secret) => Buffer.from(secret, 'base64url')[place]));
      expect(values.size).toBe(256);
    }
  });

  test('sets every bit about half of the time', () => {
    const ones = Array.from({ length: 256 }, () => 0);
    for (let draw = 0; draw < DRAWS; draw++) {
      const bytes = systemEntropy.bytes(32);
      for (const bit of ones.keys()) ones[bit] = (ones[bit] ?? 0) + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
    }
    // Eight standard deviations: once in 10^15 for a fair bit.
    const allowed = 8 * Math.sqrt(DRAWS / 4);
    for (const count of ones) expect(Math.abs(count - DRAWS / 2)).toBeLessThan(allowed);
  });

  test('hands out bytes that stay as they are', () => {
    const first = systemEntropy.bytes(32);
    const copy = [...first];
    for (let draw = 0; draw < 500; draw++) systemEntropy.bytes(32);
    expect([...first]).toEqual(copy);
  });

  test('makes ids of version 7 that grow, also where the clock stands still or is set back', () => {
    const make = createIdMaker(systemEntropy);
    const ids = Array.from({ length: 10_000 }, (_, index) => make(1_790_000_000_000 - (index % 3), 7));
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(10_000);
  });

  test('makes ids whose random group takes each of its values', () => {
    const make = createIdMaker(systemEntropy);
    const groups = new Set(Array.from({ length: 30 * 2 ** 14 }, () => make(1_790_000_000_000, 1).slice(19, 23)));
    // The chance that one of them is missed is below one in 10^8.
    expect(groups.size).toBe(2 ** 14);
  });

  test('makes ids that end with the given number, which is read from them', () => {
    const make = createIdMaker(systemEntropy);
    for (const number of [1, 0xff, 2 ** 32, 2 ** 48 - 1]) expect(numberInId(make(1_790_000_000_000, number))).toBe(number);
    expect(() => make(1_790_000_000_000, 2 ** 48)).toThrow(RangeError);
  });

  test('reads no number from a text that ends otherwise', () => {
    for (const text of ['', 'job', '019c0000-0000-7000-8000-00000000000g', '019c0000-0000-7000-8000-0000000000001', '019c0000-0000-7000-8000-00000000001'])
      expect(numberInId(text)).toBeNull();
  });
});
