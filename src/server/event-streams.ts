/**
 * The open event streams over HTTP. Their adapter waits for a stalled reader for ever, so that this has to end it; and
 * at the server's stop a stream must break off rather than complete, or its client would not come back.
 */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Clock } from '../runtime/clock.ts';

/** A comment, which readers of the stream pass over. */
export const PING = ':\n\n';

const PING_EVERY_MS = 12_000;

interface OpenStream {
  readonly response: ServerResponse;
  source: Readable | null;
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
    const stream: OpenStream = { response, source: null, stalledAtMs: null };
    this.#open.set(response, stream);
    response.once('pipe', (source: Readable) => {
      stream.source = source;
    });
    response.once('close', () => this.#open.delete(response));
  }

  /** Ends every stream whose reader has taken nothing for `stalledMsMax`. Answers how many. */
  endStalled(nowMs: number, stalledMsMax: number): number {
    let ended = 0;
    for (const stream of this.#open.values()) {
      stream.stalledAtMs = stream.response.writableNeedDrain ? (stream.stalledAtMs ?? nowMs) : null;
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
    for (const { response, source } of this.#open.values()) {
      if (source === null && !response.writableEnded && !response.writableNeedDrain) response.write(PING);
    }
  }

  breakOff(): void {
    for (const { response, source } of this.#open.values()) {
      source?.unpipe(response);
      response.end();
    }
  }
}
