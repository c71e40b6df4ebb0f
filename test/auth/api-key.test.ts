import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPrefix, mintKey, parseKey } from '../../src/auth/api-key.ts';
import { digest } from '../../src/runtime/digest.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { tenant } from '../support/tenants.ts';

const ACME = tenant('acme');

describe('the text of an API key', () => {
  test('names its tenant and its id, and no part holds an underscore', () => {
    const { id, text, secretHash } = mintKey(systemEntropy, ACME);
    expect(text).toMatch(/^lq_acme_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}[0-9a-f]{6}$/);
    expect(text.split('_')).toHaveLength(4);
    expect(parseKey(text)).toEqual({ tenant: 'acme', id });
    expect(text.startsWith(`${keyPrefix({ tenant: ACME, id })}_`)).toBe(true);
    expect(secretHash).toBe(digest(text));
  });

  test('can be read back for every tenant there can be', () => {
    const names = fc.stringMatching(/^[a-z0-9-]{1,64}$/);
    fc.assert(
      fc.property(names, (name) => {
        const { id, text } = mintKey(systemEntropy, tenant(name));
        expect(parseKey(text)).toEqual({ tenant: name, id });
      }),
    );
  });

  test('is never the same twice, and every letter and digit occurs in it', () => {
    const texts = Array.from({ length: 2_000 }, () => mintKey(systemEntropy, ACME).text);
    expect(new Set(texts).size).toBe(2_000);
    expect(new Set(texts.map((text) => text.split('_')[3]?.slice(0, 43)).join('')).size).toBe(62);
  });

  test('with any one character misspelled is refused without a look at the database', () => {
    const { text } = mintKey(systemEntropy, ACME);
    for (let place = 0; place < text.length; place += 1) {
      const other = text[place] === 'x' ? 'y' : 'x';
      expect(parseKey(`${text.slice(0, place)}${other}${text.slice(place + 1)}`)).toBeNull();
    }
    for (const odd of [text.slice(1), text.slice(0, -1), `${text}a`, `${text} `, text.toUpperCase(), `${text}\0`]) expect(parseKey(odd)).toBeNull();
  });

  test('may be anything at all: what is no key is null, and nothing is thrown (B131)', () => {
    const odd = ['', 'é'.repeat(134), 'lq_', 'lq____', 'x'.repeat(1_048_576), `lq_${'a'.repeat(65)}_1_2`, '\ud800', 'lq_acme_0123456789abcdef_'];
    for (const text of odd) expect(parseKey(text)).toBeNull();
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseKey(text) === null));
  });
});
