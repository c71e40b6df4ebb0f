/**
 * An async generator that ends when it is told to. The `return()` of a plain one waits behind its pending `next()`,
 * so that an idle stream would outlive its client until the next event.
 */

const DONE = { done: true, value: undefined } as const;

/**
 * Runs `make` with a signal that aborts with `outer` or with `return()`; a pending `next()` then ends at once, whatever
 * the generator waits for. The generator's own `finally` runs as soon as it notices.
 */
export function interruptible<Message>(
  outer: AbortSignal,
  make: (signal: AbortSignal) => AsyncGenerator<Message, void, undefined>,
): AsyncIterableIterator<Message, void, undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const generator = make(signal);
  const end = (): void => {
    outer.removeEventListener('abort', end);
    controller.abort();
    generator.return().catch(ignoreLateFailure);
  };
  if (outer.aborted) end();
  else outer.addEventListener('abort', end, { once: true });

  return {
    next: () => untilAborted(generator.next(), signal, end),
    return: async () => {
      end();
      return DONE;
    },
    throw: async (error) => {
      end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The reader is gone by then, and with it whoever could be told. */
function ignoreLateFailure(): void {}

function untilAborted<Message>(pending: Promise<IteratorResult<Message, void>>, signal: AbortSignal, end: () => void): Promise<IteratorResult<Message, void>> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(DONE);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const settle = (): void => signal.removeEventListener('abort', stop);
    pending.then(
      (result) => {
        settle();
        if (result.done === true) end();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        end();
        reject(error);
      },
    );
  });
}
