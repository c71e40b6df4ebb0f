/** A clock that begins in the past and is moved up to now, so that a demo has a history when it opens. */
import { type Clock, systemClock } from '../runtime/clock.ts';

export interface PastClock extends Clock {
  /** How far it is behind. */
  readonly behindMs: number;
  /** Moves it on, to now at most. */
  advance(ms: number): void;
}

export function pastClock(startBehindMs: number): PastClock {
  let behindMs = startBehindMs;
  return {
    get behindMs() {
      return behindMs;
    },
    advance: (ms) => void (behindMs = Math.max(0, behindMs - Math.round(ms))),
    nowMs: () => systemClock.nowMs() - behindMs,
    monotonicMs: () => systemClock.monotonicMs(),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    after: (ms, then) => systemClock.after(ms, then),
  };
}
