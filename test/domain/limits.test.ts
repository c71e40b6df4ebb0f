/** The limits fit together, and to the numbers that are promised. */
import { describe, expect, test } from 'vitest';
import { LIMITS, NAME_PATTERN, TENANT_PATTERN, VISIBLE_ASCII_PATTERN, VISIBLE_PATTERN } from '../../src/domain/limits.ts';

const limits: Readonly<Record<string, number>> = LIMITS;
const names = Object.keys(limits);

describe('the limits', () => {
  test('are finite numbers, and none of a maximum is below zero', () => {
    expect(names.filter((name) => !Number.isFinite(limits[name]))).toEqual([]);
    expect(names.filter((name) => name.endsWith('Max') && limits[name]! <= 0)).toEqual([]);
  });

  test('have minimum ≤ default ≤ maximum wherever these are named', () => {
    for (const stem of new Set(names.map((name) => name.replace(/(Min|Max|Default)$/, '')))) {
      const range = [limits[`${stem}Min`], limits[`${stem}Default`], limits[`${stem}Max`]].filter((limit) => limit !== undefined);
      expect({ stem, range: range.toSorted((a, b) => a - b) }).toEqual({ stem, range });
    }
  });

  test('let the default of one fit into the others', () => {
    expect(LIMITS.retryMaxSecondsDefault).toBeGreaterThanOrEqual(LIMITS.retryBaseSecondsMax);
    expect(LIMITS.retryMaxSecondsMax).toBeGreaterThanOrEqual(LIMITS.retryMaxSecondsDefault);
    expect(LIMITS.requestBytesMax).toBeGreaterThan(LIMITS.payloadBytesMax);
    expect(LIMITS.requestBytesMax).toBeGreaterThan(LIMITS.resultBytesMax);
    expect(LIMITS.errorDetailsBytesMax + LIMITS.errorTextBytesMax).toBeLessThan(LIMITS.requestBytesMax);
    expect(LIMITS.payloadBytesMax).toBeGreaterThan(LIMITS.errorDetailsBytesMax);
    expect(LIMITS.socketUnsentBytesMax).toBeGreaterThan(LIMITS.requestBytesMax);
    expect(LIMITS.retainDeadSecondsDefault).toBeLessThanOrEqual(LIMITS.retainSecondsMax);
    expect(LIMITS.retainFinishedSecondsDefault).toBeGreaterThan(LIMITS.idempotencyWindowSeconds);
    expect(LIMITS.recoverJobsPerStepMax).toBeGreaterThanOrEqual(LIMITS.claimLeasesMax);
    expect(LIMITS.sweepEveryMsMax).toBeLessThan(LIMITS.leaseSecondsMin * 1000);
    expect(LIMITS.connectionsMax).toBeGreaterThan(LIMITS.socketsMax);
    expect(LIMITS.socketsInitialisingMax).toBeLessThan(LIMITS.socketsMax);
    expect(LIMITS.subscriptionsPerSocketMax).toBeLessThan(LIMITS.socketMessagesAtOnceMax);
    expect(LIMITS.requestAddressCharactersMax).toBeLessThan(LIMITS.requestHeaderBytesMax);
    expect(LIMITS.requestHeadersMsMax).toBeLessThan(LIMITS.requestMsMax);
    expect(LIMITS.retryJitterRatioMax).toBeGreaterThan(0);
    expect(LIMITS.retryJitterRatioMax).toBeLessThan(1);
  });

  test('keep every instant that they can lead to exact', () => {
    const farthestMs = Date.UTC(2200, 0, 1) + (LIMITS.retainSecondsMax + LIMITS.startAheadSecondsMax + LIMITS.retryMaxSecondsMax) * 1000;
    expect(Number.isSafeInteger(farthestMs)).toBe(true);
  });

  test('are the promised ones', () => {
    expect(LIMITS).toMatchObject({
      nameCharactersMax: 64,
      tenantCharactersMax: 64,
      payloadBytesMax: 65_536,
      resultBytesMax: 65_536,
      jsonDepthMax: 32,
      errorTextBytesMax: 4_096,
      errorDetailsBytesMax: 16_384,
      progressNoteCharactersMax: 1_000,
      requestBytesMax: 131_072,
      priorityMin: -100,
      priorityMax: 100,
      priorityDefault: 0,
      maxAttemptsMin: 1,
      maxAttemptsMax: 20,
      maxAttemptsDefault: 3,
      startAheadSecondsMax: 2_592_000,
      retryBaseSecondsMin: 1,
      retryBaseSecondsMax: 3_600,
      retryBaseSecondsDefault: 15,
      retryMaxSecondsMin: 1,
      retryMaxSecondsMax: 86_400,
      retryMaxSecondsDefault: 3_600,
      afterSecondsMax: 86_400,
      retryJitterRatioMax: 0.1,
      refundedReleasesMax: 10,
      workerIdCharactersMax: 128,
      leaseSecondsMin: 5,
      leaseSecondsMax: 3_600,
      leaseSecondsDefault: 60,
      claimLeasesMax: 100,
      waitSecondsMax: 30,
      requestIdCharactersMax: 128,
      idempotencyKeyCharactersMax: 128,
      idempotencyWindowSeconds: 86_400,
      tagsMax: 16,
      tagValueCharactersMax: 256,
      concurrencyKeyCharactersMax: 128,
      batchItemsMax: 500,
      bulkJobsMax: 1_000,
      pageItemsMax: 100,
      feedBatchEventsMax: 1_000,
      feedPauseMsMin: 20,
      feedPauseMsMax: 10_000,
      statsEverySecondsMax: 60,
      documentTokensMax: 2_000,
      documentDepthMax: 12,
      documentAliasesMax: 30,
      documentRootFieldsMax: 15,
      documentDirectivesMax: 10,
      socketsMax: 2_000,
      subscriptionsPerSocketMax: 20,
      socketInitialiseMsMax: 3_000,
      socketsPerKeyMax: 100,
      socketMessagesPerSecondMax: 50,
      socketMessagesAtOnceMax: 100,
      requestHeaderBytesMax: 16_384,
      requestHeadersMsMax: 15_000,
      requestMsMax: 30_000,
      keepAliveMsMax: 5_000,
      retainFinishedSecondsDefault: 168 * 3_600,
      retainDeadSecondsDefault: 2_160 * 3_600,
      sweepEveryMsMax: 1_000,
    });
  });
});

