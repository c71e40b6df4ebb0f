/** Waiting that ends. */
import type { Clock } from '../runtime/clock.ts';

/** The value of a promise, or `late` if it takes longer; the promise itself goes on. Rejects as the promise does. */
export async function within<Value>(work: Promise<Value>, ms: number, clock: Pick<Clock, 'sleep'>): Promise<{ readonly value: Value } | 'late'> {
  const waiting = new AbortController();
  try {
    return await Promise.race([work.then((value) => ({ value })), clock.sleep(ms, waiting.signal).then(() => 'late' as const)]);
  } finally {
    waiting.abort();
  }
}
