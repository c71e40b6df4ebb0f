/** Calls that are made in one turn of the event loop travel as one request, and each keeps its own outcome. */
import { LIMITS } from '../domain/limits.ts';
import { LeaseQueueError } from './errors.ts';

/** For the document and the rest of a request around its items. */
const AROUND_BYTES = 8_192;
/** One more waits until an answer is there: what arrives meanwhile joins it. */
const REQUESTS_AT_ONCE = 2;

const utf8 = new TextEncoder();

interface Waiting<Result> {
  /** The item as JSON. */
  readonly text: string;
  readonly bytes: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchParts<Result> {
  /** Asks for all items at once; one result for each, in order. */
  readonly send: (items: readonly string[]) => Promise<readonly Result[]>;
  /** Calls back at the end of the turn. */
  readonly atTurnEnd: (callback: () => void) => void;
  readonly requestBytesMax?: number;
}

/** Refusals of a whole request in which one item was at fault, and before which nothing ran. */
const BLAMES_ONE: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'REQUEST_ENTITY_TOO_LARGE', 'OPERATION_TOO_COMPLEX', 'FORBIDDEN']);

export class Batch<Item, Result> {
  readonly #parts: BatchParts<Result>;
  readonly #bytesMax: number;
  #waiting: Waiting<Result>[] = [];
  #inFlight = 0;
  #isPlanned = false;

  constructor(parts: BatchParts<Result>) {
    this.#parts = parts;
    this.#bytesMax = (parts.requestBytesMax ?? LIMITS.requestBytesMax) - AROUND_BYTES;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const text = JSON.stringify(item);
      this.#waiting.push({ text, bytes: utf8Bytes(text), resolve, reject });
      this.#plan();
    });
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
    const items = this.#waiting.splice(0, itemsThatFit(this.#waiting, this.#bytesMax));
    this.#inFlight += 1;
    await this.#settle(items);
    this.#inFlight -= 1;
    if (this.#waiting.length > 0) this.#plan();
  }

  async #settle(items: readonly Waiting<Result>[]): Promise<void> {
    try {
      const results = await this.#parts.send(items.map(({ text }) => text));
      for (const [index, { resolve }] of items.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (items.length > 1 && error instanceof LeaseQueueError && BLAMES_ONE.has(error.code)) await this.#settleHalves(items);
      else for (const { reject } of items) reject(error);
    }
  }

  /** Halves again and again, so that those at fault end alone and the others go through. */
  async #settleHalves(items: readonly Waiting<Result>[]): Promise<void> {
    const middle = Math.ceil(items.length / 2);
    await this.#settle(items.slice(0, middle));
    await this.#settle(items.slice(middle));
  }
}

/** At least one: the server says what is wrong with one that is too large. */
function itemsThatFit(items: readonly { readonly bytes: number }[], bytesMax: number): number {
  let bytes = 0;
  const beyond = items.findIndex((item, index) => {
    bytes += item.bytes + 1;
    return index > 0 && (bytes > bytesMax || index >= LIMITS.batchItemsMax);
  });
  return beyond === -1 ? items.length : beyond;
}

function utf8Bytes(text: string): number {
  return utf8.encode(text).length;
}
