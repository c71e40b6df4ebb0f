/** When a job may first run, as an instant. */
import type { Start } from '../../domain/idempotency.ts';

/** Null where nothing was said; a past instant means now. */
export function startMs(start: Start | null, nowMs: number): number | null {
  if (start === null) return null;
  return 'atMs' in start ? Math.max(start.atMs, nowMs) : nowMs + start.inSeconds * 1000;
}
