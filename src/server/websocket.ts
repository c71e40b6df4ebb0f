/**
 * The sockets: who may open one, what a message may weigh, and the end of those that do not answer or do not read.
 * What is said over them is the protocol's business.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols, type Server } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { misplacedSecret, TENANT_HEADER } from '../auth/authenticate.ts';
import type { Principal } from '../auth/principal.ts';
import { LIMITS } from '../domain/limits.ts';
import { createTokenBucket } from '../domain/token-bucket.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { CLOSE, closeReason, TOO_MANY_MESSAGES, TOO_MANY_OF_KEY, TOO_MANY_SILENT, TOO_MANY_SOCKETS, TOO_SLOW } from './close-reasons.ts';
import type { Doorway } from './doorway.ts';
import { inOrder } from './message-order.ts';
import type { NetworkLimits } from './network-limits.ts';
import { isForeignOrigin, isHost, splitAddress } from './origin.ts';
import { type Problem, PROBLEMS } from './problem.ts';
import { cookieAuthorization } from './session-cookie.ts';
import { SocketPlaces } from './socket-places.ts';
import { resultHead, type SocketState } from './socket-protocol.ts';
import { badHandshake, refuseUpgrade } from './upgrade-refusal.ts';

export interface SocketParts {
  readonly protocol: Server<SocketState>;
  readonly maxMessageBytes: number;
  readonly doorway: Doorway;
  readonly limits: NetworkLimits;
  readonly pingEveryMs: number;
  /** For pings and stalled readers. */
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** For the handshake of closing, which takes as long as the network does. */
  readonly network: Pick<Clock, 'after'>;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

interface Connection {
  readonly socket: WebSocket;
  /** Below the socket. What is written to it in one turn leaves at once. */
  readonly stream: Duplex;
  isCorked: boolean;
  isAlive: boolean;
  pending: number;
  /** Since when nothing of what was sent has been taken; null where nothing is waiting. */
  stalledAtMs: number | null;
}

const CLOSE_MS_MAX = 1_000;

