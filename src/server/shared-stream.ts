/** A shared feed as the stream of one operation: its results are sent on the side, so that the stream itself only ends. */
import type { ExecutionResult } from 'graphql';
import type { Subscriber } from '../feed/subscriber.ts';
import type { Live } from './live-operations.ts';

const DONE = { done: true, value: undefined } as const;

/** Begins with the first `next()`. Fails where the feed does, and ends at once with `return()`. */
export function sharedStream(live: Live, out: Pick<Subscriber<Buffer>, 'send' | 'hasRoom'>): AsyncIterableIterator<ExecutionResult, void, undefined> {
  const over = Promise.withResolvers<typeof DONE>();
  const end = (): void => over.resolve(DONE);
  let leave: (() => void) | null = null;
  return {
    next() {
      leave ??= live.follow({ ...out, end, fail: over.reject });
      return over.promise;
    },
    return() {
      if (leave === null) live.discard();
      else leave();
      leave = end;
      end();
      return Promise.resolve(DONE);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
