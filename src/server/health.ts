/** Whether the process lives, and whether it can do its work: the database takes a write and nothing is stopping. */
import type { Clock } from '../runtime/clock.ts';
import type { StoreUpkeep } from '../store/housekeeping.ts';
import { StoreFault } from '../store/store.ts';
import { within } from './within.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Null when ready. */
  readonly reason: string | null;
}

/** A database that takes longer is of no use to whoever waits. */
const PROBE_MS_MAX = 1_000;

export class Health {
  readonly #store: Pick<StoreUpkeep, 'probe'>;
  readonly #clock: Pick<Clock, 'sleep'>;
  #closedFor: string | null = null;
  #probe: Promise<string | null> | null = null;

  constructor(store: Pick<StoreUpkeep, 'probe'>, clock: Pick<Clock, 'sleep'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** From now on it is not ready, for this reason. The first one stands. */
  close(reason: string): void {
    this.#closedFor ??= reason;
  }

  get isClosed(): boolean {
    return this.#closedFor !== null;
  }

  async readiness(): Promise<Readiness> {
    const reason = this.#closedFor ?? (await this.#writeFault());
    return { ready: reason === null, reason };
  }

  /** However many ask at once, the database is asked once. */
  async #writeFault(): Promise<string | null> {
    this.#probe ??= this.#ask().finally(() => {
      this.#probe = null;
    });
    const probed = await within(this.#probe, PROBE_MS_MAX, this.#clock);
    return probed === 'late' ? `the database did not take a write within ${PROBE_MS_MAX} ms` : probed.value;
  }

  async #ask(): Promise<string | null> {
    try {
      await this.#store.probe();
      return null;
    } catch (error) {
      return `the database does not take a write: ${error instanceof StoreFault ? error.kind : 'unexpected error'}`;
    }
  }
}
