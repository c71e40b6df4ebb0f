/** One GraphQL operation on its way: who asked, over what, until when, and what to undo if nobody gets the answer. */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../auth/principal.ts';
import type { FiguresParts } from '../feed/shared-figures.ts';
import type { FeedMessage, FeedParts, FeedRequest } from '../feed/tail.ts';
import type { Stats } from '../store/answers.ts';

export const TRANSPORTS = ['sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Takes over the reading of what an operation follows. */
export interface FeedSource {
  follow(parts: FeedParts, request: FeedRequest): AsyncIterableIterator<FeedMessage>;
  watch(parts: FiguresParts<Stats>): AsyncIterableIterator<Stats>;
}

export interface Exchange {
  readonly principal: Principal;
  /** How its events would travel. */
  readonly transport: Transport;
  /** As parsed from the request; null where the transport has parsed and validated already. */
  readonly params: object | null;
  /** Of the request, to choose the type of the answer. */
  readonly accept: string | undefined;
  /** Aborts when the client goes away, or the operation is over. */
  readonly signal: AbortSignal;
  /** What feeds the operation, where its messages are shared with others. Absent: it reads by itself. */
  readonly source?: FeedSource;
  readonly onUndelivered: (undo: () => Promise<void>) => void;
  /** Called when the answer turns out to be a stream. */
  readonly startStream: () => void;
}

/** Runs what is given to it if the response closes before all of it was handed to the system; each once. */
export class Delivery {
  readonly #response: ServerResponse;
  readonly #run: (undo: () => Promise<void>) => void;
  readonly #undos: (() => Promise<void>)[] = [];
  #isClosed = false;

  constructor(response: ServerResponse, run: (undo: () => Promise<void>) => void) {
    this.#response = response;
    this.#run = run;
    response.once('close', () => {
      this.#isClosed = true;
      if (!response.writableFinished) for (const undo of this.#undos) run(undo);
    });
  }

  onUndelivered(undo: () => Promise<void>): void {
    if (this.#response.writableFinished) return;
    if (this.#isClosed) this.#run(undo);
    else this.#undos.push(undo);
  }
}
