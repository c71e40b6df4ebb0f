/** The way to the server: one request and its answer, or the stream of an answer that goes on. */

export interface WireRequest {
  readonly body: string;
  readonly accept: string;
  readonly signal: AbortSignal;
}
export interface WireAnswer {
  readonly status: number;
  /** Header `Retry-After` in seconds; null where it is absent or a date. */
  readonly retryAfterSeconds: number | null;
  readonly text: string;
}
export interface WireStream {
  readonly status: number;
  readonly mediaType: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Both reject with a TransportFault where there is no answer, and with the signal's reason where that aborted. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  open(request: WireRequest): Promise<WireStream>;
}

/** No answer came. */
export class TransportFault extends Error {
  /** False: the server has certainly seen nothing of the request. */
  readonly isSent: boolean;

  constructor(message: string, isSent: boolean, cause: unknown) {
    super(message, { cause });
    this.name = 'TransportFault';
    this.isSent = isSent;
  }
}

/** Faults before the first byte of a request, by what Node calls them. */
const NOT_SENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

export interface FetchTransportOptions {
  /** The GraphQL endpoint. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

export function fetchTransport({ endpoint, headers, fetch: ask = fetch }: FetchTransportOptions): Transport {
  const request = async ({ body, accept, signal }: WireRequest): Promise<Response> => {
    try {
      return await ask(endpoint, { method: 'POST', headers: { ...headers, accept, 'content-type': 'application/json' }, body, signal, redirect: 'manual' });
    } catch (error) {
      throw faultOf(error, signal);
    }
  };
  return {
    async send(wire) {
      const response = await request(wire);
      try {
        return { status: response.status, retryAfterSeconds: retryAfterSeconds(response.headers), text: await response.text() };
      } catch (error) {
        throw faultOf(error, wire.signal);
      }
    },
    async open(wire) {
      const { status, headers: answered, body } = await request(wire);
      return { status, mediaType: answered.get('content-type') ?? '', chunks: chunksOf(body, wire.signal) };
    },
  };
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    reader.cancel().catch(() => {});
  }
}

function faultOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const code = codeOf(error);
  return new TransportFault(code ?? 'the connection failed', code === null || !NOT_SENT.includes(code), error);
}

/** Of the innermost cause that has one. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const inner = error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
  if (inner !== null) return inner;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function retryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
