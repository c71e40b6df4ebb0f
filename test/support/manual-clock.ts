/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/runtime/clock.ts';

/** Where every test starts: 2026-03-01T00:00:00.000Z. */
export const T0_MS = Date.UTC(2026, 2, 1);

interface Sleeper {
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs: number = T0_MS) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { wakesAtMs: this.#monotonicMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Lets `ms` pass: both clocks move and every sleep that is over ends, the earliest first. */
  advance(ms: number): void {
    if (ms < 0) throw new Error('time does not run backwards; set() moves the wall clock');
    this.#nowMs += ms;
    this.#monotonicMs += ms;
    const due = [...this.#sleepers].filter(({ wakesAtMs }) => wakesAtMs <= this.#monotonicMs).toSorted((a, b) => a.wakesAtMs - b.wakesAtMs);
    for (const { wake } of due) wake();
  }

  /** Sets the wall clock. Forward lets the time between pass; backward moves the wall clock alone, as an administrator would. */
  set(nowMs: number): void {
    if (nowMs >= this.#nowMs) this.advance(nowMs - this.#nowMs);
    else this.#nowMs = nowMs;
  }
}
