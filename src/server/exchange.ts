/** One GraphQL operation on its way: who asked, over what, until when, and what to undo if nobody gets the answer. */
import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Principal } from '../auth/principal.ts';
import type { FiguresParts } from '../feed/shared-figures.ts';
import type { FeedMessage, FeedParts, FeedRequest } from '../feed/tail.ts';
import { unauthenticated } from '../graphql/outcome.ts';
import type { EventStreams } from './event-streams.ts';
import type { Watch } from './sessions.ts';

export const TRANSPORTS = ['sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Takes over the reading of what an operation follows. */
export interface FeedSource {
  follow(parts: FeedParts, request: FeedRequest): AsyncIterableIterator<FeedMessage>;
  watch<Figures>(parts: FiguresParts<Figures>): AsyncIterableIterator<Figures>;
}

export interface Exchange {
  readonly principal: Principal;
  /** How its events would travel. */
  readonly transport: Transport;
  /** As parsed from the request; null where the transport itself parses, validates and asks the gate. */
  readonly params: object | null;
  /** Of the request, to choose the type of the answer. */
  readonly accept: string | undefined;
  /** Aborts when the client goes away before it has its answer, the operation is over, or, with the error to tell, the caller's key lapses. */
  readonly signal: AbortSignal;
  /** What the gate said: null, that the operation may run, which is charged for. Absent until it was asked. */
  refusal?: GraphQLError | null;
  /** What feeds the operation, where its messages are shared with others. Absent: it reads by itself. */
  readonly source?: FeedSource;
  onUndelivered(undo: () => Promise<void>): void;
  /** Called when the answer turns out to be a stream. It is ended when the caller's key lapses. */
  startStream(): void;
}

interface HttpExchangeParts {
  readonly response: ServerResponse;
  readonly principal: Principal;
  readonly params: object;
  readonly accept: string | undefined;
  readonly streams: Pick<EventStreams, 'add' | 'endWith'>;
  readonly watch: Watch;
  /** Runs what an answer that nobody got leaves to be undone. */
  readonly undo: (undo: () => Promise<void>) => void;
}

/**
 * An exchange over HTTP. If the response closes before all of it was handed to the system, its signal aborts and what
 * was given to `onUndelivered` runs, each once.
 */
export class HttpExchange implements Exchange {
  readonly transport = 'sse';
  readonly principal: Principal;
  readonly params: object;
  readonly accept: string | undefined;
  refusal?: GraphQLError | null;
  readonly #parts: HttpExchangeParts;
  readonly #undos: (() => Promise<void>)[] = [];
  /** Made when it is asked for: most operations are over before anybody could go. */
  #gone: AbortController | null = null;
  #isClosed: boolean;

  constructor(parts: HttpExchangeParts) {
    this.#parts = parts;
    this.principal = parts.principal;
    this.params = parts.params;
    this.accept = parts.accept;
    this.#isClosed = parts.response.destroyed;
    parts.response.on('close', () => this.#close());
  }

  get signal(): AbortSignal {
    this.#gone ??= this.#watched();
    if (this.#isLost) this.#gone.abort();
    return this.#gone.signal;
  }

  #watched(): AbortController {
    const gone = new AbortController();
    this.#whileOpen(this.#parts.watch(this.principal, (message) => gone.abort(unauthenticated(message))));
    return gone;
  }

  #whileOpen(leave: () => void): void {
    if (this.#isClosed) leave();
    else this.#parts.response.once('close', leave);
  }

  onUndelivered(undo: () => Promise<void>): void {
    if (this.#isLost) this.#parts.undo(undo);
    else if (!this.#isClosed) this.#undos.push(undo);
  }

  startStream(): void {
    const { response, streams, watch } = this.#parts;
    streams.add(response);
    this.#whileOpen(watch(this.principal, (message) => streams.endWith(response, unauthenticated(message))));
  }

  get #isLost(): boolean {
    return this.#isClosed && !this.#parts.response.writableFinished;
  }

  #close(): void {
    this.#isClosed = true;
    if (!this.#isLost) return;
    this.#gone?.abort();
    for (const undo of this.#undos) this.#parts.undo(undo);
  }
}
