/** Numbers, spans and sizes as a person reads them. */

const whole = new Intl.NumberFormat('en');
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

/** "1 job", "34 jobs". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A count that may have stopped: "at least 10,000". */
export function cappedCount({ value, exact }: { readonly value: number; readonly exact: boolean }): string {
  return exact ? count(value) : `at least ${count(value)}`;
}

export function rate(perSecond: number): string {
  if (perSecond === 0) return '0';
  return perSecond >= 100 ? whole.format(Math.round(perSecond)) : oneDigit.format(perSecond);
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** "0.8s", "42s", "6m 12s", "2h 03m", "9d 1h": two units at most. */
export function span(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 0) return `-${span(-seconds)}`;
  if (seconds < 0.001) return '0s';
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1_000))}ms`;
  if (seconds < 10) return `${oneDigit.format(seconds)}s`;
  const rounded = Math.round(seconds);
  const index = UNITS.findIndex(([, size]) => rounded >= size);
  const [unit, size] = UNITS[index] ?? ['s', 1];
  const smaller = UNITS[index + 1];
  const main = `${Math.floor(rounded / size)}${unit}`;
  if (smaller === undefined) return main;
  const rest = Math.floor((rounded % size) / smaller[1]);
  return rest === 0 ? main : `${main} ${String(rest).padStart(smaller[0] === 'h' ? 1 : 2, '0')}${smaller[0]}`;
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576 ? `${oneDigit.format(size / 1_024)} KiB` : `${oneDigit.format(size / 1_048_576)} MiB`;
}

/** The instant with its zone, as a person writes it down. */
export function instant(atMs: number, isUtc: boolean): string {
  return new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
    ...(isUtc && { timeZone: 'UTC' }),
  }).format(atMs);
}

/** The time of day with seconds; with the day where that is another one than now's. */
export function clockTime(atMs: number, nowMs: number, isUtc: boolean): string {
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const day = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: '2-digit', ...zone });
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', ...zone }).format(atMs);
  return day.format(atMs) === day.format(nowMs)
    ? time
    : `${new Intl.DateTimeFormat('en-GB', { month: 'short', day: '2-digit', ...zone }).format(atMs)} ${time}`;
}
