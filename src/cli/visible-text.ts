/**
 * Text of unknown origin, such as the error of a job, as a terminal may have it: what would move the cursor, change
 * colours or turn the writing round is shown as a code, and does nothing.
 */

/** Control characters, and those that change the direction or the order of what is read. */
const DANGEROUS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const DANGEROUS_BUT_LINES = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function code(character: string): string {
  const hex = character.codePointAt(0)?.toString(16) ?? '';
  return NAMES[character] ?? (hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}

/** In one line. */
export function visible(text: string): string {
  return text.replaceAll(DANGEROUS, code);
}

/** The same in lines. */
export function visibleLines(text: string): string {
  return text.replaceAll(DANGEROUS_BUT_LINES, code);
}

/** The same for the text of a JSON document: the value stays what it is. */
export function visibleJson(json: string): string {
  return json.replaceAll(DANGEROUS_BUT_LINES, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
