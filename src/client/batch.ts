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
  readonly #waiting = new Set<Waiting<Result>>();
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
      const forget = (): void => signal?.removeEventListener('abort', giveUp);
      const waiting: Waiting<Result> = {
        text,
        bytes: utf8.encode(text).length,
        sinceMs: this.#parts.monotonicMs(),
        resolve: (result) => (forget(), resolve(result)),
        reject: (error) => (forget(), reject(error)),
      };
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned || this.#inFlight >= REQUESTS_AT_ONCE) return;
    this.#isPlanned = true;
    this.#parts.atTurnEnd(() => {
      this.#isPlanned = false;
      while (this.#waiting.size > 0 && this.#inFlight < REQUESTS_AT_ONCE) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const items = itemsThatFit(this.#waiting, this.#bytesMax);
    for (const item of items) this.#waiting.delete(item);
    this.#inFlight += 1;
    await this.#settle(items);
    this.#inFlight -= 1;
    if (this.#waiting.size > 0) this.#plan();
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

function bytesOf(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

/** At least one: the server says what is wrong with one that is too large. */
function itemsThatFit<Item extends { readonly bytes: number }>(items: Iterable<Item>, bytesMax: number): readonly Item[] {
  const fitting: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += item.bytes + 1;
    if (fitting.length > 0 && (bytes > bytesMax || fitting.length >= LIMITS.batchItemsMax)) break;
    fitting.push(item);
  }
  return fitting;
}
