/** The values of options: text from a person to what a command works with. What does not fit is wrong usage. */
import { InvalidArgumentError } from 'commander';
import { parseTenantId } from '../auth/principal.ts';
import { type Duration, durationMs } from '../client/duration.ts';
import { type Scope, SCOPES } from '../domain/access.ts';
import { parseDateTime } from '../domain/instant.ts';
import type { Tag, TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';

const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS, w: 10_080 * MINUTE_MS };

export function tenantOption(text: string): TenantId {
  const tenant = parseTenantId(text);
  if (tenant === null) throw new InvalidArgumentError(`It must be 1 to ${LIMITS.tenantCharactersMax} characters: small letters, digits and "-".`);
  return tenant;
}

/** Names with commas between them. An empty one is a mistake: no name at all would mean every queue. */
export function namesOption(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It must be names with commas between them.');
  return names;
}

/** Scopes with commas between them, in any case. */
export function scopesOption(text: string): readonly Scope[] {
  return namesOption(text).map((name) => {
    const scope = SCOPES.find((known) => known === name.toUpperCase());
    if (scope !== undefined) return scope;
    throw new InvalidArgumentError(`The scopes are ${SCOPES.join(', ')}.`);
  });
}

/** Milliseconds. */
export function spanOption(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError('It must be a number of minutes, hours, days or weeks up to 99999, such as 30m, 12h, 90d or 52w.');
  return Number(count) * unitMs;
}

/** Epoch milliseconds. */
export function instantOption(text: string): number {
  const ms = parseDateTime(text);
  if (ms === null) throw new InvalidArgumentError('It must be an instant with a zone, such as 2030-01-31T12:00:00Z.');
  return ms;
}

/** A length of time as code writes it, in milliseconds: `500ms`, `30s`, `10m`, `2h` or `1d`. */
export function durationOption(text: string): number {
  try {
    return durationMs(text === '0' ? 0 : (text as Duration));
  } catch {
    throw new InvalidArgumentError('It must be a length of time, such as 500ms, 30s, 10m, 2h or 1d.');
  }
}

/** The same in whole seconds. */
export function secondsOption(text: string): number {
  return Math.ceil(durationOption(text) / 1_000);
}

export function wholeNumberOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** An instant in the form of the API. */
export function timeOption(text: string): string {
  return new Date(instantOption(text)).toISOString();
}

/** `key=value`, once or several times. */
export function tagOption(text: string, before: readonly Tag[] = []): readonly Tag[] {
  const end = text.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('It must be key=value.');
  return [...before, { key: text.slice(0, end), value: text.slice(end + 1) }];
}

/** Some of the words, with commas between them, in any case. */
export function wordsOption<Word extends string>(words: readonly Word[]): (text: string) => readonly Word[] {
  return (text) =>
    namesOption(text).map((name) => {
      const found = words.find((word) => word === name.toUpperCase());
      if (found !== undefined) return found;
      throw new InvalidArgumentError(`It must be some of ${words.join(', ')}, with commas between them.`);
    });
}

/** The same, or the word `default`. The parser of flags takes null for no value at all. */
export function orDefaultOption(parse: (text: string) => number): (text: string) => OrDefault {
  return (text) => (text === 'default' ? text : parse(text));
}

export type OrDefault = number | 'default';

/** As the API has it: null goes back to the default. */
export function orNull(value: OrDefault): number | null {
  return value === 'default' ? null : value;
}
