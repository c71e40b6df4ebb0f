/** The requests of each connection that have no answer yet: a client may send the next ones before it has the first. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class AnswersOwed {
  readonly #byConnection = new WeakMap<Duplex, Exchanged[]>();

  /** Adds a request, and answers how many of its connection have no answer now. */
  add(request: IncomingMessage, response: ServerResponse): number {
    const owed = this.#byConnection.get(request.socket) ?? [];
    this.#byConnection.set(request.socket, owed);
    const exchanged = { request, response };
    // Whatever is kept for longer than it is needed, the garbage collector copies on and on.
    response.on('close', () => void owed.splice(owed.indexOf(exchanged), 1));
    return owed.push(exchanged);
  }

  /** The last request of a connection, unless it has its answer. */
  lastOf(connection: Duplex): Exchanged | null {
    const last = this.#byConnection.get(connection)?.at(-1);
    return last === undefined || last.response.writableFinished ? null : last;
  }
}
