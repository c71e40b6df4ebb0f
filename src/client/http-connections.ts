/**
 * Connections over which one request after the other goes to the server. By Node's own HTTP, a lonely call takes the program
 * twice the time (docs/adr/0028-requests-over-bare-connections.md).
 */
import type { Socket } from 'node:net';
import { AnswerReader, type HttpAnswer } from './http-answer.ts';
import { lostBy, TransportFault } from './transport.ts';

/** Connections rest for less than the five seconds after which a server closes them, so that none is used just then. */
const REST_MS_MAX = 4_000;

/** A connection on its way; it tells that it is there by the event that it names. */
export interface Opening {
  readonly socket: Socket;
  readonly event: 'connect' | 'secureConnect';
}

export interface ConnectionsParts {
  readonly open: () => Opening;
  readonly monotonicMs: () => number;
}

/** What a connection is asked now. */
interface Asked {
  readonly reader: AnswerReader;
  readonly signal: AbortSignal;
  resolve(answer: HttpAnswer): void;
  reject(error: unknown): void;
}

export class Connections {
  readonly #parts: ConnectionsParts;
  /** The one that rests for the shortest time comes last, and is used next. */
  readonly #resting: Connection[] = [];

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  /** The answer to a request, the bytes of which are given. Rejects as a transport does. */
  ask(request: string | Buffer, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else (this.#rested() ?? this.#opened()).ask(request, { reader: new AnswerReader(), signal, resolve, reject });
    });
  }

  #rested(): Connection | null {
    const nowMs = this.#parts.monotonicMs();
    for (let each = this.#resting.pop(); each !== undefined; each = this.#resting.pop()) {
      if (nowMs < each.restsUntilMs) return each;
      each.close();
    }
    return null;
  }

  #opened(): Connection {
    const connection = new Connection(this.#parts.open(), {
      rest: (restMs) => {
        connection.restsUntilMs = this.#parts.monotonicMs() + Math.min(restMs, REST_MS_MAX);
        this.#resting.push(connection);
      },
      leave: () => {
        const place = this.#resting.indexOf(connection);
        if (place !== -1) this.#resting.splice(place, 1);
      },
    });
    return connection;
  }
}

interface ConnectionPlaces {
  /** The connection has nothing to do, and may be used again for so long. */
  readonly rest: (restMs: number) => void;
  /** It is of no use any more. */
  readonly leave: () => void;
}

class Connection {
  restsUntilMs = 0;
  readonly #socket: Socket;
  readonly #places: ConnectionPlaces;
  #isThere = false;
  #asked: Asked | null = null;
  readonly #giveUp = (): void => this.#fail(this.#asked?.signal.reason);

  constructor({ socket, event }: Opening, places: ConnectionPlaces) {
    this.#socket = socket;
    this.#places = places;
    socket.setNoDelay(true);
    socket.once(event, () => (this.#isThere = true));
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('end', () => this.#end());
    socket.on('error', (error) => this.#fail(lostBy(error, this.#isThere)));
    socket.on('close', () => this.#end());
  }

  ask(request: string | Buffer, asked: Asked): void {
    this.#asked = asked;
    asked.signal.addEventListener('abort', this.#giveUp, { once: true });
    this.#socket.ref();
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#places.leave();
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    // What nobody asked for belongs to no request.
    if (this.#asked === null) return this.close();
    try {
      this.#answer(this.#asked.reader.take(piece));
    } catch (error) {
      this.#fail(error);
    }
  }

  #end(): void {
    this.#answer(this.#asked?.reader.end() ?? null);
    this.#fail(new TransportFault('the connection ended before the answer did', this.#isThere, null));
  }

  #answer(answer: HttpAnswer | null): void {
    const asked = answer === null ? null : this.#release();
    if (answer === null || asked === null) return;
    asked.resolve(answer);
    // An answer that came before all of the request was sent: what is sent yet would be taken for the next one.
    if (answer.restMs === 0 || this.#socket.writableLength > 0) return this.close();
    // A program that is done ends although connections rest.
    this.#socket.unref();
    this.#places.rest(answer.restMs);
  }

  #fail(error: unknown): void {
    this.#release()?.reject(error);
    this.close();
  }

  #release(): Asked | null {
    const asked = this.#asked;
    this.#asked = null;
    asked?.signal.removeEventListener('abort', this.#giveUp);
    return asked;
  }
}
