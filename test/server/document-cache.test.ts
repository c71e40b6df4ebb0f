import { describe, expect, test } from 'vitest';
import { DocumentCache } from '../../src/server/document-cache.ts';

const text = (index: number): string => `{ job(by: {id: "${index}"}) { id } }`;

describe('the cache of documents', () => {
  test('knows what was put into it', () => {
    const cache = new DocumentCache<number>();
    for (let index = 0; index < 100; index++) cache.set(text(index), index);
    expect([cache.get(text(0)), cache.get(text(99)), cache.get(text(100)), cache.size]).toEqual([0, 99, undefined, 100]);
  });

  test('takes no more memory however many documents there are, and keeps the one that is asked for', () => {
    const cache = new DocumentCache<number>();
    let sizeMax = 0;
    for (let index = 0; index < 20_000; index++) {
      cache.set(text(index), index);
      if (index % 100 === 0) expect(cache.get(text(0))).toBe(0);
      sizeMax = Math.max(sizeMax, cache.size);
    }
    expect(sizeMax).toBeLessThan(2_000);
    expect(cache.get(text(1))).toBeUndefined();
    expect(cache.get(text(19_999))).toBe(19_999);
  });

  test('counts a text once, however often it is put', () => {
    const cache = new DocumentCache<number>();
    cache.set(text(0), 0);
    for (let time = 0; time < 20_000; time++) cache.set(text(1), time);
    expect([cache.get(text(0)), cache.get(text(1)), cache.size]).toEqual([0, 19_999, 2]);
  });

  test('does not keep long texts', () => {
    const cache = new DocumentCache<number>();
    cache.set('x'.repeat(8_193), 1);
    cache.set('x'.repeat(8_192), 2);
    expect([cache.get('x'.repeat(8_193)), cache.get('x'.repeat(8_192))]).toEqual([undefined, 2]);
  });
});
