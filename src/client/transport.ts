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

export interface EndpointParts {
  /** The GraphQL endpoint. */
  readonly endpoint: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What to throw for what a connection threw. */
export function faultOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : lostBy(error, true);
}

/** For a connection that failed, which had been there or not. */
export function lostBy(error: unknown, wasThere: boolean): TransportFault {
  const code = codeOf(error);
  return new TransportFault(code ?? 'the connection failed', wasThere && (code === null || !NOT_SENT.includes(code)), error);
}

/** For bytes that are not what the protocol asks for. */
export function unreadable(what: string): TransportFault {
  return new TransportFault(what, true, null);
}

/** Of the innermost cause that has one. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const inner = error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
  if (inner !== null) return inner;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function retryAfterSeconds(header: string | null | undefined): number | null {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
