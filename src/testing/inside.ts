/**
 * The composition root of a test queue: the store that servers run, on a database in memory, and the pipeline of their
 * GraphQL API without sockets. Rates are not charged for, since time stands still between two calls of a test.
 */
import type { Principal } from '../auth/principal.ts';
import { SCOPES } from '../domain/access.ts';
import type { Retention, TenantId } from '../domain/job.ts';
import { WakeUp } from '../feed/wakeup.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Entropy, mintSecret } from '../runtime/entropy.ts';
import { createLogger } from '../runtime/logger.ts';
import { contextMaker } from '../server/create-context.ts';
import { createGate } from '../server/gate.ts';
import { createGraphqlHttp, type Yoga } from '../server/graphql-http.ts';
import { createMask } from '../server/graphql-pipeline.ts';
import { RuleBook } from '../server/rule-book.ts';
import { createJobStore } from '../store/create-store.ts';
import { openSqlite } from '../store/engines/sqlite.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';

export interface InsideParts {
  readonly tenant: TenantId;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Called after each commit. */
  readonly committed: () => void;
}
export interface Inside {
  readonly store: LeaseRepository;
  readonly yoga: Yoga;
  /** Whoever asks: everybody is allowed everything. */
  readonly principal: Principal;
  close(): Promise<void>;
}

/** What a server keeps by default. */
const RETENTION: Retention = { completedSeconds: 604_800, cancelledSeconds: 604_800, deadSeconds: 7_776_000 };

const nothing = (): void => {};

export async function openInside({ tenant, clock, entropy, committed }: InsideParts): Promise<Inside> {
  const store = await createJobStore({
    engine: openSqlite({ path: ':memory:', clock }),
    clock,
    entropy,
    retention: RETENTION,
    onFatal: (error) => log.error('the database in memory failed', { error }),
  });
  const log = createLogger({ level: 'warn', clock, stream: process.stderr });
  const wakeUp = new WakeUp();
  store.onLogGrown((owner) => wakeUp.wake(owner));
  store.onCommit(committed);
  const rules = new RuleBook(store);
  store.onAccessChanged(() => rules.forget());
  const stopping = new AbortController();
  const createContext = contextMaker({
    store,
    entropy,
    clock,
    wakeUp,
    metrics: { feedObserver: () => ({ opened: nothing, delivered: nothing, closed: nothing }) },
    rules,
    openFeed: () => nothing,
    openNow: () => ({ feeds: 0, sockets: 0 }),
    stopping: stopping.signal,
  });
  const mask = createMask({ log, mintId: () => mintSecret(entropy) });
  const yoga = createGraphqlHttp({ createContext, mask, gate: createGate({ production: false }), renderGraphiql: null });
  return {
    store,
    yoga,
    principal: { tenant, key: null, actor: null, scopes: new Set(SCOPES), queues: null },
    async close() {
      stopping.abort();
      store.stopWaiting();
      await yoga.dispose();
      await store.close();
    },
  };
}
