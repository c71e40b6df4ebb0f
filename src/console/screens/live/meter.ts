/** How many events a second came lately: computed from what came, never asked for. */

/** Seconds that the rate is taken over. */
const WINDOW_MS = 5_000;

export class Meter {
  #startMs: number;
  #came: { readonly atMs: number; readonly events: number }[] = [];

  constructor(nowMs: number) {
    this.#startMs = nowMs;
  }

  add(events: number, atMs: number): void {
    this.#came = [...this.#came.filter((each) => each.atMs > atMs - WINDOW_MS), { atMs, events }];
  }

  /** Per second over the last five, or over as long as there was something to follow. */
  rate(nowMs: number): number {
    const sum = this.#came.reduce((total, { atMs, events }) => total + (atMs > nowMs - WINDOW_MS ? events : 0), 0);
    return (sum * 1_000) / Math.min(WINDOW_MS, Math.max(1_000, nowMs - this.#startMs));
  }

  restart(nowMs: number): void {
    this.#startMs = nowMs;
    this.#came = [];
  }
}
