/** Times and lengths for people. Programs get what the API says. */

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
];
/** From here on the smaller unit is left out. */
const WHOLE_FROM = 10;

/** `9s`, `4m`, `2h 5m`, `12d`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const index = UNITS.findIndex(([unitSeconds]) => whole >= unitSeconds);
  const [unitSeconds, unit] = UNITS[index] ?? [1, 's'];
  const count = Math.floor(whole / unitSeconds);
  const [smallerSeconds, smaller] = index === -1 ? [1, ''] : (UNITS[index + 1] ?? [1, 's']);
  const rest = Math.floor((whole % unitSeconds) / smallerSeconds);
  return index === -1 || count >= WHOLE_FROM || rest === 0 ? `${count}${unit}` : `${count}${unit} ${rest}${smaller}`;
}

/** `3m ago`, `in 2h`, `now`. */
function ageText(instant: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(instant)) / 1_000;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds > 0 ? `${spanText(seconds)} ago` : `in ${spanText(-seconds)}`;
}

/** How a command writes its instants: short, local and with their age on a terminal, and as they came elsewhere. */
export type TimeText = (instant: string | null) => string;

export function timesFor(isTerminal: boolean, nowMs: number): TimeText {
  return (instant) => (instant === null ? '-' : isTerminal ? `${localText(instant, nowMs)} (${ageText(instant, nowMs)})` : instant);
}

/** Without the day where that is today. */
function localText(instant: string, nowMs: number): string {
  const [then, now] = [new Date(Date.parse(instant)), new Date(nowMs)];
  const day = `${then.getFullYear()}-${twoDigits(then.getMonth() + 1)}-${twoDigits(then.getDate())}`;
  return then.toDateString() === now.toDateString() ? clockText(then) : `${day} ${clockText(then)}`;
}

/** Local time of day. */
export function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** `1 job`, `2 jobs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
