/** Time that passes in steps for everybody, the server's sweeper included. */
import type { Activity } from '../../src/testing/activity.ts';
import type { VirtualClock } from '../../src/testing/virtual-clock.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';

/** Whatever falls due within so long happens at once, as in a process that is busy. */
const GRAIN_MS = 200;
const SWEEP_MS = 1_000;

export class PassingTime {
  readonly #clock: VirtualClock;
  readonly #activity: Activity;
  readonly #store: Pick<LeaseRepository, 'sweep'>;
  #sweepAtMs = 0;

  constructor(clock: VirtualClock, activity: Activity, store: Pick<LeaseRepository, 'sweep'>) {
    [this.#clock, this.#activity, this.#store] = [clock, activity, store];
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.#clock.monotonicMs() + Math.ceil(ms);
    for (;;) {
      await this.#rest();
      const leftMs = untilMs - this.#clock.monotonicMs();
      if (leftMs <= 0) return;
      const nextMs = Math.min(this.#clock.untilWakeMs() ?? Number.POSITIVE_INFINITY, this.#sweepAtMs - this.#clock.nowMs());
      this.#clock.advance(Math.min(leftMs, Math.max(GRAIN_MS, nextMs)));
    }
  }

  /** Sweeps as the server does, which wakes when something falls due, and once a second. */
  async #rest(): Promise<void> {
    await this.#activity.settled();
    while (this.#clock.nowMs() >= this.#sweepAtMs) {
      const { nextDueAtMs } = await this.#store.sweep();
      const nowMs = this.#clock.nowMs();
      this.#sweepAtMs = Math.min(Math.max(nextDueAtMs ?? Number.POSITIVE_INFINITY, nowMs + 1), nowMs + SWEEP_MS);
      await this.#activity.settled();
    }
  }
}
