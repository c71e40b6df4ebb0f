/** The source of an operation whose messages are read elsewhere: each is put in by hand, and comes out as a result. */
import type { ExecutionResult } from 'graphql';
import type { Renderer } from '../feed/subscriber.ts';
import type { FeedMessage, FeedParts, FeedRequest } from '../feed/tail.ts';

/** What the operation asked to follow. */
export interface Wanted {
  readonly parts: FeedParts;
  readonly request: FeedRequest;
}

const DONE = { done: true, value: undefined } as const;

export class HandFed implements AsyncIterableIterator<FeedMessage, void, undefined> {
  /** Null until the operation has begun, and where it follows no events. */
  wanted: Wanted | null = null;
  /** What was put in and not asked for yet, or asked for and not put in yet. */
  #meeting: PromiseWithResolvers<IteratorResult<FeedMessage, void>> | null = null;
  #isOver = false;

  follow(parts: FeedParts, request: FeedRequest): this {
    this.wanted = { parts, request };
    return this;
  }

  put(message: FeedMessage): void {
    this.#meet().resolve({ done: false, value: message });
  }

  fail(error: unknown): void {
    this.#meet().reject(error);
  }

  next(): Promise<IteratorResult<FeedMessage, void>> {
    return this.#isOver ? Promise.resolve(DONE) : this.#meet().promise;
  }

  return(): Promise<IteratorResult<FeedMessage, void>> {
    this.#isOver = true;
    this.#meeting?.resolve(DONE);
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Whoever comes first waits here for the other. */
  #meet(): PromiseWithResolvers<IteratorResult<FeedMessage, void>> {
    const meeting = this.#meeting ?? Promise.withResolvers<IteratorResult<FeedMessage, void>>();
    this.#meeting = this.#meeting === null ? meeting : null;
    return meeting;
  }
}

/** Runs messages through the operation that is fed by `source`. `show` writes a result as the transport sends it. */
export function createRenderer(results: AsyncIterator<ExecutionResult>, source: HandFed, show: (result: ExecutionResult) => Buffer): Renderer<Buffer> {
  return {
    async render(message) {
      const result = results.next();
      source.put(message);
      const { done, value } = await result;
      if (done === true) throw new Error('an operation ended before its feed');
      return show(value);
    },
    async failure(error) {
      const result = results.next();
      source.fail(error);
      return result.then(
        () => error,
        (told: unknown) => told,
      );
    },
    close() {
      results.return?.().catch(ignoreLateFailure);
    },
  };
}

/** The operation is over, and with it whoever could be told. */
function ignoreLateFailure(): void {}
