/** The text of a query in its pieces: words, marks and values, each with its place. */
import { NoQuery } from './fault.ts';

/** A value: plain and quoted parts, joined. */
export interface Piece {
  readonly at: number;
  readonly text: string;
  /** Where the first `=` outside quotes is in `text`; -1 where there is none. */
  readonly equalsAt: number;
}

const SPACE = /\s/u;

export class Scanner {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on to the next term; false at the end. */
  next(): boolean {
    while (SPACE.test(this.here)) this.at += 1;
    return this.here !== '';
  }

  /** The character at hand; the empty text at the end. */
  get here(): string {
    return this.#text[this.at] ?? '';
  }

  /** Everything up to the next space. */
  get rest(): string {
    return /^\S*/u.exec(this.#text.slice(this.at))?.[0] ?? '';
  }

  /** The name of a field, maybe empty. */
  word(): string {
    const [word] = /^[\p{L}\p{N}._]*/u.exec(this.#text.slice(this.at)) ?? [''];
    this.at += word.length;
    return word;
  }

  take(): string {
    const taken = this.here;
    this.at += 1;
    return taken;
  }

  /** Values with commas between them. */
  list(): readonly Piece[] {
    const pieces = [this.piece()];
    while (this.here === ',') {
      this.at += 1;
      pieces.push(this.piece());
    }
    return pieces;
  }

  piece(): Piece {
    const at = this.at;
    let text = '';
    let equalsAt = -1;
    while (this.here !== '' && this.here !== ',' && !SPACE.test(this.here)) {
      if (this.here === '*') throw new NoQuery(this.at, 'There are no wildcards: name the whole value. Put it in quotes where it holds a star.');
      if (this.here === '=' && equalsAt === -1) equalsAt = text.length;
      text += this.here === '"' ? this.#quoted() : this.take();
    }
    return { at, text, equalsAt };
  }

  #quoted(): string {
    const at = this.at;
    this.at += 1;
    let text = '';
    while (this.here !== '"') {
      if (this.here === '\\') this.at += 1;
      if (this.here === '') throw new NoQuery(at, 'This quote is not closed.', ['"']);
      text += this.take();
    }
    this.at += 1;
    return text;
  }
}
