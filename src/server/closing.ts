/** Streams that say when they are over. */

/** The same stream; `close` is called when it has ended or failed, or its reader returns. */
export function closing<Value>(stream: AsyncIterableIterator<Value>, close: () => void): AsyncIterableIterator<Value> {
  return {
    async next() {
      try {
        const result = await stream.next();
        if (result.done === true) close();
        return result;
      } catch (error) {
        close();
        throw error;
      }
    },
    async return(value) {
      close();
      return (await stream.return?.(value)) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
