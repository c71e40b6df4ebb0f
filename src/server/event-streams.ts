/**
 * The open event streams over HTTP, whoever writes them. Whoever does waits for a stalled reader for ever, so that this
 * has to end it; and at the server's stop a stream must break off rather than complete, or its client would not come back.
 */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { GraphQLError } from 'graphql';
import type { Clock } from '../runtime/clock.ts';
import { COMPLETE, eventText } from './event-text.ts';

/** A comment, which readers of the stream pass over. */
const PING = ':\n\n';

const PING_EVERY_MS = 12_000;

interface OpenStream {
  readonly response: ServerResponse;
  /** Of what yoga writes. */
  source: Readable | null;
  /** Messages that were written here and wait to be taken. */
  untaken: number;
  /** Since the last look. */
  hasTaken: boolean;
  /** Since when the reader takes nothing. */
  stalledAtMs: number | null;
}

export class EventStreams {
  readonly #open = new Map<ServerResponse, OpenStream>();

  get size(): number {
    return this.#open.size;
  }

  has(response: ServerResponse): boolean {
    return this.#open.has(response);
  }

  add(response: ServerResponse): void {
    const stream: OpenStream = { response, source: null, untaken: 0, hasTaken: false, stalledAtMs: null };
    this.#open.set(response, stream);
    response.once('pipe', (source: Readable) => {
      stream.source = source;
    });
    response.once('close', () => this.#open.delete(response));
  }

  /** Begins the writing of a stream that is written here. Some browsers take its headers for sent only with the first byte of a body. */
  begin(response: ServerResponse): void {
    response.write(PING);
  }

  /** Calls `taken` when the system has the text, or at once where the stream is over. */
  write(response: ServerResponse, text: Buffer, taken: () => void): void {
    const stream = this.#open.get(response);
    if (stream === undefined || response.writableEnded || response.destroyed) return taken();
    stream.untaken += 1;
    response.write(text, () => {
      stream.untaken -= 1;
      stream.hasTaken = true;
      taken();
    });
  }

  /** Ends every stream whose reader has taken nothing for `stalledMsMax`. Answers how many. */
  endStalled(nowMs: number, stalledMsMax: number): number {
    let ended = 0;
    for (const stream of this.#open.values()) {
      const isWaiting = stream.untaken > 0 ? !stream.hasTaken : stream.response.writableNeedDrain;
      stream.hasTaken = false;
      stream.stalledAtMs = isWaiting ? (stream.stalledAtMs ?? nowMs) : null;
      if (stream.stalledAtMs === null || nowMs - stream.stalledAtMs < stalledMsMax) continue;
      stream.response.destroy();
      ended += 1;
    }
    return ended;
  }

  /** Keeps idle connections alive until the signal aborts. Streams that yoga writes have pings of their own. */
  async pingOnAndOn({ sleep }: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(PING_EVERY_MS, signal);
      if (!signal.aborted) this.#ping();
    }
  }

  #ping(): void {
    for (const { response, source, untaken } of this.#open.values()) {
      if (source === null && untaken === 0 && !response.writableEnded) response.write(PING);
    }
  }

  /** Ends a stream for good, with the error as its last result. */
  endWith(response: ServerResponse, error: GraphQLError): void {
    this.#open.get(response)?.source?.unpipe(response);
    if (!response.writableEnded) response.end(`${eventText({ errors: [error] }).toString()}${COMPLETE}`);
  }

  breakOff(): void {
    for (const { response, source } of this.#open.values()) {
      source?.unpipe(response);
      response.end();
    }
  }
}
