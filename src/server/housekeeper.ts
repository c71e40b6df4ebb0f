/**
 * The clockwork of the store: recovers lapsed leases and promotes due jobs at least once a second, and removes what
 * retention no longer keeps, in small steps. An error is logged and never ends it.
 */
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { nextTurn } from '../runtime/turn.ts';
import type { StoreUpkeep, SweepReport } from '../store/housekeeping.ts';
import { StoreFault } from '../store/store.ts';

/** A store that keeps saying "due now" must not make it spin. */
const SWEEP_PAUSE_MS_MIN = 25;
const RETAIN_EVERY_MS = 5_000;
/** Between two steps of retention, so that others get in between: three times as long as the step took, which is longer where much is going on. */
const RETAIN_PAUSE_RATIO = 3;
const RETAIN_PAUSE_MS_MIN = 10;

export interface HousekeeperParts {
  readonly store: Pick<StoreUpkeep, 'sweep' | 'retain'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>;
  readonly log: Logger;
}
type Step = 'sweep' | 'retain';

export class Housekeeper {
  readonly #parts: HousekeeperParts;
  readonly #stopping = new AbortController();
  readonly #logged = new Map<Step, Set<string>>();
  #loops: Promise<unknown> = Promise.resolve();

  constructor(parts: HousekeeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loops = Promise.all([this.#sweepOnAndOn(), this.#retainOnAndOn()]);
  }

  /** Ends once the steps that are running have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loops;
  }

  async #sweepOnAndOn(): Promise<void> {
    const { store, clock } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const report = await this.#attempt('sweep', () => store.sweep());
      if (report?.hasMore === true) await nextTurn();
      else await clock.sleep(this.#sweepPauseMs(report), signal);
    }
  }

  #sweepPauseMs(report: SweepReport | null): number {
    const dueAtMs = report?.nextDueAtMs ?? null;
    if (dueAtMs === null) return LIMITS.sweepEveryMsMax;
    return Math.min(Math.max(dueAtMs - this.#parts.clock.nowMs(), SWEEP_PAUSE_MS_MIN), LIMITS.sweepEveryMsMax);
  }

  async #retainOnAndOn(): Promise<void> {
    const { store, clock } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs();
      const report = await this.#attempt('retain', () => store.retain());
      const tookMs = clock.monotonicMs() - startedMs;
      await clock.sleep(report?.hasMore === true ? Math.max(RETAIN_PAUSE_RATIO * tookMs, RETAIN_PAUSE_MS_MIN) : RETAIN_EVERY_MS, signal);
    }
  }

  /** Null where the step failed. Logs each kind of error once until the step succeeds again. */
  async #attempt<Report>(step: Step, run: () => Promise<Report>): Promise<Report | null> {
    try {
      const report = await run();
      this.#logged.delete(step);
      return report;
    } catch (error) {
      const kind = error instanceof StoreFault ? error.kind : String(error instanceof Error ? error.name : typeof error);
      const logged = this.#logged.get(step) ?? new Set();
      this.#logged.set(step, logged);
      if (!logged.has(kind) && !this.#stopping.signal.aborted) this.#parts.log.error('housekeeping failed and goes on', { step, reason: kind, error });
      logged.add(kind);
      return null;
    }
  }
}
