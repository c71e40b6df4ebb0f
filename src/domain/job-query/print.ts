/** A query as text, which parses back to the same query. */
import { type JobQuery, type Moment, type Term } from './query.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

const BARE_VALUE = /^[^\s,"*]+$/u;
const BARE_KEY = /^[^\s,"*=]+$/u;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const value = (text: string): string => (BARE_VALUE.test(text) ? text : quoted(text));

/** A whole number of the largest unit that it is made of: `90m`, `7d`, `0s`. */
export function printSpan(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

function printMoment(moment: Moment): string {
  if ('atMs' in moment) return new Date(moment.atMs).toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z');
  const { fromNowSeconds } = moment;
  if (fromNowSeconds === 0) return 'now';
  return `now${fromNowSeconds < 0 ? '-' : '+'}${printSpan(Math.abs(fromNowSeconds))}`;
}

export function printTerm(term: Term): string {
  switch (term.field) {
    case 'tag':
      return `tag:${BARE_KEY.test(term.key) ? term.key : quoted(term.key)}=${term.value === '' ? '' : value(term.value)}`;
    case 'age':
      return `age${term.side}${printSpan(term.seconds)}`;
    case 'created':
    case 'finished':
    case 'run':
      return `${term.field}${term.side}${printMoment(term.moment)}`;
    default:
      return `${term.field}:${term.values.map(value).join(',')}`;
  }
}

export function printJobQuery({ terms, sort }: JobQuery): string {
  return [...terms.map(printTerm), ...(sort === 'newest' ? [] : [`sort:${sort}`])].join(' ');
}
