/** How many events a second happen: computed from when those that came did happen, so that history which is read counts for nothing. */

/** So many events at an instant, or not long after it. */
type Happened = readonly [atMs: number, events: number];

/** What the rate is taken over. */
const WINDOW_MS = 5_000;

export class Meter {
  #sinceMs: number;
  #happened: readonly Happened[] = [];

  /** Instants are the server's. */
  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  add(happened: readonly Happened[], nowMs: number): void {
    const fromMs = Math.max(this.#sinceMs, nowMs - WINDOW_MS);
    this.#happened = [...this.#happened, ...happened].filter(([atMs]) => atMs > fromMs);
  }

  /** Per second over the last five, or over as long as somebody has looked. */
  rate(nowMs: number): number {
    const fromMs = nowMs - WINDOW_MS;
    const events = this.#happened.reduce((sum, [atMs, count]) => sum + (atMs > fromMs ? count : 0), 0);
    return (events * 1_000) / Math.min(WINDOW_MS, Math.max(1_000, nowMs - this.#sinceMs));
  }

  restart(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#happened = [];
  }
}
