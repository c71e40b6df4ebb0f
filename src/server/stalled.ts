/** Looks for readers that take nothing any more, and ends them. */
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';

/** A kind of connection that can stall. */
export interface Readers {
  /** Ends those whose reader has taken nothing for `stalledMsMax`, and answers how many. */
  endStalled(nowMs: number, stalledMsMax: number): number;
}

const LOOK_EVERY_MS = 1_000;

/** Goes on until the signal aborts. */
export async function endStalledReaders(
  readers: readonly Readers[],
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal);
    const count = readers.reduce((sum, kind) => sum + kind.endStalled(clock.monotonicMs(), LIMITS.slowReaderMsMax), 0);
    if (count > 0) log.warn('readers that took nothing were ended', { count });
  }
}
