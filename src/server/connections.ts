/** The open connections of a server, of every kind, and the end of those whose client does not take its answer. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../domain/limits.ts';
import type { Readers } from './stalled.ts';

/** What is left of an answer, which has not been taken since. */
interface Untaken {
  readonly writtenBytes: number;
  readonly sinceMs: number;
}

export class Connections implements Readers {
  readonly #open = new Map<Socket, Untaken | null>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, null);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Ends those that have asked for nothing yet: browsers and clients open some ahead of need, and Node does not call them idle. */
  endUnused(): void {
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Ends those that have not taken all of what was last written, however long they have been at it, and answers how many.
   * Event streams and sockets are written to again and again, and are watched elsewhere as well.
   */
  endStalled(nowMs: number): number {
    let ended = 0;
    for (const [socket, known] of this.#open) {
      const untaken = untakenOf(socket, known, nowMs);
      this.#open.set(socket, untaken);
      if (untaken === null || nowMs - untaken.sinceMs < LIMITS.answerTakenMsMax) continue;
      socket.destroy();
      ended += 1;
    }
    return ended;
  }
}

function untakenOf({ writableLength, bytesWritten }: Socket, known: Untaken | null, nowMs: number): Untaken | null {
  if (writableLength === 0) return null;
  return known?.writtenBytes === bytesWritten ? known : { writtenBytes: bytesWritten, sinceMs: nowMs };
}
