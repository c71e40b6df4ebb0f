/** How long a failed job waits before it may run again. */
import { LIMITS } from './limits.ts';

export interface RetryPolicy {
  readonly retryBaseSeconds: number;
  readonly retryMaxSeconds: number;
}

/**
 * Delay after failed attempt `attempt` (1 or more), in milliseconds: min(cap, base × 2^(attempt − 1)), shortened
 * by up to 10 % with `jitter` (0 takes nothing off, towards 1 takes the whole share). Finite and positive for any
 * attempt, and never above the cap.
 */
export function retryDelayMs(attempt: number, policy: RetryPolicy, jitter: number): number {
  const capMs = policy.retryMaxSeconds * 1000;
  // Beyond 2^31 any base of a second or more is past the largest cap; clamping keeps the power finite.
  const doublings = Math.min(Math.max(attempt - 1, 0), 31);
  const delayMs = Math.min(capMs, policy.retryBaseSeconds * 1000 * 2 ** doublings);
  return Math.round(delayMs * (1 - LIMITS.retryJitterRatioMax * jitter));
}
