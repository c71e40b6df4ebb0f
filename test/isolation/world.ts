/** Two servers over one store, the short way and the long way, for keys of any scope, with the database open to look into. */
import { QUOTAS, type Scope, SCOPES } from '../../src/domain/access.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { type App, createApp } from '../../src/server/app.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { TENANT_TABLE_NAMES } from '../../src/store/tenant-tables.ts';
import type { Tables } from '../../src/store/tables.ts';
import { createTestKey } from '../support/keys.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { openTestStore, TEST_RETENTION } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';
import type { Servers } from './ways.ts';

export const ASKING = 'asking-tenant';

export interface World extends AsyncDisposable, Servers {
  readonly store: LeaseRepository;
  readonly engine: Engine;
  readonly clock: ManualClock;
  /** Every line of both servers, at the most talkative level. */
  readonly logs: string[];
  /** Statements that the database has executed. */
  readonly statements: string[];
}

/** The clock stands still, and with it all buckets: once they are full, nothing runs into a rate. */
const MANY = QUOTAS.costPerSecond.max;

async function fillBuckets({ store, clock }: Pick<World, 'store' | 'clock'>, urls: readonly string[]): Promise<void> {
  const { headers } = await createTestKey(store, { tenant: ASKING, name: 'first', scopes: ['READ'] });
  for (const url of urls) await (await fetch(`${url}/graphql?query={__typename}`, { headers })).text();
  clock.advance(1_000);
}

export async function openWorld(): Promise<World> {
  const statements: string[] = [];
  const { store, engine, clock } = await openTestStore({ onStatement: (text) => statements.push(text) });
  const logs: string[] = [];
  const start = (shortWay: boolean): Promise<App> =>
    createApp({
      config: {
        host: '127.0.0.1',
        port: 0,
        basePath: '',
        databasePath: ':memory:',
        environment: 'production',
        auth: 'required',
        answersLoopbackNamesOnly: false,
        maxRequestBytes: 131_072,
        logLevel: 'debug',
        metricTenantsMax: 0,
        retention: TEST_RETENTION,
      },
      store,
      clock,
      entropy: seededEntropy(),
      log: createLogger({ level: 'debug', clock, stream: { write: (line) => logs.push(line) } }),
      shortWay,
    });
  const [short, long] = [await start(true), await start(false)];
  await store.createTenant({ id: tenant(ASKING), name: 'Asking', quotas: { requestsPerSecond: MANY, costPerSecond: MANY } });
  await fillBuckets({ store, clock }, [short.url, long.url]);
  return {
    store,
    engine,
    clock,
    logs,
    statements,
    url: short.url,
    longUrl: long.url,
    async [Symbol.asyncDispose]() {
      await long.stop();
      await short.stop();
    },
  };
}

export interface Asker {
  readonly name: string;
  /** Text of its key. */
  readonly key: string;
  readonly scopes: readonly Scope[];
}

const ALL_BUT_SYSTEM = SCOPES.filter((scope) => scope !== 'SYSTEM');
const OF_QUEUES = ALL_BUT_SYSTEM.filter((scope) => scope !== 'ADMIN');

async function asker(store: LeaseRepository, name: string, scopes: readonly Scope[], queues: readonly string[] = []): Promise<Asker> {
  const { text } = await createTestKey(store, { tenant: ASKING, name, scopes, queues });
  return { name, key: text, scopes };
}

/** A key with each scope alone, with all but SYSTEM, with these too but restricted to queues, and with SYSTEM, naming nobody. */
export async function askers(store: LeaseRepository, ownQueues: readonly string[]): Promise<readonly Asker[]> {
  const found: Asker[] = [];
  for (const scope of SCOPES) found.push(await asker(store, scope, [scope]));
  found.push(await asker(store, 'all but SYSTEM', ALL_BUT_SYSTEM));
  found.push(await asker(store, 'restricted to queues', OF_QUEUES, ownQueues));
  found.push(await asker(store, 'every scope', SCOPES));
  return found;
}

/** One key of each kind that a restriction to queues can be put on. */
export async function restrictedAskers(store: LeaseRepository, queues: readonly string[]): Promise<readonly Asker[]> {
  const found: Asker[] = [];
  for (const scope of OF_QUEUES) found.push(await asker(store, scope, [scope], queues));
  found.push(await asker(store, 'all that a restricted key can have', OF_QUEUES, queues));
  return found;
}

/** Every row of the tenant in every table, as text. */
export async function rowsOf({ db }: Engine, owner: string): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const table of TENANT_TABLE_NAMES) {
    const found = await acrossTenants(db)
      .selectFrom(table as keyof Tables & 'jobs')
      .selectAll()
      .where('tenant_id', '=', tenant(owner))
      .execute();
    rows.push(...found.map((row) => `${table} ${JSON.stringify(row)}`));
  }
  return rows;
}
