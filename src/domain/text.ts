/** What short texts that people choose may hold. Length is counted in characters: one beyond the basic plane counts once. */
import { LIMITS, NAME_PATTERN } from './limits.ts';

export interface TextRule {
  readonly min: number;
  readonly max: number;
  readonly pattern: RegExp;
  /** What it consists of, after "must be 1 to 64 ". */
  readonly words: string;
}

export const NO_CONTROL = /^\P{Cc}*$/u;

/** Of queues and tasks. */
export const NAME: TextRule = {
  min: 1,
  max: LIMITS.nameCharactersMax,
  pattern: NAME_PATTERN,
  words: 'characters: a letter or digit, then letters, digits, ".", "_", ":" and "-"',
};
/** Of tenants and keys, for people. */
export const DISPLAY_NAME: TextRule = {
  min: 1,
  max: LIMITS.displayNameCharactersMax,
  pattern: NO_CONTROL,
  words: 'characters, none of them a control character',
};

export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** The text without the slashes at its end. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

export function followsRule(text: string, { min, max, pattern }: TextRule): boolean {
  return text.isWellFormed() && hasLength(text, min, max) && (text === '' || pattern.test(text));
}

/** What to send instead of a text that does not follow the rule. */
export function ruleMessage({ min, max, words }: TextRule): string {
  return `must be ${min} to ${max} ${words}`;
}

/** Short text, which most is, is measured without looking at each of its characters. */
function hasLength(text: string, min: number, max: number): boolean {
  if (min <= 1 && text.length <= max) return text.length >= min;
  const characterCount = countCharacters(text);
  return characterCount >= min && characterCount <= max;
}