export class SocketServer {
  readonly #parts: SocketParts;
  readonly #server: WebSocketServer;
  readonly #connections = new Map<WebSocket, Connection>();
  readonly #places: SocketPlaces<WebSocket>;
  readonly #stopping = new AbortController();

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.#places = new SocketPlaces(parts.limits);
    this.#server = new WebSocketServer({ noServer: true, maxPayload: parts.maxMessageBytes, perMessageDeflate: false, handleProtocols, clientTracking: false });
    this.#server.on('wsClientError', (error, stream) => refuseUpgrade(stream, badHandshake(error.message)));
  }

  /** Begins to look for sockets that do not answer. */
  start(): void {
    void this.#pingOnAndOn();
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Takes over a request that asks for a socket. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const problem = this.#refusal(request);
    if (problem !== null) return refuseUpgrade(stream, problem);
    this.#server.handleUpgrade(request, stream, head, (socket) => this.#open(socket, stream, request));
  }

  /** Ends every socket whose reader has taken nothing for `stalledMsMax`. */
  endStalled(nowMs: number, stalledMsMax: number): number {
    const stalled = [...this.#connections.values()].filter(({ stalledAtMs }) => stalledAtMs !== null && nowMs - stalledAtMs >= stalledMsMax);
    for (const { socket } of stalled) this.#close(socket, CLOSE.tryAgainLater, TOO_SLOW);
    return stalled.length;
  }

  /** Tells every socket to go, and ends once all are gone. Operations are not completed, so that clients come back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const gone = [...this.#connections.keys()].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#connections.keys()) this.#close(socket, CLOSE.goingAway, 'The server is stopping.');
    await Promise.all(gone);
  }

  #refusal(request: IncomingMessage): Problem | null {
    const problem = this.#parts.doorway(request);
    if (problem !== null) return problem;
    const { path, query } = splitAddress(request.url);
    if (path !== '/graphql') return PROBLEMS.notFound;
    if (!isHost(request.headers.host)) return PROBLEMS.badHost;
    if (isForeignOrigin(request.headers)) return PROBLEMS.foreignOrigin;
    // Who asks is judged with the connection parameters, where the protocol can tell the reason.
    const misplaced = misplacedSecret(query);
    if (misplaced !== null) return { status: 401, ...misplaced.refusal };
    if (this.#parts.isStopping()) return PROBLEMS.stopping;
    return handleProtocols(request.headers['sec-websocket-protocol'] ?? '') === false ? PROBLEMS.subprotocol : null;
  }

  #open(socket: WebSocket, stream: Duplex, request: IncomingMessage): void {
    socket.on('error', (error) => this.#parts.log.debug('a socket failed', { transport: 'websocket', error }));
    if (!this.#places.enter(socket)) return this.#close(socket, CLOSE.tryAgainLater, TOO_MANY_SOCKETS);
    const evicted = this.#places.evict();
    if (evicted !== null) this.#close(evicted, CLOSE.tryAgainLater, TOO_MANY_SILENT);
    const close = (code: number = CLOSE.goingAway, reason = ''): void => this.#close(socket, code, reason);
    const state: SocketState = {
      tenantHeader: request.headers[TENANT_HEADER],
      authorizations: [request.headers.authorization, cookieOfOwnPage(request)],
      principal: null,
      leave: () => {},
      isGone: false,
      close,
      takePlace: (key) => this.#takePlace(socket, key),
      sendResult: (id, text, taken) => this.#write(connection, Buffer.concat([Buffer.from(resultHead(id)), text]), taken),
      hasRoom: () => socket.bufferedAmount <= LIMITS.feedLagBytesMax,
    };
    const connection: Connection = { socket, stream, isCorked: false, isAlive: true, pending: 0, stalledAtMs: null };
    this.#connections.set(socket, connection);
    socket.on('pong', () => {
      connection.isAlive = true;
    });
    const closed = this.#parts.protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => this.#send(connection, text),
        close,
        onMessage: (receive) => this.#receive(socket, receive),
      },
      state,
    );
    socket.once('close', (code, reason) => {
      this.#connections.delete(socket);
      this.#places.leave(socket);
      state.isGone = true;
      state.leave();
      closed(code, reason.toString()).catch((error: unknown) => this.#parts.log.error('the end of a socket failed', { transport: 'websocket', error }));
    });
  }

  #takePlace(socket: WebSocket, key: Principal['key']): boolean {
    if (this.#places.admit(socket, key)) return true;
    this.#close(socket, CLOSE.tryAgainLater, TOO_MANY_OF_KEY);
    return false;
  }

  #receive(socket: WebSocket, handle: (text: string) => Promise<void>): void {
    const receive = inOrder(handle, () => this.#close(socket, CloseCode.BadRequest, 'Only a server sends such a message'));
    const bucket = createTokenBucket(LIMITS.socketMessagesPerSecondMax, LIMITS.socketMessagesAtOnceMax);
    /** False where the message is not to be looked at. */
    const count = (): boolean => {
      if (socket.readyState !== socket.OPEN) return false;
      const isOne = bucket.take(this.#parts.clock.monotonicMs());
      if (!isOne) this.#close(socket, CLOSE.policyViolation, TOO_MANY_MESSAGES);
      return isOne;
    };
    socket.on('ping', count).on('pong', count);
    socket.on('message', (data, isBinary) => {
      if (!count()) return;
      if (isBinary) return this.#close(socket, CloseCode.BadRequest, 'Messages have to be text');
      receive(textOf(data)).catch((error: unknown) => {
        this.#parts.log.error('a message failed', { transport: 'websocket', error });
        this.#close(socket, CloseCode.InternalServerError, 'Internal server error');
      });
    });
  }

  /** Ends when the text was handed to the system: until then the protocol asks its source for nothing more. */
  #send(connection: Connection, text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#write(connection, text, resolve);
    });
  }

  #write(connection: Connection, text: string | Buffer, taken: () => void): void {
    const { socket } = connection;
    const { clock } = this.#parts;
    if (socket.readyState !== socket.OPEN) return taken();
    if (socket.bufferedAmount > LIMITS.socketUnsentBytesMax) {
      this.#close(socket, CLOSE.tryAgainLater, TOO_SLOW);
      return taken();
    }
    connection.pending += 1;
    connection.stalledAtMs ??= clock.monotonicMs();
    corkForThisTurn(connection);
    // A failure to send is a socket that closes, which is told elsewhere.
    socket.send(text, { binary: false }, () => {
      connection.pending -= 1;
      connection.stalledAtMs = connection.pending === 0 ? null : clock.monotonicMs();
      taken();
    });
  }

  #close(socket: WebSocket, code: number, reason: string): void {
    if (socket.readyState === socket.CLOSED) return;
    socket.close(code, closeReason(reason));
    socket.once(
      'close',
      this.#parts.network.after(CLOSE_MS_MAX, () => socket.terminate()),
    );
  }

  async #pingOnAndOn(): Promise<void> {
    const { clock, pingEveryMs } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await clock.sleep(pingEveryMs, signal);
      if (signal.aborted) return;
      for (const connection of this.#connections.values()) this.#pingOrEnd(connection);
    }
  }

  #pingOrEnd(connection: Connection): void {
    const { socket, isAlive, stalledAtMs } = connection;
    if (!isAlive) return stalledAtMs === null ? socket.terminate() : this.#close(socket, CLOSE.tryAgainLater, TOO_SLOW);
    connection.isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }
}

/** A browser lets no script set a socket's headers: that the page is this server's own says who made it. */
function cookieOfOwnPage({ headers }: IncomingMessage): string | undefined {
  return headers.origin === undefined ? undefined : cookieAuthorization(headers);
}

function corkForThisTurn(connection: Connection): void {
  if (connection.isCorked) return;
  connection.isCorked = true;
  connection.stream.cork();
  process.nextTick(() => {
    connection.isCorked = false;
    connection.stream.uncork();
  });
}

function textOf(data: RawData): string {
  return new TextDecoder().decode(Array.isArray(data) ? Buffer.concat(data) : data);
}
