/** Time, as everything else gets it. Nothing outside this folder reads a clock or arms a timer of its own. */

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start that no change of the wall clock moves; for durations only. */
  monotonicMs(): number;
  /** Ends after `ms` (any length), or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `ms` (any length), unless what it answers is called before. */
  after(ms: number, then: () => void): () => void;
}

/** Node's timers hold 31 bits of milliseconds (24.8 days); a longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => sleepBy(systemClock, ms, signal),
  after(ms, then) {
    let leftMs = ms;
    const next = (): ReturnType<typeof setTimeout> => {
      const partMs = Math.min(leftMs, TIMER_MS_MAX);
      leftMs -= partMs;
      return setTimeout(leftMs > 0 ? () => void (handle = next()) : then, partMs);
    };
    let handle = next();
    return () => clearTimeout(handle);
  },
};

/** A sleep made of the clock's `after`. */
export function sleepBy(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** The same clock, whose wall time stands still where it was set back, until it has caught up: what was due once stays due. */
export function forwardOnly(clock: Clock): Clock {
  let latestMs = Number.NEGATIVE_INFINITY;
  return {
    nowMs: () => (latestMs = Math.max(latestMs, clock.nowMs())),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, then) => clock.after(ms, then),
  };
}
