/** Calls that are made in one turn of the event loop travel as one request, and each keeps its own outcome. */
import { LIMITS } from '../domain/limits.ts';
import { mayPassInParts, refusedItems } from './blame.ts';
import type { CallOptions } from './caller.ts';
import type { LeaseQueueError } from './errors.ts';

/** For the document and the rest of a request around its items. */
const AROUND_BYTES = 8_192;
/** One more waits until an answer is there: what arrives meanwhile joins it. */
const REQUESTS_AT_ONCE = 2;

const utf8 = new TextEncoder();
/** Written over and over: with an array of its own for each text, the client would take a third longer. */
const scratch = new Uint8Array(16_384);

interface Waiting<Result> {
  /** The item as JSON. */
  readonly text: string;
  readonly bytes: number;
  readonly sinceMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchParts<Result> {
  /** Name of the list in the operation's input, as issues name it. */
  readonly list: string;
  /** Asks for all items at once; one result for each, in order. None of them has waited less than so long. */
  readonly send: (items: readonly string[], waitedMs: number) => Promise<readonly Result[]>;
  readonly monotonicMs: () => number;
  /** Calls back at the end of the turn. */
  readonly atTurnEnd: (callback: () => void) => void;
}

export class Batch<Item, Result> {
  readonly #parts: BatchParts<Result>;
  /** Less once a server has refused as much. */
  #bytesMax = LIMITS.requestBytesMax - AROUND_BYTES;
  // No set: a table of it that is outgrown holds on to the next one, and once it is old, to all that follow, with what was in them.
  #waiting: Waiting<Result>[] = [];
  #inFlight = 0;
  #isPlanned = false;

  constructor(parts: BatchParts<Result>) {
    this.#parts = parts;
  }

  /** Given up before it is sent, it is not sent; after that it goes on without whoever gave it up. */
  add(item: Item, { signal }: CallOptions = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const text = JSON.stringify(item);
      const waiting = { text, bytes: utf8Bytes(text), sinceMs: this.#parts.monotonicMs(), resolve, reject };
      this.#waiting.push(signal === undefined ? waiting : this.#leavable(waiting, signal));
      this.#plan();
    });
  }

  /** The same, which leaves with the signal as long as it is not sent. */
  #leavable(waiting: Waiting<Result>, signal: AbortSignal): Waiting<Result> {
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== leavable);
      waiting.reject(signal.reason);
    };
    const stay = (): void => signal.removeEventListener('abort', leave);
    const leavable: Waiting<Result> = {
      ...waiting,
      resolve: (result) => (stay(), waiting.resolve(result)),
      reject: (error) => (stay(), waiting.reject(error)),
    };
    signal.addEventListener('abort', leave, { once: true });
    return leavable;
  }

  #plan(): void {
    if (this.#isPlanned || this.#inFlight >= REQUESTS_AT_ONCE) return;
    this.#isPlanned = true;
    this.#parts.atTurnEnd(() => {
      this.#isPlanned = false;
      while (this.#waiting.length > 0 && this.#inFlight < REQUESTS_AT_ONCE) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const items = this.#waiting.splice(0, howManyFit(this.#waiting, this.#bytesMax));
    this.#inFlight += 1;
    await this.#settle(items);
    this.#inFlight -= 1;
    if (this.#waiting.length > 0) this.#plan();
  }

  async #settle(items: readonly Waiting<Result>[]): Promise<void> {
    const { send, monotonicMs } = this.#parts;
    try {
      const results = await send(
        items.map(({ text }) => text),
        monotonicMs() - Math.max(...items.map(({ sinceMs }) => sinceMs)),
      );
      for (const [index, { resolve }] of items.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (mayPassInParts(error)) await this.#settleParts(items, error);
      else for (const { reject } of items) reject(error);
    }
  }

  /** Refuses those that are said to be at fault, and sends the others again. Where none is named it halves, so that those at fault end alone. */
  async #settleParts(items: readonly Waiting<Result>[], error: LeaseQueueError): Promise<void> {
    const refused = refusedItems(error, this.#parts.list);
    for (const [index, own] of refused) items[index]?.reject(own);
    const others = items.filter((_, index) => !refused.has(index));
    if (refused.size > 0) return others.length === 0 ? undefined : this.#settle(others);
    if (others.length <= 1) return others[0]?.reject(error);
    if (error.code === 'REQUEST_ENTITY_TOO_LARGE') this.#bytesMax = Math.min(this.#bytesMax, Math.ceil(bytesOf(others) / 2));
    const middle = Math.ceil(others.length / 2);
    await this.#settle(others.slice(0, middle));
    await this.#settle(others.slice(middle));
  }
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let rest = text; rest !== ''; ) {
    const { read, written } = utf8.encodeInto(rest, scratch);
    bytes += written;
    rest = rest.slice(read);
  }
  return bytes;
}

function bytesOf(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

/** At least one: the server says what is wrong with one that is too large. */
function howManyFit(items: readonly { readonly bytes: number }[], bytesMax: number): number {
  let bytes = 0;
  const end = items.findIndex((item, index) => index === LIMITS.batchItemsMax || ((bytes += item.bytes + 1) > bytesMax && index > 0));
  return end === -1 ? items.length : end;
}
