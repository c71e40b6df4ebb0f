/** One keep-alive connection of HTTP/1.1 on a bare socket: the cheapest client there is, so that the server is the one that is measured. */
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}
type OnAnswer = (error: Error | null, answer: HttpAnswer | null) => void;

/** A server closes connections that rest for five seconds: one that is used just then would be reset. */
const REST_MS_MAX = 4_000;

const HEADER_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

export class HttpConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;
  #received: Buffer | null = null;
  #onAnswer: OnAnswer | null = null;
  #answeredMs = 0;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** One request at a time. An idle connection that the server closed, or is about to, is opened again. */
  send(request: Buffer, onAnswer: OnAnswer): void {
    if (performance.now() - this.#answeredMs > REST_MS_MAX) this.#leave();
    this.#onAnswer = onAnswer;
    (this.#socket ?? this.#open()).write(request);
  }

  close(): void {
    this.#onAnswer = null;
    this.#socket?.destroy();
  }

  /** What becomes of the socket is nobody's business any more. */
  #leave(): void {
    this.#socket?.removeAllListeners();
    this.#socket?.on('error', () => {});
    this.#socket?.destroy();
    this.#socket = null;
    this.#received = null;
  }

  #open(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the server closed the connection instead of answering')));
    this.#socket = socket;
    return socket;
  }

  #end(error: Error): void {
    this.#socket = null;
    this.#received = null;
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.(error, null);
  }

  #take(chunk: Buffer): void {
    const received = this.#received === null ? chunk : Buffer.concat([this.#received, chunk]);
    const answer = wholeAnswer(received);
    this.#received = answer === null ? received : null;
    if (answer === null) return;
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    this.#answeredMs = performance.now();
    onAnswer?.(null, answer);
  }
}

/** Null where something is still to come. */
function wholeAnswer(received: Buffer): HttpAnswer | null {
  const headerEnd = received.indexOf(HEADER_END);
  if (headerEnd === -1) return null;
  const header = received.toString('latin1', 0, headerEnd);
  const status = Number(header.slice(9, 12));
  const start = headerEnd + HEADER_END.length;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
  if (length === undefined) return received.indexOf(LAST_CHUNK, start) === -1 ? null : { status, body: joined(received, start) };
  return received.length < start + Number(length) ? null : { status, body: received.subarray(start) };
}

/** The chunks of a chunked body, put together. */
function joined(received: Buffer, start: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    const length = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(received.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}

export interface RequestParts {
  readonly method?: 'POST' | 'GET';
  readonly path?: string;
  readonly body?: string;
  readonly tenant?: string;
  /** The API key that signs it. */
  readonly key?: string;
}

/** The bytes of a request. */
export function requestBytes({ method = 'POST', path = '/graphql', body = '', tenant, key }: RequestParts): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept: application/json'];
  if (method === 'POST') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  if (tenant !== undefined) lines.push(`x-leasequeue-tenant: ${tenant}`);
  if (key !== undefined) lines.push(`authorization: Bearer ${key}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