describe('the patterns', () => {
  test('take names that begin with a letter or digit and hold letters, digits and a few signs', () => {
    for (const name of ['a', '9', 'mail', 'Mail.send:v2_b-1']) expect(NAME_PATTERN.test(name)).toBe(true);
    for (const name of ['', '.a', '-a', 'a b', 'a/b', 'é', 'a\n', 'a\u0000', '名']) expect(NAME_PATTERN.test(name)).toBe(false);
  });

  test('take tenants of small letters, digits and hyphens', () => {
    for (const tenant of ['a', 'blue-2', '-']) expect(TENANT_PATTERN.test(tenant)).toBe(true);
    for (const tenant of ['', 'A', 'a_b', 'a b', 'a\n', 'é']) expect(TENANT_PATTERN.test(tenant)).toBe(false);
  });

  // B38
  test('take keys of visible ASCII and nothing else', () => {
    for (const key of ['k', '!~', 'a:b']) expect(VISIBLE_ASCII_PATTERN.test(key)).toBe(true);
    for (const key of ['', '   ', 'a b', 'a\n', 'é', 'a\u0000c', '\u007f']) expect(VISIBLE_ASCII_PATTERN.test(key)).toBe(false);
  });

  test('take worker names of visible characters of any script', () => {
    for (const name of ['pod-0', 'é', '工人', '😀']) expect(VISIBLE_PATTERN.test(name)).toBe(true);
    for (const name of ['', ' ', 'a b', 'a\u0000', 'a\u200bb', 'a\u2028', '\ud800']) expect(VISIBLE_PATTERN.test(name)).toBe(false);
  });
});
