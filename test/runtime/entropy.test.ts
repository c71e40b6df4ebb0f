import { describe, expect, test } from 'vitest';
import { createIdMaker, mintSecret, systemEntropy } from '../../src/runtime/entropy.ts';

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

  test('makes ids whose last 62 bits are unlike each other', () => {
    const make = createIdMaker(systemEntropy);
    const tails = new Set(Array.from({ length: 1_000 }, () => make(1_790_000_000_000).slice(19)));
    expect(tails.size).toBe(1_000);
  });
});
