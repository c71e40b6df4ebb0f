/** One GraphQL operation on its way: who asked, over what, until when, and what to undo if nobody gets the answer. */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../auth/principal.ts';

export const TRANSPORTS = ['sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Exchange {
  readonly principal: Principal;
  /** How its events would travel. */
  readonly transport: Transport;
  /** As parsed from the request; null where the transport has parsed and validated already. */
  readonly params: object | null;
  /** Of the request, to choose the type of the answer. */
  readonly accept: string | undefined;
  /** Aborts when the client goes away before it has its answer, or the operation is over. */
  readonly signal: AbortSignal;
  readonly onUndelivered: (undo: () => Promise<void>) => void;
  /** Called when the answer turns out to be a stream. */
  readonly startStream: () => void;
}

/**
 * What becomes of one answer. If the response closes before all of it was handed to the system, `gone` aborts and what
 * was given to `onUndelivered` runs, each once.
 */
export class Delivery {
  readonly #response: ServerResponse;
  readonly #run: (undo: () => Promise<void>) => void;
  readonly #undos: (() => Promise<void>)[] = [];
  readonly #gone = new AbortController();
  #isClosed = false;

  constructor(response: ServerResponse, run: (undo: () => Promise<void>) => void) {
    this.#response = response;
    this.#run = run;
    if (response.destroyed) this.#close();
    else response.once('close', () => this.#close());
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  onUndelivered(undo: () => Promise<void>): void {
    if (this.#response.writableFinished) return;
    if (this.#isClosed) this.#run(undo);
    else this.#undos.push(undo);
  }

  #close(): void {
    this.#isClosed = true;
    if (this.#response.writableFinished) return;
    this.#gone.abort();
    for (const undo of this.#undos) this.#run(undo);
  }
}
