/**
 * The pieces that inputs are checked with, all numbers from LIMITS, and the one way to check: every fault is reported,
 * and no message holds a value. GraphQL has checked names and kinds before; a null is an absent value.
 */
import { z } from 'zod';
import { canonicalJson, jsonFault, utf8Bytes } from '../domain/json.ts';
import { LIMITS, VISIBLE_ASCII_PATTERN, VISIBLE_PATTERN } from '../domain/limits.ts';
import { countCharacters, DISPLAY_NAME, followsRule, NAME, NO_CONTROL, ruleMessage, type TextRule } from '../domain/text.ts';
import { badInput, type Issue, payloadTooLarge } from './outcome.ts';

type Path = Issue['path'];

/** An issue that lets the others of its input be found too. */
const FOUND = { code: 'custom', continue: true } as const;
/** An issue about size. */
const TOO_LARGE = { ...FOUND, params: { tooLarge: true } } as const;

function isTooLarge(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['tooLarge'] === true;
}

/** A step of a path; keys of a payload may be of any length. */
function step(key: PropertyKey): string | number {
  if (typeof key === 'number') return key;
  const text = String(key);
  return text.length <= LIMITS.nameCharactersMax ? text : '…';
}

function asIssue({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>, prefix: Path): Issue {
  return { path: [...prefix, ...path.map(step)], message };
}

/**
 * What `schema` makes of `value`. Throws BAD_USER_INPUT with every issue, those of `more` included, or PAYLOAD_TOO_LARGE
 * where size is all that is wrong. `path` leads to the value, and so do the paths of `more` from there.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path, more: readonly Issue[] = []): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success && more.length === 0) return result.data;
  const found = result.error?.issues ?? [];
  const issues = [...found.map((issue) => asIssue(issue, path)), ...more.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))];
  throw more.length === 0 && found.every(isTooLarge) ? payloadTooLarge(issues) : badInput(issues);
}

/** Throws BAD_USER_INPUT with the issues, if there is one. `path` leads to the value, and theirs go on from there. */
export function requireNone(issues: readonly Issue[], path: Path): void {
  if (issues.length > 0) throw badInput(issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
}

/** An optional input: null where it is absent or null. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null);
}

/** The entries that say something: null is an absent value. */
export function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}

/** A whole number of `min` to `max`, both included; GraphQL has checked that it is whole. */
export function whole(min: number, max: number) {
  return z.number().refine((value) => value >= min && value <= max, `must be ${min} to ${max}`);
}

function ruled(rule: TextRule) {
  return z.string().refine((given) => followsRule(given, rule), ruleMessage(rule));
}

/** Text of `min` to `max` characters that all match. */
function characters(min: number, max: number, pattern: RegExp, words: string) {
  return ruled({ min, max, pattern, words });
}

const NO_NUL = /^[^\0]*$/u;

export const name = ruled(NAME);
export const workerId = characters(1, LIMITS.workerIdCharactersMax, VISIBLE_PATTERN, 'visible characters, without spaces');
export const idempotencyKey = characters(1, LIMITS.idempotencyKeyCharactersMax, VISIBLE_ASCII_PATTERN, 'visible ASCII characters');
export const requestId = characters(1, LIMITS.requestIdCharactersMax, VISIBLE_ASCII_PATTERN, 'visible ASCII characters');
export const concurrencyKey = characters(1, LIMITS.concurrencyKeyCharactersMax, NO_CONTROL, 'characters, none of them a control character');
export const displayName = ruled(DISPLAY_NAME);
export const reason = characters(0, LIMITS.reasonCharactersMax, NO_NUL, 'characters of well-formed text');
/** Compared by the store only: any text is asked for, and most of it not found. */
export const jobId = z.string();
export const deadLetterGroupId = z.string();

export const priority = whole(LIMITS.priorityMin, LIMITS.priorityMax);
export const maxAttempts = whole(LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax);
export const retryBaseSeconds = whole(LIMITS.retryBaseSecondsMin, LIMITS.retryBaseSecondsMax);
export const retryMaxSeconds = whole(LIMITS.retryMaxSecondsMin, LIMITS.retryMaxSecondsMax);
export const leaseSeconds = whole(LIMITS.leaseSecondsMin, LIMITS.leaseSecondsMax);
export const afterSeconds = whole(0, LIMITS.afterSecondsMax);

/** A list of `min` to `max` items. */
export function list<Item extends z.ZodType>(item: Item, min: number, max: number) {
  return z.array(item).refine((items) => items.length >= min && items.length <= max, `must hold ${min} to ${max} items`);
}

/** Values of a filter's field. An empty list matches nothing. */
export function filterValues<Item extends z.ZodType>(item: Item) {
  return list(item, 0, LIMITS.filterValuesMax).nullish();
}

const tag = z.object({
  key: characters(1, LIMITS.nameCharactersMax, NO_CONTROL, 'characters, none of them a control character'),
  value: characters(0, LIMITS.tagValueCharactersMax, NO_CONTROL, 'characters, none of them a control character'),
});
export const tagList = list(tag, 0, LIMITS.tagsMax);
export const tags = tagList.refine((pairs) => new Set(pairs.map(({ key }) => key)).size === pairs.length, 'must not hold a key twice');

/** Of one UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

/** JSON of at most `bytesMax` bytes in canonical form, as that text. */
export function json(bytesMax: number) {
  return z.unknown().transform((value, context) => {
    const fault = jsonFault(value, LIMITS.jsonDepthMax);
    if (fault !== null) {
      context.addIssue({ ...FOUND, path: [...fault.path], message: fault.message });
      return z.NEVER;
    }
    const text = canonicalJson(value);
    if (text.length * UTF8_BYTES_MAX <= bytesMax) return text;
    const bytes = utf8Bytes(text);
    if (bytes <= bytesMax) return text;
    context.addIssue({ ...TOO_LARGE, message: `has ${bytes} bytes as JSON, the limit is ${bytesMax}` });
    return z.NEVER;
  });
}
export const payload = json(LIMITS.payloadBytesMax);

/** Text of a progress note: over its limit it is too large rather than wrong. */
export const note = z.string().transform((text, context) => {
  const found = countCharacters(text);
  if (!text.isWellFormed() || !NO_NUL.test(text)) context.addIssue({ ...FOUND, message: 'must be well-formed text without the NUL character' });
  else if (found > LIMITS.progressNoteCharactersMax) {
    const message = `has ${found} characters, the limit is ${LIMITS.progressNoteCharactersMax}`;
    context.addIssue({ ...TOO_LARGE, message });
  }
  return text;
});

export interface StartShape {
  readonly at?: number | null | undefined;
  readonly inSeconds?: number | null | undefined;
}

export const start = z
  .object({ at: z.number().nullish(), inSeconds: whole(0, LIMITS.startAheadSecondsMax).nullish() })
  .transform(({ at, inSeconds }) => (typeof at === 'number' ? { atMs: at } : { inSeconds: inSeconds ?? 0 }));

/** What the schema of a start cannot see, having no clock: an instant too far ahead. For `more` of parseInput. */
export function startIssues(given: StartShape | null | undefined, nowMs: number, path: Path): readonly Issue[] {
  const at = given?.at;
  if (typeof at !== 'number' || at <= nowMs + LIMITS.startAheadSecondsMax * 1000) return [];
  return [{ path: [...path, 'at'], message: `must be at most ${LIMITS.startAheadSecondsMax} seconds ahead` }];
}

/** The cap of the retry delay must not be below its base, each being the given value or the schema's default. */
export function isRetryOrdered(given: {
  readonly retryBaseSeconds?: number | null | undefined;
  readonly retryMaxSeconds?: number | null | undefined;
}): boolean {
  return (given.retryMaxSeconds ?? LIMITS.retryMaxSecondsDefault) >= (given.retryBaseSeconds ?? LIMITS.retryBaseSecondsDefault);
}
export const RETRY_UNORDERED = { path: ['retryMaxSeconds'], error: 'must not be below retryBaseSeconds' };
