/** Lengths of time and instants, as a query writes them. */
import { parseDateTime } from '../instant.ts';
import type { Moment } from './query.ts';
import { SPAN_SECONDS_MAX } from './rules.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of `30s`, `15m`, `1h` or `7d`; null where it is no such text. */
export function parseSpan(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,10})([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN);
  return seconds <= SPAN_SECONDS_MAX ? seconds : null;
}

/** A day (from its beginning in UTC), an instant with its zone, or `now`, `now-15m`, `now+1h`; null where it is none of them. */
export function parseMoment(text: string): Moment | null {
  const [, sign, span] = /^now(?:([+-])(.+))?$/.exec(text) ?? [];
  if (text === 'now') return { fromNowSeconds: 0 };
  if (span !== undefined) {
    const seconds = parseSpan(span);
    return seconds === null ? null : { fromNowSeconds: sign === '-' && seconds > 0 ? -seconds : seconds };
  }
  const atMs = parseDateTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return atMs === null ? null : { atMs };
}
