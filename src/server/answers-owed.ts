/** The requests of each connection that have no answer yet: a client may send the next ones before it has the first. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Of one connection. What has its answer is let go of: whatever is kept for longer, the garbage collector copies on and on. */
interface Owed {
  count: number;
  last: ServerResponse | null;
}

export class AnswersOwed {
  readonly #byConnection = new WeakMap<Duplex, Owed>();

  /** Adds a request, and answers how many of its connection have no answer now. */
  add({ socket }: IncomingMessage, response: ServerResponse): number {
    const owed = this.#byConnection.get(socket) ?? { count: 0, last: null };
    if (owed.count === 0) this.#byConnection.set(socket, owed);
    owed.count += 1;
    owed.last = response;
    response.on('close', () => {
      owed.count -= 1;
      if (owed.last === response) owed.last = null;
    });
    return owed.count;
  }

  /** The last request of a connection, unless it has its answer. */
  lastOf(connection: Duplex): Exchanged | null {
    const response = this.#byConnection.get(connection)?.last ?? null;
    return response === null || response.writableFinished ? null : { request: response.req, response };
  }
}
