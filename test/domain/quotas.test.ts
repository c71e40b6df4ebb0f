import { describe, expect, test } from 'vitest';
import { QUOTA_NAMES, type QuotaRule, QUOTAS } from '../../src/domain/access.ts';
import { changedQuotas, DEFAULT_QUOTAS, effectiveQuotas, exceededQuota, NO_USAGE, ungranted } from '../../src/domain/quotas.ts';

const MEBIBYTE = 1_048_576;

describe('the table of quotas', () => {
  test.each(QUOTA_NAMES)('%s has a default within what may be set, and a sentence', (name) => {
    const { min = 0, max, default: value, meaning }: QuotaRule = QUOTAS[name];
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
    expect(max).toBeLessThanOrEqual(2_147_483_647);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });
});

describe('the quotas that hold', () => {
  test('are the own ones, else the granted ones, else the defaults', () => {
    expect(effectiveQuotas({ granted: {}, own: {} })).toEqual(DEFAULT_QUOTAS);
    expect(effectiveQuotas({ granted: { maxQueues: 5, maxFeeds: 6 }, own: { maxFeeds: 0 } })).toEqual({ ...DEFAULT_QUOTAS, maxQueues: 5, maxFeeds: 0 });
  });

  test('the tenant itself may set up to what was granted, and not one more', () => {
    const settings = { granted: { maxQueues: 5 }, own: { maxQueues: 2 } };
    expect(ungranted(settings, { maxQueues: 5, maxFeeds: QUOTAS.maxFeeds.default, maxSockets: null }, 'own')).toEqual([]);
    expect(ungranted(settings, { maxQueues: 6, maxFeeds: QUOTAS.maxFeeds.default + 1 }, 'own')).toEqual([
      { quota: 'maxQueues', max: 5 },
      { quota: 'maxFeeds', max: QUOTAS.maxFeeds.default },
    ]);
    expect(ungranted(settings, { maxQueues: 6 }, 'system')).toEqual([]);
  });

  test('the tenant itself takes its own value back with null, and what was granted holds again', () => {
    const settings = { granted: { maxQueues: 5 }, own: { maxQueues: 2, maxFeeds: 1 } };
    expect(changedQuotas(settings, { maxQueues: null }, 'own')).toEqual({ granted: { maxQueues: 5 }, own: { maxFeeds: 1 } });
    expect(changedQuotas(settings, { maxQueues: 3 }, 'own')).toEqual({ granted: { maxQueues: 5 }, own: { maxQueues: 3, maxFeeds: 1 } });
  });

  test('what a SYSTEM key sets or takes back drops the own value of that quota, and of no other', () => {
    const settings = { granted: { maxQueues: 5 }, own: { maxQueues: 2, maxFeeds: 1 } };
    expect(changedQuotas(settings, { maxQueues: 9 }, 'system')).toEqual({ granted: { maxQueues: 9 }, own: { maxFeeds: 1 } });
    expect(changedQuotas(settings, { maxQueues: null }, 'system')).toEqual({ granted: {}, own: { maxFeeds: 1 } });
    expect(changedQuotas(settings, {}, 'system')).toEqual(settings);
  });
});

describe('a quota is exceeded', () => {
  const quotas = { ...DEFAULT_QUOTAS, maxWaitingJobs: 3, maxQueues: 2, maxStoredMebibytes: 1 };

  test.each([
    ['maxWaitingJobs', 3, { waitingJobs: 2 }, { waitingJobs: 1 }],
    ['maxQueues', 2, { queues: 1 }, { queues: 1 }],
    ['maxStoredMebibytes', 1, { storedBytes: MEBIBYTE - 1 }, { storedBytes: 1 }],
  ] as const)('%s: by one more than %d', (quota, limit, used, added) => {
    const [before, more] = [
      { ...NO_USAGE, ...used },
      { ...NO_USAGE, ...added },
    ];
    expect(exceededQuota(quotas, before, more)).toBeNull();
    const full = { waitingJobs: before.waitingJobs + 1, queues: before.queues + 1, storedBytes: before.storedBytes + 1 };
    expect(exceededQuota(quotas, full, more)).toEqual({ code: 'QUOTA_EXCEEDED', quota, limit });
  });

  test('never by what adds nothing to it, however far over it the tenant is', () => {
    const over = { waitingJobs: 9, queues: 9, storedBytes: 9 * MEBIBYTE };
    expect(exceededQuota(quotas, over, NO_USAGE)).toBeNull();
    expect(exceededQuota(quotas, over, { ...NO_USAGE, storedBytes: -5 })).toBeNull();
  });

  test('the waiting jobs first, then the queues, then the bytes', () => {
    const full = { waitingJobs: 3, queues: 2, storedBytes: MEBIBYTE };
    const first = (added: Partial<typeof full>) => exceededQuota(quotas, full, { ...NO_USAGE, ...added })?.quota;
    expect([first({ waitingJobs: 1, queues: 1, storedBytes: 1 }), first({ queues: 1, storedBytes: 1 }), first({ storedBytes: 1 })]).toEqual([
      'maxWaitingJobs',
      'maxQueues',
      'maxStoredMebibytes',
    ]);
  });
});
