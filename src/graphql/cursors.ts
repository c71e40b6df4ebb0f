/**
 * Cursors: opaque, versioned, bound to their tenant and to the list (with its order) that gave them out. Whatever is not
 * exactly what was given out is INVALID_CURSOR.
 */
import { LIMITS } from '../domain/limits.ts';
import type { TenantId } from '../domain/job.ts';
import type { LogPosition, PageKey } from '../store/requests.ts';
import { invalidCursor } from './outcome.ts';

const VERSION = 1;
const EVENTS = 'events';
const VALUES_MAX = 4;
const VALUE_CHARACTERS_MAX = 128;
const UNPAIRED_OR_NUL = /[\0\p{Cs}]/u;

const textOf = (tenant: TenantId, list: string, values: PageKey): string =>
  Buffer.from(JSON.stringify([VERSION, tenant, list, ...values])).toString('base64url');

function isValue(value: unknown): value is string | number {
  if (typeof value === 'string') return value.length <= VALUE_CHARACTERS_MAX && !UNPAIRED_OR_NUL.test(value);
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Where a cursor of this list points to. Throws INVALID_CURSOR, which names the argument. */
export function readCursor(cursor: string, tenant: TenantId, list: string, argument: string): PageKey {
  if (cursor.length > LIMITS.cursorCharactersMax) throw invalidCursor(argument);
  const [, , , ...values] = parsed(cursor);
  if (values.length === 0 || values.length > VALUES_MAX || !values.every(isValue)) throw invalidCursor(argument);
  // Written again it must be the same text: other spellings, versions, tenants and lists are not.
  if (textOf(tenant, list, values) !== cursor) throw invalidCursor(argument);
  return values;
}

export function writeCursor(tenant: TenantId, list: string, key: PageKey): string {
  return textOf(tenant, list, key);
}

export function writeEventCursor(tenant: TenantId, { epoch, seq }: LogPosition): string {
  return textOf(tenant, EVENTS, [epoch, seq]);
}

/** A place in the tenant's event log, or null where no cursor was given. Throws INVALID_CURSOR. */
export function readEventCursor(cursor: string | null | undefined, tenant: TenantId, argument: string): LogPosition | null {
  if (cursor === null || cursor === undefined) return null;
  const [epoch, seq, ...others] = readCursor(cursor, tenant, EVENTS, argument);
  if (typeof epoch !== 'string' || typeof seq !== 'number' || seq < 0 || !Number.isInteger(seq) || others.length > 0) throw invalidCursor(argument);
  return { epoch, seq };
}
