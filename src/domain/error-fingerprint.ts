/**
 * What two errors have in common that differ in numbers, ids, names and places only: a text, the same for both. Any text
 * is taken, and the time grows with its length alone.
 */

export interface ErrorWords {
  readonly type: string | null;
  readonly message: string;
}

/** Quotations are looked for in this much: one that is cut would not be known as one. */
const READ_CHARACTERS_MAX = 4_096;
/** Of what is left. More would be folded for nothing: it is past the end of the fingerprint. */
const FOLDED_CHARACTERS_MAX = 1_000;
/** Room for the beginning of a sentence; the rest is mostly a trace. */
export const FINGERPRINT_CHARACTERS_MAX = 300;
/** Longer ones are ids and encoded values. Names of classes are below. */
const WORD_CHARACTERS_MAX = 40;

const MARKS = { text: '<text>', url: '<url>', address: '<address>', path: '<path>', number: '#' } as const;

/** An apostrophe inside of a word does not begin a quotation. Each pattern stops at the next sign of its kind. */
const QUOTATIONS = /"[^"]*"|`[^`]*`|«[^«»]*»|“[^“”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
const SPACES = /\s+/u;
/** Of a folder, a drive or a network; behind what may stand around it. */
const PATH_BEGINS = /^[^\p{L}\p{N}~./\\]*(?:\.{0,2}\/|~\/|[A-Za-z]:[/\\])/u;
/** UUIDs, addresses of networks and machines, dates. */
const HEX_GROUPS = /(?<![\p{L}\p{N}])[0-9A-Fa-f]+(?:[-:]{1,2}[0-9A-Fa-f]+){2,}(?![\p{L}\p{N}])/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const HEX_LETTERS = /^[A-Fa-f]{8,}$/;
const DIGIT = /\p{N}/u;
/** A number with its sign, its fraction and its groups, a time, a version. */
const NUMBERS = /[-+]?#(?:[-+.,:_/]*#)*/g;

/** Of errors that the server reports itself: their messages name the worker, which may be any. */
const TYPES_OF_THE_SERVER: ReadonlySet<string | null> = new Set(['LeaseExpired', 'Released']);

/** At most `FINGERPRINT_CHARACTERS_MAX` long. */
export function errorFingerprint({ type, message }: ErrorWords): string {
  if (TYPES_OF_THE_SERVER.has(type)) return `${type}`;
  return `${type ?? ''}: ${foldedMessage(message)}`.slice(0, FINGERPRINT_CHARACTERS_MAX);
}

function foldedMessage(message: string): string {
  const unquoted = message.slice(0, READ_CHARACTERS_MAX).replace(QUOTATIONS, MARKS.text).slice(0, FOLDED_CHARACTERS_MAX);
  const chunks = unquoted.split(SPACES).map(foldedChunk);
  return chunks.filter((chunk, index) => chunk !== '' && (chunk !== chunks[index - 1] || !isMark(chunk))).join(' ');
}

/** A path with spaces, or a list of numbers, is one mark, however long. */
function isMark(chunk: string): boolean {
  return chunk === MARKS.path || chunk === MARKS.number || chunk === MARKS.text;
}

/** `chunk`: what stands between two spaces. */
function foldedChunk(chunk: string): string {
  if (chunk.includes('://')) return MARKS.url;
  if (isAddress(chunk)) return MARKS.address;
  if (isPath(chunk)) return MARKS.path;
  return chunk.replace(HEX_GROUPS, MARKS.number).replace(WORDS, foldedWord).replace(NUMBERS, MARKS.number);
}

function isAddress(chunk: string): boolean {
  const at = chunk.indexOf('@');
  return at > 0 && at < chunk.length - 1;
}

function isPath(chunk: string): boolean {
  return chunk.includes('\\') || PATH_BEGINS.test(chunk) || chunk.split('/').length > 2;
}

function foldedWord(word: string): string {
  return word.length > WORD_CHARACTERS_MAX || DIGIT.test(word) || HEX_LETTERS.test(word) ? MARKS.number : word;
}
