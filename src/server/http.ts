/** The HTTP side: what each address answers, who may ask, and the GraphQL exchange from its body to its end. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { authenticate, TENANT_HEADER } from '../auth/authenticate.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { AnswersOwed } from './answers-owed.ts';
import { readBody, readQuery } from './body.ts';
import { answerBrokenRequests, LINGER_MS } from './broken-requests.ts';
import type { AnswerEventStream } from './event-stream-answer.ts';
import type { EventStreams } from './event-streams.ts';
import { HttpExchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import type { Yoga } from './graphql-http.ts';
import type { NetworkLimits } from './network-limits.ts';
import { isForeignOrigin, isHost, splitAddress } from './origin.ts';
import { jsonMediaType, type Problem, PROBLEMS, sendProblem, writeProblem } from './problem.ts';
import { GRAPHIQL_POLICY, SECURITY_HEADERS, setSecurityHeaders } from './security-headers.ts';
import type { ShortWay } from './short-way.ts';

/** What an address other than /graphql answers. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

export interface HttpParts {
  readonly gate: Gate;
  readonly limits: NetworkLimits;
  readonly yoga: Yoga;
  /** Tried first for every POST. */
  readonly shortWay: ShortWay;
  readonly pages: Pages;
  readonly streams: EventStreams;
  readonly answerEventStream: AnswerEventStream;
  readonly maxRequestBytes: number;
  readonly hasGraphiql: boolean;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly log: Logger;
  /** Whether the log keeps what every request came to. */
  readonly logsRequests: boolean;
  readonly isStopping: () => boolean;
  /** Runs what an answer that nobody got leaves to be undone. */
  readonly undo: (undo: () => Promise<void>) => void;
}

const LINGER_BYTES_MAX = 4_194_304;

const ignore = (): void => {};

/** The server, not listening yet. */
export function createHttpServer(parts: HttpParts): Server {
  const { limits } = parts;
  const options = {
    // Node refuses as many as it is told.
    maxHeaderSize: LIMITS.requestHeaderBytesMax + 1,
    // Node's own answer would be without the headers that every answer has: the gate asks for it.
    requireHostHeader: false,
    headersTimeout: limits.requestHeadersMsMax,
    requestTimeout: limits.requestMsMax,
    keepAliveTimeout: limits.keepAliveMsMax,
    connectionsCheckingInterval: limits.lookEveryMs,
    // Whoever offers another protocol, such as h2c, is answered in this one.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
  };
  const owed = new AnswersOwed();
  const server = createServer(options, (request, response) => {
    if (owed.add(request, response) > LIMITS.requestsAtOncePerConnectionMax) request.socket.destroy();
    else void handle(parts, request, response);
  });
  server.maxConnections = limits.connectionsMax;
  // Node leaves out what is beyond, and the gate refuses it.
  server.maxHeadersCount = LIMITS.requestHeadersMax + 1;
  server.on('checkExpectation', (request, response) => sendProblem(response, PROBLEMS.expectation, request.headers.accept));
  answerBrokenRequests(server, owed, parts.clock);
  return server;
}

async function handle(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path, query } = splitAddress(request.url);
  request.on('error', ignore);
  response.on('error', ignore);
  if (parts.logsRequests) logAtItsEnd(parts, request, response, path);
  if (parts.isStopping()) response.setHeader('connection', 'close');
  const problem = parts.gate(request);
  if (problem !== null) return sendProblem(response, problem, request.headers.accept);
  try {
    if (path === '/graphql') await graphql(parts, request, response, query);
    else await page(parts, request, response, path);
  } catch (error) {
    parts.log.error('a request failed', { method: request.method ?? '', path: path.slice(0, 200), error });
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error.' }, request.headers.accept);
  }
}

function logAtItsEnd({ clock, log }: HttpParts, request: IncomingMessage, response: ServerResponse, path: string): void {
  const startedAtMs = clock.monotonicMs();
  response.once('close', () => {
    const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
    log.debug('request', { method: request.method ?? '', path: path.slice(0, 200), status: response.statusCode, durationMs });
  });
}

async function page({ pages }: HttpParts, request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const make = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (make === undefined) return sendProblem(response, PROBLEMS.notFound, request.headers.accept);
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendProblem(response, PROBLEMS.onlyGet, request.headers.accept);
  const { status, contentType, text, headers } = await make();
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

async function graphql(parts: HttpParts, request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
  const { accept } = request.headers;
  const refuse = (problem: Problem): void => sendProblem(response, problem, accept);
  if (request.method !== 'GET' && request.method !== 'POST') return refuse(PROBLEMS.onlyGetAndPost);
  if (!isHost(request.headers.host)) return refuse(PROBLEMS.badHost);
  if (isForeignOrigin(request.headers)) return refuse(PROBLEMS.foreignOrigin);
  const wantsGraphiql = parts.hasGraphiql && request.method === 'GET' && accept?.includes('text/html') === true;
  if (!wantsGraphiql && !isAcceptable(accept)) return refuse(PROBLEMS.notAcceptable);

  const who = authenticate({ query, tenants: [request.headers[TENANT_HEADER]] });
  if (!who.ok) return refuse(refusalProblem(who.refusal, accept));
  if (parts.isStopping()) return refuse(PROBLEMS.stopping);

  const reading = request.method === 'GET' ? readQuery(query) : await readBody(request, parts.maxRequestBytes);
  if (!reading.ok) return reading.problem.status === 413 ? refuseAndLinger(parts, request, response, reading.problem) : refuse(reading.problem);
  const exchange = new HttpExchange({ response, principal: who.principal, params: reading.params, accept, streams: parts.streams, undo: parts.undo });
  if (request.method === 'POST' && (await parts.shortWay(response, exchange))) return;
  setSecurityHeaders(response);
  if (await parts.answerEventStream(response, exchange)) return;
  if (wantsGraphiql) response.setHeader('content-security-policy', GRAPHIQL_POLICY);
  await parts.yoga(request, response, { exchange });
}

function isAcceptable(accept: string | undefined): boolean {
  return jsonMediaType(accept) !== null || /text\/(?:event-stream|\*)/i.test(accept ?? '');
}

function refusalProblem({ code, message, issues }: { code: string; message: string; issues: readonly object[] }, accept: string | undefined): Problem {
  if (code === 'UNAUTHENTICATED') return { status: 401, code, message };
  const status = jsonMediaType(accept) === 'application/graphql-response+json' ? 400 : 200;
  return { status, code, message, extensions: { issues } };
}

async function refuseAndLinger({ clock }: HttpParts, request: IncomingMessage, response: ServerResponse, problem: Problem): Promise<void> {
  writeProblem(response, problem, request.headers.accept);
  const over = new AbortController();
  const end = (): void => over.abort();
  let discarded = 0;
  const discard = (chunk: Buffer): void => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES_MAX) end();
  };
  request.on('data', discard).once('end', end).once('close', end).resume();
  response.once('close', end);
  await clock.sleep(LINGER_MS, over.signal);
  response.end(() => request.destroy());
}
