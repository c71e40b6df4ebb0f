/** The values of options: text from a person to what a command works with. What does not fit is wrong usage. */
import { InvalidArgumentError } from 'commander';
import { parseTenantId } from '../auth/principal.ts';
import { type Scope, SCOPES } from '../domain/access.ts';
import { parseDateTime } from '../domain/instant.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { serverUrl } from './connection.ts';

const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS, w: 10_080 * MINUTE_MS };

export function tenantOption(text: string): TenantId {
  const tenant = parseTenantId(text);
  if (tenant === null) throw new InvalidArgumentError(`It must be 1 to ${LIMITS.tenantCharactersMax} characters: small letters, digits and "-".`);
  return tenant;
}

/** An address of a server, in the form in which it is used. */
export function urlOption(text: string): string {
  const url = serverUrl(text);
  if (url === null) throw new InvalidArgumentError('It must be http:// or https:// with a host, and without a user, a query or a fragment.');
  return url;
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
