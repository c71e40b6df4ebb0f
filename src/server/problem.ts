/** Answers that refuse a request before GraphQL sees it, in the shape of a GraphQL error all the same. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { StoreFault } from '../store/store.ts';
import { lately } from './lately.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export const PROBLEMS = {
  notFound: { status: 404, code: 'NOT_FOUND', message: 'Nothing lives at this address. The API is at /graphql.' },
  onlyGet: { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'This address answers GET only.', headers: { allow: 'GET, HEAD' } },
  onlyGetAndPost: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'GraphQL takes POST, and GET for queries and event streams.',
    headers: { allow: 'GET, POST' },
  },
  notJson: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body has to be application/json in UTF-8.' },
  encoded: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'The body has to be sent as it is, without a content encoding.',
    headers: { 'accept-encoding': 'identity' },
  },
  notAcceptable: {
    status: 406,
    code: 'NOT_ACCEPTABLE',
    message: 'Answers are application/graphql-response+json or application/json, and event streams text/event-stream: accept one of them.',
  },
  badJson: { status: 400, code: 'BAD_REQUEST', message: 'The body is not JSON.' },
  batch: { status: 400, code: 'BAD_REQUEST', message: 'One request holds one operation: a list of them is not taken.' },
  notObject: { status: 400, code: 'BAD_REQUEST', message: 'The body has to be a JSON object with `query`, and maybe `variables` and `operationName`.' },
  unknownParameter: {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'The body may have `query`, `variables`, `operationName` and `extensions`, and nothing else.',
  },
  badOperationName: { status: 400, code: 'BAD_REQUEST', message: '`operationName` has to be a text.' },
  badText: { status: 400, code: 'BAD_REQUEST', message: 'The body is not UTF-8.' },
  badParameter: { status: 400, code: 'BAD_REQUEST', message: 'The parameters `variables` and `extensions` of the address have to be JSON.' },
  badHost: { status: 400, code: 'BAD_REQUEST', message: 'The Host header is not a host.', headers: { connection: 'close' } },
  incomplete: { status: 400, code: 'BAD_REQUEST', message: 'The body ended before it was complete.' },
  notHttp: { status: 400, code: 'BAD_REQUEST', message: 'The request is not HTTP.' },
  expectation: { status: 417, code: 'BAD_REQUEST', message: 'The header Expect can only ask for 100-continue.' },
  foreignName: {
    status: 403,
    code: 'FORBIDDEN',
    message:
      'Without authentication this server answers to names of the loopback only, such as localhost, because a page of another site could give it one of its own. Set LEASEQUEUE_AUTH=none by name to answer to every name, or LEASEQUEUE_AUTH=required to ask for API keys.',
  },
  foreignOrigin: { status: 403, code: 'FORBIDDEN', message: 'Pages of another origin may not use this server.' },
  onlyPostAndDelete: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'POST signs a browser in, with the API key in its Authorization header; DELETE signs it out.',
    headers: { allow: 'POST, DELETE' },
  },
  onlySystem: { status: 403, code: 'FORBIDDEN', message: 'This page shows every tenant: it needs an API key with the scope SYSTEM.' },
  noCsrfHeader: {
    status: 403,
    code: 'FORBIDDEN',
    message: 'A request that is signed in by a cookie needs the header x-leasequeue-csrf, with any value.',
  },
  subprotocol: { status: 400, code: 'BAD_REQUEST', message: 'A socket has to speak the sub-protocol graphql-transport-ws.' },
  stopping: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is stopping. Nothing was changed: repeat the request with the same idempotency key, lease token or requestId.',
    headers: { connection: 'close' },
    extensions: { outcomeUnknown: false },
  },
} as const satisfies Readonly<Record<string, Problem>>;

export function addressTooLong(charactersMax: number): Problem {
  const message = `The address is longer than ${charactersMax} characters. Send the query by POST.`;
  return { status: 414, code: 'URI_TOO_LONG', message, headers: { connection: 'close' }, extensions: { max: charactersMax } };
}

export function tooManyHeaders(headersMax: number): Problem {
  const message = `The request has more than ${headersMax} headers.`;
  return { status: 431, code: 'REQUEST_HEADER_FIELDS_TOO_LARGE', message, headers: { connection: 'close' }, extensions: { max: headersMax } };
}

export function bodyTooLarge(bytesMax: number): Problem {
  return {
    status: 413,
    code: 'REQUEST_ENTITY_TOO_LARGE',
    message: `The request is larger than ${bytesMax} bytes. Split it into several requests.`,
    headers: { connection: 'close' },
    extensions: { max: bytesMax },
  };
}

/** The database did not say who is asking, or what they may use. Nothing of the request has run. */
export function unavailable({ kind }: StoreFault): Problem {
  const message = 'The server cannot serve this request at the moment. Nothing was changed: repeat it with the same idempotency key, lease token or requestId.';
  return { status: 503, code: 'SERVICE_UNAVAILABLE', message, headers: kind === 'busy' ? { 'retry-after': '1' } : {}, extensions: { outcomeUnknown: false } };
}

export function tooManyRequests(retryAfterMs: number): Problem {
  return {
    status: 429,
    code: 'RATE_LIMITED',
    message: `The tenant has made too many requests in too short a time. Nothing was run: repeat the request in ${retryAfterMs} ms.`,
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
    extensions: { retryAfterMs },
  };
}

export type JsonMediaType = 'application/graphql-response+json' | 'application/json';

/** The JSON type that an Accept header asks for first; null where it takes none. */
export function jsonMediaType(accept: string | undefined): JsonMediaType | null {
  return accept === undefined ? 'application/json' : firstJsonType(accept);
}

const firstJsonType = lately((accept): JsonMediaType | null => {
  const types = accept.split(',').map((entry) => entry.split(';')[0]?.trim().toLowerCase());
  const wanted = types.find(
    (type) => type === 'application/graphql-response+json' || type === 'application/json' || type === '*/*' || type === 'application/*',
  );
  if (wanted === undefined) return null;
  return wanted === 'application/graphql-response+json' ? wanted : 'application/json';
});

export function problemText({ code, message, extensions }: Problem): string {
  return JSON.stringify({ errors: [{ message, extensions: { code, ...extensions } }] });
}

/** The answer byte for byte, for a connection of which nothing more is read. */
export function rawAnswer(problem: Problem): string {
  const text = problemText(problem);
  const headers = {
    ...SECURITY_HEADERS,
    ...problem.headers,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${text}`;
}

/** Writes the whole answer, and leaves ending it to the caller. */
export function writeProblem(response: ServerResponse, problem: Problem, accept: string | undefined): void {
  const text = problemText(problem);
  response.writeHead(problem.status, {
    ...SECURITY_HEADERS,
    ...problem.headers,
    'content-type': `${jsonMediaType(accept) ?? 'application/json'}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
  });
  response.write(text);
}

export function sendProblem(response: ServerResponse, problem: Problem, accept: string | undefined): void {
  if (response.headersSent || response.destroyed) return;
  writeProblem(response, problem, accept);
  response.end();
}
