/** Waiting that ends by itself. */
import type { Clock } from '../runtime/clock.ts';

/** Waits for `end`, at most `ms`, and at most `hurryMs` once everybody is to hurry. */
export async function within(clock: Clock, hurry: AbortSignal, ms: number, end: Promise<void>, hurryMs = 0): Promise<void> {
  const over = new AbortController();
  const finish = (): void => over.abort();
  const hurried = (): void => void clock.sleep(hurryMs, over.signal).then(finish);
  void end.then(finish);
  if (hurry.aborted) hurried();
  hurry.addEventListener('abort', hurried, { signal: over.signal });
  await clock.sleep(ms, over.signal);
  over.abort();
}
