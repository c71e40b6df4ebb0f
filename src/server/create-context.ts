/** What the resolvers get for one exchange: the store, who asks, and feeds that end with the client or with the server. */
import { follow } from '../feed/tail.ts';
import type { WakeUp } from '../feed/wakeup.ts';
import type { GraphQLContext } from '../graphql/context.ts';
import type { Clock } from '../runtime/clock.ts';
import { nextTurn } from '../runtime/turn.ts';
import type { JobStore } from '../store/store.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from './metrics.ts';

export interface ContextParts {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly wakeUp: WakeUp;
  readonly metrics: Metrics;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

export function contextMaker({ store, clock, wakeUp, metrics, stopping }: ContextParts): (exchange: Exchange) => GraphQLContext {
  return (exchange) => {
    const { principal, transport } = exchange;
    const { tenant } = principal;
    const streamEnd = (): AbortSignal => AbortSignal.any([exchange.signal, stopping]);
    return {
      store,
      principal,
      gone: () => exchange.signal,
      onUndelivered: (undo) => exchange.onUndelivered(undo),
      follow: (request) =>
        follow(
          {
            readAfter: (position, filter, limit) => store.eventsAfter(tenant, position, filter, limit),
            latestPosition: () => store.latestPosition(tenant),
            listen: () => wakeUp.listen(tenant),
            monotonicMs: () => clock.monotonicMs(),
            sleep: (ms, end) => clock.sleep(ms, end),
            nextTurn,
            signal: streamEnd(),
            observer: metrics.feedObserver(transport),
          },
          request,
        ),
      pause: async (ms) => {
        const end = streamEnd();
        await clock.sleep(ms, end);
        return !end.aborted;
      },
    };
  };
}
