/** When two submissions are the same request, and when they are not. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalRequest, FINGERPRINT_FIELDS, fingerprintText, type SubmitRequest } from '../../src/domain/idempotency.ts';
import { canonicalJson } from '../../src/domain/json.ts';
import { T0_MS } from '../support/manual-clock.ts';

const PLAIN: SubmitRequest = {
  queue: 'default',
  task: 't.a',
  payloadJson: '{"n":1}',
  priority: null,
  maxAttempts: null,
  retryBaseSeconds: 5,
  retryMaxSeconds: null,
  start: null,
  concurrencyKey: null,
  tags: [],
  idempotencyKey: 'k1',
};
const text = (change: Partial<SubmitRequest> = {}): string => fingerprintText(canonicalRequest({ ...PLAIN, ...change }));

function differing(change: Partial<SubmitRequest>): readonly string[] {
  const [one, other] = [canonicalRequest(PLAIN), canonicalRequest({ ...PLAIN, ...change })];
  return FINGERPRINT_FIELDS.filter((field) => one[field] !== other[field]);
}

const plain = (request: SubmitRequest): string =>
  canonicalJson({
    ...request,
    priority: request.priority ?? 0,
    maxAttempts: request.maxAttempts ?? 3,
    retryBaseSeconds: request.retryBaseSeconds ?? 15,
    retryMaxSeconds: request.retryMaxSeconds ?? 3_600,
    tags: request.tags.map(({ key, value }) => canonicalJson([key, value])).toSorted(),
  });

describe('two submissions are the same request', () => {
  // B35
  test('where one writes the defaults out and the other leaves them away', () => {
    expect(text({ priority: 0, maxAttempts: 3, retryMaxSeconds: 3_600 })).toBe(text());
    expect(text({ retryBaseSeconds: 15 })).toBe(text({ retryBaseSeconds: null }));
  });

  test('where only the order of the tags differs', () => {
    const tags = [
      { key: 'b', value: '1' },
      { key: 'a', value: '2' },
    ];
    expect(text({ tags })).toBe(text({ tags: tags.toReversed() }));
  });

  test('whatever the key, which is no part of the comparison', () => {
    expect(text({ idempotencyKey: 'k2' })).toBe(text());
    expect(text({ idempotencyKey: null })).toBe(text());
  });
});

describe('two submissions differ', () => {
  // B35
  test.each<[string, Partial<SubmitRequest>]>([
    ['queue', { queue: 'mail' }],
    ['task', { task: 't.b' }],
    ['payload', { payloadJson: '{"n":2}' }],
    ['priority', { priority: 1 }],
    ['maxAttempts', { maxAttempts: 4 }],
    ['retryBaseSeconds', { retryBaseSeconds: 6 }],
    ['retryMaxSeconds', { retryMaxSeconds: 60 }],
    ['start', { start: { atMs: T0_MS } }],
    ['concurrencyKey', { concurrencyKey: 'c' }],
    ['tags', { tags: [{ key: 'a', value: '' }] }],
  ])('by their %s, and that field alone is named', (field, change) => {
    expect(text(change)).not.toBe(text());
    expect(differing(change)).toEqual([field]);
  });

  test('by everything that is compared: the list above leaves no field out', () => {
    expect([...FINGERPRINT_FIELDS]).toEqual([
      'queue',
      'task',
      'payload',
      'priority',
      'maxAttempts',
      'retryBaseSeconds',
      'retryMaxSeconds',
      'start',
      'concurrencyKey',
      'tags',
    ]);
    const { idempotencyKey: _key, payloadJson: _payload, ...compared } = PLAIN;
    expect([...Object.keys(compared), 'payload'].toSorted()).toEqual([...FINGERPRINT_FIELDS].toSorted());
  });

  test('where one waits for seconds and the other for the instant that these lead to', () => {
    expect(text({ start: { inSeconds: 60 } })).not.toBe(text({ start: { atMs: T0_MS + 60_000 } }));
    expect(text({ start: { inSeconds: 60 } })).toBe(text({ start: { inSeconds: 60 } }));
  });

  // B37
  test('where texts glued together would be equal', () => {
    const glued: Partial<SubmitRequest>[] = [
      { queue: 'a:b', task: 'c' },
      { queue: 'a', task: 'b:c' },
      { queue: 'a', task: 'b', concurrencyKey: 'c' },
      { tags: [{ key: 'a', value: 'b,c' }] },
      {
        tags: [
          { key: 'a', value: 'b' },
          { key: 'c', value: '' },
        ],
      },
      { tags: [{ key: 'ab', value: 'c' }] },
      { concurrencyKey: 'null' },
      { concurrencyKey: null },
      { concurrencyKey: '"null"' },
      { concurrencyKey: '","tags":"[]' },
    ];
    const texts = glued.map((change) => text(change));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('exactly where some compared field differs, for any two requests', () => {
    const words = fc.oneof(fc.constantFrom('a', 'b', 'a:b', '"', '\\', '}', 'null', 'é', '😀'), fc.string());
    const requests = fc.record<SubmitRequest>({
      queue: words,
      task: words,
      payloadJson: fc.constantFrom('{}', '{"a":1}', '{"a":"1"}'),
      priority: fc.constantFrom(null, 0, 1),
      maxAttempts: fc.constantFrom(null, 3, 4),
      retryBaseSeconds: fc.constantFrom(null, 15, 1),
      retryMaxSeconds: fc.constantFrom(null, 3_600, 1),
      start: fc.constantFrom(null, { atMs: 1 }, { inSeconds: 1 }),
      concurrencyKey: fc.option(words),
      tags: fc.uniqueArray(fc.record({ key: words, value: words }), { selector: ({ key }) => key, maxLength: 3 }),
      idempotencyKey: fc.constant('k'),
    });
    fc.assert(
      fc.property(requests, requests, (one, other) => {
        const areEqual = fingerprintText(canonicalRequest(one)) === fingerprintText(canonicalRequest(other));
        expect(areEqual).toBe(plain(one) === plain(other));
        expect(fingerprintText(canonicalRequest(one))).toBe(canonicalJson(canonicalRequest(one)));
      }),
      { numRuns: 3_000 },
    );
  });
});
