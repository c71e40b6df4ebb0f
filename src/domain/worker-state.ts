/** What the signs of a worker tell about it: whether it is at work, waits for work, or was lost. */
import { LIMITS } from './limits.ts';

export const WORKER_STATES = ['active', 'idle', 'silent', 'gone'] as const;

export type WorkerState = (typeof WORKER_STATES)[number];

/** A worker's last sign is written at most this often: an idle poll must not cost a sync each time. */
export const SIGN_NOTED_EVERY_MS = 5_000;

/** A claim waits for so long without another sign, and what comes between two claims has as long again. */
export const GONE_AFTER_MS = 2 * LIMITS.waitSecondsMax * 1000;

export interface WorkerSigns {
  readonly runningJobs: number;
  readonly lastSeenAtMs: number;
  readonly silentAtMs: number;
  /** Null without leases. */
  readonly soonestLeaseExpiresAtMs: number | null;
}

/**
 * How long a holder of such a lease may give no sign: half the lease, since whoever keeps one alive says so more often,
 * and as long as its last sign may have gone unwritten.
 */
export function silenceAllowedMs(leaseSeconds: number): number {
  // What is left of a lease may be an odd number of milliseconds.
  return Math.ceil(leaseSeconds * 500) + SIGN_NOTED_EVERY_MS;
}

/**
 * `active`: holds leases and was heard of in time. `silent`: holds leases and was not, or one of them is over and nobody
 * has noticed yet. `idle`: holds none and was heard of lately. `gone`: holds none, and would have asked for some since.
 */
export function workerState({ runningJobs, lastSeenAtMs, silentAtMs, soonestLeaseExpiresAtMs }: WorkerSigns, nowMs: number): WorkerState {
  if (runningJobs === 0) return nowMs - lastSeenAtMs <= GONE_AFTER_MS ? 'idle' : 'gone';
  const isOver = soonestLeaseExpiresAtMs !== null && soonestLeaseExpiresAtMs <= nowMs;
  return isOver || silentAtMs <= nowMs ? 'silent' : 'active';
}
