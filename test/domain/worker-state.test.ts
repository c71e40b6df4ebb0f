/** What a worker's signs tell about it, at and around each bound. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { GONE_AFTER_MS, SIGN_NOTED_EVERY_MS, silenceAllowedMs, WORKER_STATES, workerState } from '../../src/domain/worker-state.ts';

const NOW = 1_000_000;
const BUSY = { runningJobs: 1, lastSeenAtMs: NOW - 10_000, silentAtMs: NOW + 1, soonestLeaseExpiresAtMs: NOW + 1 };
const FREE = { runningJobs: 0, lastSeenAtMs: NOW, silentAtMs: NOW + 35_000, soonestLeaseExpiresAtMs: null };

describe('a worker', () => {
  test('that holds leases is active until it has been silent for too long, and silent from that instant on', () => {
    expect(workerState(BUSY, NOW)).toBe('active');
    expect(workerState({ ...BUSY, silentAtMs: NOW }, NOW)).toBe('silent');
  });

  test('of a lease that is over and was not recovered yet is silent, however lately it was heard of', () => {
    expect(workerState({ ...BUSY, lastSeenAtMs: NOW, soonestLeaseExpiresAtMs: NOW }, NOW)).toBe('silent');
  });

  test('that holds none is idle while it may be waiting in a claim, and gone after it', () => {
    expect(workerState({ ...FREE, lastSeenAtMs: NOW - GONE_AFTER_MS }, NOW)).toBe('idle');
    expect(workerState({ ...FREE, lastSeenAtMs: NOW - GONE_AFTER_MS - 1 }, NOW)).toBe('gone');
    expect(workerState({ ...FREE, silentAtMs: NOW - 1 }, NOW)).toBe('idle');
  });

  test('is never silent or gone while it does what it should: a heartbeat every third of a lease, a claim that waits its longest', () => {
    for (const leaseSeconds of [LIMITS.leaseSecondsMin, LIMITS.leaseSecondsDefault, LIMITS.leaseSecondsMax]) {
      const unheardMs = (leaseSeconds * 1000) / 3 + SIGN_NOTED_EVERY_MS - 1;
      expect(silenceAllowedMs(leaseSeconds)).toBeGreaterThan(unheardMs);
    }
    expect(GONE_AFTER_MS).toBeGreaterThan(LIMITS.waitSecondsMax * 1000 + SIGN_NOTED_EVERY_MS);
  });

  test('is in one of the four states', () => {
    expect(WORKER_STATES).toEqual(['active', 'idle', 'silent', 'gone']);
  });
});

test('a silence is a whole number of milliseconds, whatever is left of a lease', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 3_600_000 }), (leftMs) => Number.isInteger(silenceAllowedMs(leftMs / 1000))));
});
