/** What the resolvers get for one exchange: the store, who asks, and feeds that end with the client or with the server. */
import { mintKey } from '../auth/api-key.ts';
import type { TenantId } from '../domain/job.ts';
import { type FeedParts, follow } from '../feed/tail.ts';
import type { WakeUp } from '../feed/wakeup.ts';
import type { GraphQLContext } from '../graphql/context.ts';
import { followChanges } from '../graphql/subscriptions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Entropy } from '../runtime/entropy.ts';
import { nextTurn } from '../runtime/turn.ts';
import type { TenantStore } from '../store/tenant-store.ts';
import { confine } from '../store/confined-store.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { JobStore } from '../store/store.ts';
import type { Exchange, Transport } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import { closing } from './closing.ts';
import type { RuleBook } from './rule-book.ts';
import type { OpenFeed } from './tenant-charges.ts';

export interface ContextParts {
  readonly store: JobStore & TenantStore & KeyStore;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly wakeUp: WakeUp;
  readonly metrics: Pick<Metrics, 'feedObserver'>;
  readonly rules: Pick<RuleBook, 'of'>;
  readonly openFeed: OpenFeed;
  readonly openNow: GraphQLContext['openNow'];
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

export function contextMaker({
  store: all,
  entropy,
  clock,
  wakeUp,
  metrics,
  rules,
  openFeed,
  openNow,
  stopping,
}: ContextParts): (exchange: Exchange) => GraphQLContext {
  const feedParts = (store: JobStore, tenant: TenantId, transport: Transport, signal: AbortSignal): FeedParts => ({
    readAfter: (position, filter, limit, isNewestOnly) => store.eventsAfter(tenant, position, filter, limit, isNewestOnly),
    latestPosition: () => store.latestPosition(tenant),
    listen: () => wakeUp.listen(tenant),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, end) => clock.sleep(ms, end),
    nextTurn,
    signal,
    observer: metrics.feedObserver(transport),
  });
  return (exchange) => {
    const { principal, transport, source } = exchange;
    const { tenant, queues } = principal;
    const store = queues === null ? all : confine(all, queues);
    const streamEnd = (): AbortSignal => AbortSignal.any([exchange.signal, stopping]);
    return {
      store,
      keys: all,
      mintKey: (owner) => mintKey(entropy, owner),
      tenants: all,
      principal,
      redaction: () => rules.of(tenant),
      openNow,
      gone: () => exchange.signal,
      onUndelivered: (undo) => exchange.onUndelivered(undo),
      follow: (request) =>
        source === undefined
          ? closing(follow(feedParts(store, tenant, transport, streamEnd()), request), openFeed(tenant))
          : source.follow(feedParts(store, tenant, transport, stopping), request),
      watch: (looking) => {
        if (source !== undefined) return source.watch({ ...looking, sleep: (ms, end) => clock.sleep(ms, end), signal: stopping });
        const end = streamEnd();
        const pause = async (): Promise<boolean> => {
          await clock.sleep(looking.everyMs, end);
          return !end.aborted;
        };
        return closing(followChanges(looking, pause), openFeed(tenant));
      },
    };
  };
}
