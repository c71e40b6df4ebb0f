/** The source of an operation whose messages are read elsewhere: each is put in by hand, and comes out as a result. */
import type { ExecutionResult } from 'graphql';
import type { FiguresParts } from '../feed/shared-figures.ts';
import type { Renderer } from '../feed/subscriber.ts';
import type { FeedMessage, FeedParts, FeedRequest } from '../feed/tail.ts';
import type { Stats } from '../store/answers.ts';
import type { FeedSource } from './exchange.ts';

/** What the operation asked for when it began. */
export type Wanted =
  | { readonly kind: 'events'; readonly parts: FeedParts; readonly request: FeedRequest }
  | { readonly kind: 'figures'; readonly parts: FiguresParts<Stats> };

const DONE = { done: true, value: undefined } as const;

type Handed = IteratorResult<FeedMessage | Stats, void>;

export class HandFed implements FeedSource {
  /** Null until the operation has begun. */
  wanted: Wanted | null = null;
  /** What was put in and not asked for yet, or asked for and not put in yet. */
  #meeting: PromiseWithResolvers<Handed> | null = null;
  #isOver = false;

  follow(parts: FeedParts, request: FeedRequest): AsyncIterableIterator<FeedMessage> {
    this.wanted = { kind: 'events', parts, request };
    return this.#handed();
  }

  watch(parts: FiguresParts<Stats>): AsyncIterableIterator<Stats> {
    this.wanted = { kind: 'figures', parts };
    return this.#handed();
  }

  put(message: FeedMessage | Stats): void {
    this.#meet().resolve({ done: false, value: message });
  }

  fail(error: unknown): void {
    this.#meet().reject(error);
  }

  /** What is put in, which is what was wanted. */
  #handed<Message extends FeedMessage | Stats>(): AsyncIterableIterator<Message> {
    const source = {
      next: (): Promise<Handed> => (this.#isOver ? Promise.resolve(DONE) : this.#meet().promise),
      return: (): Promise<Handed> => {
        this.#isOver = true;
        this.#meeting?.resolve(DONE);
        return Promise.resolve(DONE);
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    return source as AsyncIterableIterator<Message>;
  }

  /** Whoever comes first waits here for the other. */
  #meet(): PromiseWithResolvers<Handed> {
    const meeting = this.#meeting ?? Promise.withResolvers<Handed>();
    this.#meeting = this.#meeting === null ? meeting : null;
    return meeting;
  }
}

/** Runs messages through the operation that is fed by `source`. `show` writes a result as the transport sends it. */
export function createRenderer(
  results: AsyncIterator<ExecutionResult>,
  source: HandFed,
  show: (result: ExecutionResult) => Buffer,
): Renderer<Buffer, FeedMessage | Stats> {
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
