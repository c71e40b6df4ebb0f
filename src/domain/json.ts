/**
 * JSON without surprises: numbers that a double cannot hold keep their digits, text is well-formed Unicode, and
 * one canonical form decides size and equality.
 */

/** Why a value cannot be kept as JSON, with the path of the place. */
export interface JsonFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Node's `JSON.rawJSON` objects stand for number literals that a double would change. */
interface RawJson {
  readonly rawJSON: string;
}
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const json = JSON as unknown as JsonWithSource;

/** Begins where a number can, so that the digits of ids and tokens, which are text, are passed over. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:\d{16}|\d[\d.]*[eE])/;

/**
 * Parses JSON and keeps every number that a double would change as its digits: `JSON.stringify` of the answer writes
 * them as they came. Throws SyntaxError like `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  return json.parse(text, (_key, value, { source }) => (typeof value === 'number' && source !== undefined ? exactNumber(source, value) : value));
}

/** The number itself where a double holds the literal's value, else an object that prints the literal's digits. */
export function exactNumber(literal: string, value: number): unknown {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const isKept = /^-?\d+$/.test(literal) && BigInt(literal) === BigInt(value);
  return isKept ? value : json.rawJSON(literal);
}

export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** A value and where it is: its key in the value around it. */
interface Spot {
  readonly value: unknown;
  readonly key: string | number;
  readonly around: Spot | null;
  readonly depth: number;
}

function pathOf({ key, around }: Spot): readonly (string | number)[] {
  return around === null ? [] : [...pathOf(around), key];
}

/** First reason why `value` may not be kept, or null: too deep, text that is not well-formed, or not JSON at all. */
export function jsonFault(value: unknown, depthMax: number): JsonFault | null {
  const open: Spot[] = [{ value, key: '', around: null, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current, depth } = next;
    if (typeof current === 'string') {
      if (!current.isWellFormed()) return { path: pathOf(next), message: 'holds a lone surrogate, which is not Unicode text' };
    } else if (typeof current !== 'object' || current === null || json.isRawJSON(current)) {
      if (!isScalar(current)) return { path: pathOf(next), message: 'is not a JSON value' };
    } else {
      if (depth >= depthMax) return { path: pathOf(next).slice(0, 4), message: `is nested deeper than ${depthMax} levels` };
      if (Array.isArray(current)) for (const [key, child] of current.entries()) open.push({ value: child, key, around: next, depth: depth + 1 });
      else if (!openMembers(current, next, open)) return { path: pathOf(next), message: 'has a key with a lone surrogate, which is not Unicode text' };
    }
  }
  return null;
}

/** Adds the members of an object. False where a key is not well-formed. */
function openMembers(object: object, around: Spot, open: Spot[]): boolean {
  for (const [key, value] of Object.entries(object)) {
    if (!key.isWellFormed()) return false;
    open.push({ value, key, around, depth: around.depth + 1 });
  }
  return true;
}

/** JSON has no word for NaN and the infinities: `JSON.stringify` would make them null. */
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || Number.isFinite(value) || json.isRawJSON(value);
}

/** The canonical form: keys sorted by UTF-16 code units, no spacing. Needs a value without faults. */
export function canonicalJson(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (json.isRawJSON(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).toSorted()) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(Reflect.get(value, key))}`;
  return `{${members}}`;
}

const encoder = new TextEncoder();
/** Without the option a leading U+FEFF of the text would be dropped. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** Cuts text to at most `bytesMax` bytes of UTF-8 on a character border, the last of which then say so. */
export function cutText(text: string, bytesMax: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= bytesMax) return text;
  const mark = '… [cut]';
  const room = bytesMax - encoder.encode(mark).length;
  let end = room;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return decoder.decode(bytes.subarray(0, end)) + mark;
}
