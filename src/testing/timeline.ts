/** How time passes: from one moment at which something is due to the next, each one lived through before the next begins. */
import type { StoreUpkeep } from '../store/housekeeping.ts';
import type { Activity } from './activity.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface TimelineParts {
  readonly clock: VirtualClock;
  readonly store: Pick<StoreUpkeep, 'sweep' | 'retain'>;
  readonly activity: Activity;
  /** Called at each moment, once everything else that was due has happened. */
  readonly atRest: () => Promise<void>;
}

export class Timeline {
  readonly #parts: TimelineParts;

  constructor(parts: TimelineParts) {
    this.#parts = parts;
  }

  /** Ends once everything that was due until then has happened. */
  async advance(ms: number): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + Math.ceil(ms);
    await this.#live();
    while (clock.monotonicMs() < untilMs) {
      clock.advance(Math.min(this.#untilNextMs(await this.#sweep()), untilMs - clock.monotonicMs()));
      await this.#live();
    }
    await this.#retain();
  }

  /** Goes on to the next moment at which something is due, if that comes in time. Answers how long that took; 0 where nothing comes. */
  async step(msMax: number): Promise<number> {
    const { clock } = this.#parts;
    const ms = this.#untilNextMs(await this.#sweep());
    if (ms > msMax) return 0;
    clock.advance(ms);
    await this.rest();
    return ms;
  }

  /** Lets everything happen that is due now. */
  async rest(): Promise<void> {
    await this.#parts.activity.settled();
    await this.#sweep();
    await this.#parts.activity.settled();
  }

  async #live(): Promise<void> {
    await this.rest();
    await this.#parts.atRest();
  }

  /** As the server's sweeper, which wakes when something falls due. Answers when that is; null where nothing is known of. */
  async #sweep(): Promise<number | null> {
    for (;;) {
      const { hasMore, nextDueAtMs } = await this.#parts.store.sweep();
      if (!hasMore) return nextDueAtMs;
    }
  }

  #untilNextMs(dueAtMs: number | null): number {
    const { clock } = this.#parts;
    const untilDueMs = dueAtMs === null ? Number.POSITIVE_INFINITY : dueAtMs - clock.nowMs();
    return Math.max(1, Math.min(untilDueMs, clock.untilWakeMs() ?? Number.POSITIVE_INFINITY));
  }

  async #retain(): Promise<void> {
    while ((await this.#parts.store.retain()).hasMore);
  }
}
