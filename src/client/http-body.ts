/** The three ways in which HTTP/1.1 tells where a body ends (RFC 9112, section 6). */
import { unreadable } from './transport.ts';

/** Takes a body piece by piece, and keeps what is of the body. */
export interface BodyReader {
  readonly pieces: readonly Buffer[];
  /** True: the body also ends where the connection does. */
  readonly endsWithConnection: boolean;
  /** What is beyond the end of the body; null where the body goes on. Throws a TransportFault. */
  take(piece: Buffer): Buffer | null;
}

/** Of a length that was told before. */
export class MeasuredBody implements BodyReader {
  readonly pieces: Buffer[] = [];
  readonly endsWithConnection = false;
  #missing: number;

  constructor(length: number) {
    this.#missing = length;
  }

  take(piece: Buffer): Buffer | null {
    if (piece.length < this.#missing) {
      this.#missing -= piece.length;
      this.pieces.push(piece);
      return null;
    }
    this.pieces.push(piece.subarray(0, this.#missing));
    return piece.subarray(this.#missing);
  }
}

/** Of an answer that tells no length: everything that comes. */
export class EndlessBody implements BodyReader {
  readonly pieces: Buffer[] = [];
  readonly endsWithConnection = true;

  take(piece: Buffer): null {
    this.pieces.push(piece);
    return null;
  }
}

/** Of one line between chunks, and of all lines after the last chunk. */
const LINE_BYTES_MAX = 16_384;
/** With extensions, which mean nothing here. Thirteen digits are less than 2^53. */
const CHUNK_LINE = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i;
const LINE_END = '\r\n';

/** In chunks, each behind a line with its length (RFC 9112, section 7.1). */
export class ChunkedBody implements BodyReader {
  readonly pieces: Buffer[] = [];
  readonly endsWithConnection = false;
  /** A line whose end is to come. */
  #begun: Buffer | null = null;
  #next: 'length' | 'data' | 'line end' | 'trailer' = 'length';
  /** Of the chunk that is being read. */
  #missing = 0;
  #trailerBytes = 0;

  take(piece: Buffer): Buffer | null {
    let rest = this.#begun === null ? piece : Buffer.concat([this.#begun, piece]);
    this.#begun = null;
    for (;;) {
      if (this.#next === 'data') {
        const data = rest.subarray(0, this.#missing);
        this.pieces.push(data);
        this.#missing -= data.length;
        rest = rest.subarray(data.length);
        if (this.#missing > 0) return null;
        this.#next = 'line end';
      }
      const end = rest.indexOf(LINE_END);
      if ((end === -1 ? rest.length : end) > LINE_BYTES_MAX) throw unreadable('a line between the chunks of the answer is too long');
      if (end === -1) {
        this.#begun = rest;
        return null;
      }
      const line = rest.toString('latin1', 0, end);
      rest = rest.subarray(end + LINE_END.length);
      if (this.#isLast(line)) return rest;
    }
  }

  /** Takes a line, and answers whether it ends the body. */
  #isLast(line: string): boolean {
    if (this.#next === 'trailer') {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > LINE_BYTES_MAX) throw unreadable('there is too much after the last chunk of the answer');
      return line === '';
    }
    if (this.#next === 'line end') {
      if (line !== '') throw unreadable('a chunk of the answer is longer than it was to be');
      this.#next = 'length';
      return false;
    }
    const [, digits] = CHUNK_LINE.exec(line) ?? [];
    if (digits === undefined) throw unreadable('a chunk of the answer has no length');
    this.#missing = Number.parseInt(digits, 16);
    this.#next = this.#missing === 0 ? 'trailer' : 'data';
    return false;
  }
}
