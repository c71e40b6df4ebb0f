/** A shared feed as the stream of one operation: its results are sent on the side, so that the stream itself only ends. */
import type { ExecutionResult } from 'graphql';
import type { Following, SharedFeeds } from '../feed/shared-feeds.ts';
import type { Subscriber } from '../feed/subscriber.ts';

const DONE = { done: true, value: undefined } as const;

/** Begins with the first `next()`. Fails where the feed does, and ends at once with `return()`. */
export function sharedStream(
  feeds: SharedFeeds<Buffer>,
  following: Following<Buffer>,
  out: Pick<Subscriber<Buffer>, 'send' | 'hasRoom'>,
): AsyncIterableIterator<ExecutionResult, void, undefined> {
  const over = Promise.withResolvers<typeof DONE>();
  const end = (): void => over.resolve(DONE);
  let leave: (() => void) | null = null;
  return {
    next() {
      leave ??= feeds.follow(following, { ...out, end, fail: over.reject });
      return over.promise;
    },
    return() {
      if (leave === null) following.renderer.close();
      else leave();
      leave = following.renderer.close;
      end();
      return Promise.resolve(DONE);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
