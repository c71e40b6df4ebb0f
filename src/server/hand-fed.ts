/** The source of an operation whose messages are read elsewhere: each is put in by hand, and comes out as a result. */
import type { ExecutionResult } from 'graphql';
import type { Renderer } from '../feed/subscriber.ts';

const DONE = { done: true, value: undefined } as const;

export class HandFed<Message> implements AsyncIterableIterator<Message, void, undefined> {
  /** What was put in and not asked for yet, or asked for and not put in yet. */
  #meeting: PromiseWithResolvers<IteratorResult<Message, void>> | null = null;
  #isOver = false;

  put(message: Message): void {
    this.#meet().resolve({ done: false, value: message });
  }

  fail(error: unknown): void {
    this.#meet().reject(error);
  }

  next(): Promise<IteratorResult<Message, void>> {
    return this.#isOver ? Promise.resolve(DONE) : this.#meet().promise;
  }

  return(): Promise<IteratorResult<Message, void>> {
    this.#isOver = true;
    this.#meeting?.resolve(DONE);
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Whoever comes first waits here for the other. */
  #meet(): PromiseWithResolvers<IteratorResult<Message, void>> {
    const meeting = this.#meeting ?? Promise.withResolvers<IteratorResult<Message, void>>();
    this.#meeting = this.#meeting === null ? meeting : null;
    return meeting;
  }
}

/** Runs messages through the operation that is fed by `source`. `show` writes a result as the transport sends it. */
export function createRenderer<Message>(
  results: AsyncIterator<ExecutionResult>,
  source: HandFed<Message>,
  show: (result: ExecutionResult) => Buffer,
): Renderer<Buffer, Message> {
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
