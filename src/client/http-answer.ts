/** Reads one answer of HTTP/1.1 (RFC 9112) out of the bytes of a connection, in whatever pieces they come. */
import { type BodyReader, ChunkedBody, EndlessBody, MeasuredBody } from './http-body.ts';
import { unreadable } from './transport.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** How long the connection may rest until it is used again, in milliseconds, as far as the server tells; 0 where it may not be. */
  readonly restMs: number;
}

/** As of a head: names in lower case, values of one name joined by commas. */
type Fields = ReadonlyMap<string, string>;

interface Head {
  readonly status: number;
  readonly fields: Fields;
  /** Of a server that keeps connections. */
  readonly restMs: number;
}

/** Beyond it a head is refused, as Node does by itself. */
const HEAD_BYTES_MAX = 16_384;
const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const FIELD_LINE = /^([!#$%&'*+\-.^`|~\w]+):[ \t]*(.*?)[ \t]*$/;
/** A value that goes on in the next line (RFC 9112, section 5.2). */
const FOLD = /\r\n[ \t]+/g;
/** Before the server would close the connection, by what it tells. */
const MARGIN_MS = 1_000;

export class AnswerReader {
  /** As much of the head as came before it is whole. */
  #begun: Buffer | null = null;
  #head: Head | null = null;
  #body: BodyReader | null = null;

  /** The answer once it is whole, null before. Throws a TransportFault where it is none. */
  take(piece: Buffer): HttpAnswer | null {
    let rest: Buffer | null = piece;
    while (this.#body === null) {
      rest = this.#takeHead(rest);
      if (rest === null) return null;
    }
    const beyond = this.#body.take(rest);
    if (beyond === null) return null;
    return this.#answer(this.#body, beyond.length === 0);
  }

  /** The answer where the end of the connection is also its own, else null. */
  end(): HttpAnswer | null {
    return this.#body?.endsWithConnection === true ? this.#answer(this.#body, false) : null;
  }

  #answer({ pieces }: BodyReader, mayRest: boolean): HttpAnswer {
    const { status, fields, restMs } = this.#head as Head;
    const [first] = pieces;
    const bytes = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
    return { status, retryAfter: fields.get('retry-after'), text: bytes.toString(), restMs: mayRest ? restMs : 0 };
  }

  /** What comes after the head; null where it goes on. Heads before the final one say nothing that is needed here. */
  #takeHead(piece: Buffer): Buffer | null {
    const bytes = this.#begun === null ? piece : Buffer.concat([this.#begun, piece]);
    const end = bytes.indexOf(HEAD_END);
    if ((end === -1 ? bytes.length : end) > HEAD_BYTES_MAX) throw unreadable('the head of the answer is too long');
    this.#begun = end === -1 ? bytes : null;
    if (end === -1) return null;
    const head = readHead(bytes.toString('latin1', 0, end));
    if (head.status === 101) throw unreadable('the answer is another protocol');
    if (head.status >= 200) [this.#head, this.#body] = [head, bodyOf(head)];
    return bytes.subarray(end + HEAD_END.length);
  }
}

function readHead(text: string): Head {
  const [statusLine = '', ...lines] = (text.includes('\r\n ') || text.includes('\r\n\t') ? text.replace(FOLD, ' ') : text).split('\r\n');
  const [, minor, status] = STATUS_LINE.exec(statusLine) ?? [];
  if (status === undefined) throw unreadable('the answer is no HTTP/1.1');
  const fields = fieldsOf(lines);
  return { status: Number(status), fields, restMs: restMsOf(fields, minor === '1') };
}

function fieldsOf(lines: readonly string[]): Fields {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value] = FIELD_LINE.exec(line) ?? [];
    if (value === undefined) throw unreadable('a line in the head of the answer is no header');
    const before = fields.get(name.toLowerCase());
    fields.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}

/** RFC 9112, section 9.3, and the parameter by which most servers tell how long they keep a connection that rests. */
function restMsOf(fields: Fields, keepsByDefault: boolean): number {
  const options = (fields.get('connection') ?? '')
    .toLowerCase()
    .split(',')
    .map((option) => option.trim());
  if (options.includes('close') || (!keepsByDefault && !options.includes('keep-alive'))) return 0;
  const [, seconds] = /(?:^|[ \t,])timeout=(\d{1,9})/i.exec(fields.get('keep-alive') ?? '') ?? [];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(seconds) * 1_000 - MARGIN_MS);
}

/** RFC 9112, section 6.3. An answer that tells two lengths may hide one in another, and is refused. */
function bodyOf({ status, fields }: Head): BodyReader {
  if (status === 204 || status === 304) return new MeasuredBody(0);
  const [coding, length] = [fields.get('transfer-encoding'), fields.get('content-length')];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw unreadable('the answer has no certain end');
    return new ChunkedBody();
  }
  if (length === undefined) return new EndlessBody();
  if (!/^\d{1,15}$/.test(length)) throw unreadable('the answer has no certain length');
  return new MeasuredBody(Number(length));
}
