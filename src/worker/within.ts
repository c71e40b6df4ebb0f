/** Waiting that ends by itself. */
import type { Clock } from '../runtime/clock.ts';
import { atTurnEnd } from '../runtime/turn.ts';

/**
 * Waits for `end`, at most `ms`, and at most `hurryMs` once everybody is to hurry. Also then whatever can end in this turn of the
 * event loop has done so: a handler that stops as soon as it is told has stopped before another worker gets its job.
 */
export async function within(clock: Clock, hurry: AbortSignal, ms: number, end: Promise<unknown>, hurryMs = 0): Promise<void> {
  const over = new AbortController();
  const finish = (): void => over.abort();
  const hurried = (): void => void clock.sleep(hurryMs, over.signal).then(finish);
  void end.then(finish);
  if (hurry.aborted) hurried();
  hurry.addEventListener('abort', hurried, { signal: over.signal });
  await clock.sleep(ms, over.signal);
  over.abort();
  await new Promise<void>(atTurnEnd);
}
