/** A clock that stands still until somebody moves it. */
import { type Clock, sleepBy } from '../runtime/clock.ts';

interface Sleeper {
  readonly wakesAtMs: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;
  readonly #sleepers = new Set<Sleeper>();
  readonly #changed: () => void;

  /** `changed` is called whenever somebody falls asleep or wakes. */
  constructor(startMs: number, changed: () => void = () => {}) {
    this.#nowMs = startMs;
    this.#changed = changed;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepBy(this, ms, signal);
  }

  after(ms: number, then: () => void): () => void {
    const leave = (): boolean => {
      const isThere = this.#sleepers.delete(sleeper);
      if (isThere) this.#changed();
      return isThere;
    };
    const wake = (): void => {
      if (leave()) then();
    };
    // In whole milliseconds, as every instant that is stored.
    const sleeper = { wakesAtMs: this.#monotonicMs + Math.ceil(ms), wake };
    this.#sleepers.add(sleeper);
    this.#changed();
    return () => void leave();
  }

  /** Until the first sleep ends; null where nobody sleeps. */
  untilWakeMs(): number | null {
    let first: number | null = null;
    for (const { wakesAtMs } of this.#sleepers) if (first === null || wakesAtMs < first) first = wakesAtMs;
    return first === null ? null : first - this.#monotonicMs;
  }

  /** Lets `ms` pass: both clocks move and every sleep that is over ends, the earliest first. */
  advance(ms: number): void {
    if (ms < 0) throw new Error('time does not run backwards; set() moves the wall clock');
    this.#nowMs += ms;
    this.#monotonicMs += ms;
    const due = [...this.#sleepers].filter(({ wakesAtMs }) => wakesAtMs <= this.#monotonicMs).toSorted((a, b) => a.wakesAtMs - b.wakesAtMs);
    for (const { wake } of due) wake();
  }

  /** Ends every sleep, as if the time for it had passed. */
  wakeAll(): void {
    for (const { wake } of [...this.#sleepers]) wake();
  }

  /** Sets the wall clock. Forward lets the time between pass; backward moves the wall clock alone, as an administrator would. */
  set(nowMs: number): void {
    if (nowMs >= this.#nowMs) this.advance(nowMs - this.#nowMs);
    else this.#nowMs = nowMs;
  }
}
