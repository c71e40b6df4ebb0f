/** Time, as everything else gets it. Nothing outside this folder reads a clock or arms a timer of its own. */

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start that no change of the wall clock moves; for durations only. */
  monotonicMs(): number;
  /** Ends after `ms` (any length), or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers hold 31 bits of milliseconds (24.8 days); a longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    for (let leftMs = ms; leftMs > 0 && signal?.aborted !== true; leftMs -= TIMER_MS_MAX) await timer(Math.min(leftMs, TIMER_MS_MAX), signal);
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(handle);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const handle = setTimeout(end, ms);
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
  };
}
