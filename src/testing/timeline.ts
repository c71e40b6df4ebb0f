/** How time passes: from one moment at which something is due to the next, each one lived through before the next begins. */
import type { StoreUpkeep } from '../store/housekeeping.ts';
import type { Activity } from './activity.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface TimelineParts {
  readonly clock: VirtualClock;
  readonly store: Pick<StoreUpkeep, 'sweep' | 'retain'>;
  readonly activity: Activity;
  /** Called at each moment, once everything else that was due has happened. True where it did something. */
  readonly atRest: () => Promise<boolean>;
}

export class Timeline {
  readonly #parts: TimelineParts;

  constructor(parts: TimelineParts) {
    this.#parts = parts;
  }

  /** Ends once everything that was due until then has happened. */
  async advance(ms: number): Promise<void> {
    const { clock, store } = this.#parts;
    const untilMs = clock.monotonicMs() + Math.ceil(ms);
    for (let dueAtMs = await this.#live(); clock.monotonicMs() < untilMs; dueAtMs = await this.#live()) {
      clock.advance(Math.min(this.#untilNextMs(dueAtMs), untilMs - clock.monotonicMs()));
    }
    while ((await store.retain()).hasMore);
  }

  /** Goes on to the next moment at which something is due, if that comes in time. Answers how long that took; 0 where nothing comes. */
  async step(msMax: number): Promise<number> {
    const ms = this.#untilNextMs(await this.rest());
    if (ms > msMax) return 0;
    this.#parts.clock.advance(ms);
    await this.rest();
    return ms;
  }

  /**
   * Lets everything happen that is due now, and sweeps as the server does, whose sweeper wakes when something falls due.
   * Answers when the sweeper is needed next; null where nothing is known of.
   */
  async rest(): Promise<number | null> {
    const { activity, store } = this.#parts;
    for (;;) {
      await activity.settled();
      const { expired, promoted, hasMore, nextDueAtMs } = await store.sweep();
      if (expired + promoted === 0 && !hasMore) return nextDueAtMs;
    }
  }

  async #live(): Promise<number | null> {
    const dueAtMs = await this.rest();
    return (await this.#parts.atRest()) ? this.rest() : dueAtMs;
  }

  #untilNextMs(dueAtMs: number | null): number {
    const { clock } = this.#parts;
    const untilDueMs = dueAtMs === null ? Number.POSITIVE_INFINITY : dueAtMs - clock.nowMs();
    return Math.max(1, Math.min(untilDueMs, clock.untilWakeMs() ?? Number.POSITIVE_INFINITY));
  }
}
