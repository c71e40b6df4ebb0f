/** The words of one line, taken one after another, with a complaint that names the line where one does not fit. */
import { canonicalJson, parseJson } from '../../src/domain/json.ts';
import { ScenarioError } from './scenario.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A text in quotes, a JSON object or list (as one word, without spaces outside its texts), a separator, or a plain word. */
const WORD = /"(?:[^"\\]|\\.)*"|[{[](?:"(?:[^"\\]|\\.)*"|[^\s"])*|[;,]|[^\s;,]+/g;

/** Kinds of value that an option or a fact can have. */
export type ValueKind = 'flag' | 'word' | 'text' | 'integer' | 'number' | 'duration' | 'json';

export class Words {
  readonly #file: string;
  readonly #line: number;
  readonly #text: string;
  readonly #words: string[];

  constructor(file: string, line: number, text: string, part: string = text) {
    this.#file = file;
    this.#line = line;
    this.#text = text;
    this.#words = part.match(WORD) ?? [];
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  get next(): string | null {
    return this.#words[0] ?? null;
  }

  error(message: string): ScenarioError {
    return new ScenarioError(this.#file, this.#line, this.#text, message);
  }

  /** The next word, whatever it is. */
  take(what: string): string {
    const word = this.#words.shift();
    if (word === undefined) throw this.error(`${what} is missing at the end of the line`);
    return word;
  }

  /** Takes the next word if it is this one. */
  takeIf(word: string): boolean {
    if (this.#words[0] !== word) return false;
    this.#words.shift();
    return true;
  }

  require(word: string): void {
    const found = this.take(`"${word}"`);
    if (found !== word) throw this.error(`expected "${word}", found "${found}"`);
  }

  end(): void {
    if (this.next !== null) throw this.error(`did not expect "${this.next}" here`);
  }

  duration(what: string): number {
    const word = this.take(what);
    const parts = [...word.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
    if (parts.length === 0 || parts.map(([part]) => part).join('') !== word)
      throw this.error(`${what} must be a duration like 30s, 500ms or 1h30m, found "${word}"`);
    return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0));
  }

  number(what: string): number {
    const word = this.take(what);
    if (!/^-?\d+(\.\d+)?$/.test(word)) throw this.error(`${what} must be a number, found "${word}"`);
    return Number(word);
  }

  integer(what: string): number {
    const count = this.number(what);
    if (!Number.isInteger(count)) throw this.error(`${what} must be a whole number, found "${count}"`);
    return count;
  }

  quoted(what: string): string {
    const word = this.take(what);
    if (!word.startsWith('"')) throw this.error(`${what} must be a text in quotes, found "${word}"`);
    return JSON.parse(word) as string;
  }

  json(what: string): string {
    const word = this.take(what);
    try {
      return canonicalJson(parseJson(word));
    } catch {
      throw this.error(`${what} must be JSON without spaces, found "${word}"`);
    }
  }

  /** Words separated by commas. */
  list(what: string): readonly string[] {
    const items = [this.take(what)];
    while (this.takeIf(',')) items.push(this.take(`another ${what}`));
    return items;
  }

  /** Labels separated by commas; `X1..X100` stands for all of them. */
  labels(what: string): readonly string[] {
    return this.list(what).flatMap((word) => this.#range(word));
  }

  value(kind: ValueKind, what: string): string | number | true {
    switch (kind) {
      case 'flag':
        return true;
      case 'word':
        return this.take(what);
      case 'text':
        return this.quoted(what);
      case 'integer':
        return this.integer(what);
      case 'number':
        return this.number(what);
      case 'duration':
        return this.duration(what);
      case 'json':
        return this.json(what);
      default:
        return kind satisfies never;
    }
  }

  #range(word: string): readonly string[] {
    if (!/^[A-Z]/.test(word)) throw this.error(`the name of a job begins with a capital letter, found "${word}"`);
    const range = /^([A-Z][A-Za-z]*)(\d+)\.\.\1(\d+)$/.exec(word);
    if (range === null) {
      if (word.includes('..')) throw this.error(`a range is written like X1..X100, found "${word}"`);
      return [word];
    }
    const [, stem, first, last] = range;
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${stem}${Number(first) + index}`);
  }
}
