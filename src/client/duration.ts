/** Lengths of time as people write them in code. */
import { LeaseQueueError } from './errors.ts';

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS_MS;

/** Milliseconds as a number, or text such as `500ms`, `30s`, `10m`, `2h` or `1d`. */
export type Duration = number | `${number}${Unit}`;

const TEXT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Throws BAD_SETTINGS where it is no length of time. */
export function durationMs(duration: Duration): number {
  const [, count, unit] = TEXT.exec(String(duration)) ?? [];
  const ms = typeof duration === 'number' ? duration : Math.round(Number(count) * UNITS_MS[unit as Unit]);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new LeaseQueueError({
    code: 'BAD_SETTINGS',
    message: `${JSON.stringify(duration)} is no length of time: use milliseconds, or text such as "30s", "10m" or "1d".`,
  });
}

/** Whole seconds, as the wire has them; a part of one counts as one. */
export function durationSeconds(duration: Duration): number {
  return Math.ceil(durationMs(duration) / 1_000);
}
