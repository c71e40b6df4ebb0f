/** The HTTP side: what each address answers, who may ask, and the GraphQL exchange from its body to its end. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Authenticate, DEFAULT_TENANT } from '../auth/authenticate.ts';
import type { Principal } from '../auth/principal.ts';
import { LIMITS } from '../domain/limits.ts';
import { withoutBasePath } from '../runtime/base-path.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { StoreFault } from '../store/store.ts';
import { AnswersOwed } from './answers-owed.ts';
import { readBody, readQuery } from './body.ts';
import { answerBrokenRequests, LINGER_MS } from './broken-requests.ts';
import type { ConsoleFiles } from './console-files.ts';
import { enter } from './entrance.ts';
import type { AnswerEventStream } from './event-stream-answer.ts';
import type { EventStreams } from './event-streams.ts';
import { HttpExchange } from './exchange.ts';
import type { Doorway } from './doorway.ts';
import type { Yoga } from './graphql-http.ts';
import type { NetworkLimits } from './network-limits.ts';
import { isForeignOrigin, isHost, splitAddress } from './origin.ts';
import { jsonMediaType, type Problem, PROBLEMS, sendProblem, tooManyRequests, unavailable, writeProblem } from './problem.ts';
import { GRAPHIQL_POLICY, SECURITY_HEADERS, setSecurityHeaders } from './security-headers.ts';
import type { Watch } from './sessions.ts';
import type { ShortWay } from './short-way.ts';
import { answerSession } from './sign-in.ts';
import { sendFile } from './static-file.ts';
import { chargeRequest } from './tenant-charges.ts';
import type { TenantLimits } from './tenant-limits.ts';

/** What an address other than /graphql answers. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface PageMaker {
  /** True: only for those who may see every tenant. */
  readonly showsAllTenants: boolean;
  readonly make: () => Page | Promise<Page>;
}
export type Pages = Readonly<Record<string, PageMaker>>;

export interface HttpParts {
  readonly doorway: Doorway;
  readonly limits: NetworkLimits;
  readonly yoga: Yoga;
  /** Tried first for every POST. */
  readonly shortWay: ShortWay;
  readonly basePath: string;
  readonly pages: Pages;
  readonly consoleFiles: ConsoleFiles;
  readonly streams: EventStreams;
  readonly answerEventStream: AnswerEventStream;
  readonly authenticate: Authenticate;
  readonly watch: Watch;
  readonly tenantLimits: TenantLimits;
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

const STRANGER: Principal = { tenant: DEFAULT_TENANT, key: null, actor: null, scopes: new Set(), queues: new Set() };

/** The server, not listening yet. */
export function createHttpServer(parts: HttpParts): Server {
  const { limits } = parts;
  const options = {
    // Node refuses as many as it is told.
    maxHeaderSize: LIMITS.requestHeaderBytesMax + 1,
    // Node's own answer would be without the headers that every answer has: the doorway asks for it.
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
  // Node leaves out what is beyond, and the doorway refuses it.
  server.maxHeadersCount = LIMITS.requestHeadersMax + 1;
  server.on('checkExpectation', (request, response) => sendProblem(response, PROBLEMS.expectation, request.headers.accept));
  answerBrokenRequests(server, owed, parts.clock);
  return server;
}

async function handle(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.url = withoutBasePath(request.url ?? '/', parts.basePath);
  const { path, query } = splitAddress(request.url);
  request.on('error', ignore);
  response.on('error', ignore);
  if (parts.logsRequests) logAtItsEnd(parts, request, response, path);
  if (parts.isStopping()) response.setHeader('connection', 'close');
  const problem = parts.doorway(request);
  if (problem !== null) return sendProblem(response, problem, request.headers.accept);
  try {
    if (path === '/graphql') await graphql(parts, request, response, query);
    else if (path === '/session') await answerSession(parts, request, response, query);
    else await page(parts, request, response, path, query);
  } catch (error) {
    if (error instanceof StoreFault) return sendProblem(response, unavailable(error), request.headers.accept);
    parts.log.error('a request failed', { method: request.method ?? '', path: loggedPath(parts, path), error });
    if (response.headersSent) response.destroy();
    else sendProblem(response, { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error.' }, request.headers.accept);
  }
}

/** Any other address is a text of the client's, which may hold a key: nothing of it is logged. */
function loggedPath({ pages, consoleFiles }: HttpParts, path: string): string {
  if (path === '/graphql' || path === '/session' || Object.hasOwn(pages, path)) return path;
  return consoleFiles(path) === null ? 'elsewhere' : 'console';
}

function logAtItsEnd(parts: HttpParts, request: IncomingMessage, response: ServerResponse, path: string): void {
  const { clock, log } = parts;
  const startedAtMs = clock.monotonicMs();
  response.once('close', () => {
    const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
    log.debug('request', { method: request.method ?? '', path: loggedPath(parts, path), status: response.statusCode, durationMs });
  });
}

async function page(
  { pages, consoleFiles, authenticate }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const refuse = (problem: Problem): void => sendProblem(response, problem, request.headers.accept);
  const found = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const file = found === undefined ? consoleFiles(path) : null;
  if (found === undefined && file === null) return refuse(PROBLEMS.notFound);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(PROBLEMS.onlyGet);
  if (found === undefined) return file === null ? refuse(PROBLEMS.notFound) : sendFile(request, response, file);
  if (found.showsAllTenants) {
    const who = await enter(authenticate, request, query);
    if ('problem' in who) return refuse(who.problem);
    if (!who.principal.scopes.has('SYSTEM')) return refuse(PROBLEMS.onlySystem);
  }
  const { status, contentType, text, headers } = await found.make();
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

  // The page itself shows nothing of anybody: what it asks for is asked with a key.
  const entering = wantsGraphiql ? { principal: STRANGER } : enter(parts.authenticate, request, query);
  const who = entering instanceof Promise ? await entering : entering;
  if ('problem' in who) return refuse(who.problem);
  if (parts.isStopping()) return refuse(PROBLEMS.stopping);
  const charging = chargeRequest(parts.tenantLimits, who.principal.tenant);
  const waitMs = charging instanceof Promise ? await charging : charging;
  if (waitMs !== null) return refuse(tooManyRequests(waitMs));

  const reading = request.method === 'GET' ? readQuery(query) : await readBody(request, parts.maxRequestBytes);
  if (!reading.ok) return reading.problem.status === 413 ? refuseAndLinger(parts, request, response, reading.problem) : refuse(reading.problem);
  const { streams, watch, undo } = parts;
  const exchange = new HttpExchange({ response, principal: who.principal, params: reading.params, accept, streams, watch, undo });
  if (request.method === 'POST' && (await parts.shortWay(response, exchange))) return;
  setSecurityHeaders(response);
  if (await parts.answerEventStream(response, exchange)) return;
  if (wantsGraphiql) response.setHeader('content-security-policy', GRAPHIQL_POLICY);
  await parts.yoga(request, response, { exchange });
}

function isAcceptable(accept: string | undefined): boolean {
  return jsonMediaType(accept) !== null || /text\/(?:event-stream|\*)/i.test(accept ?? '');
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
