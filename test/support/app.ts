/** A whole server on a free port of the loopback, over a real store under a manual clock. */
import { type Authenticate, authenticateNobody } from '../../src/auth/authenticate.ts';
import type { Principal } from '../../src/auth/principal.ts';
import type { Config } from '../../src/runtime/config.ts';
import { createLogger, type LogLevel } from '../../src/runtime/logger.ts';
import { type App, createApp } from '../../src/server/app.ts';
import type { NetworkLimits } from '../../src/server/network-limits.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ManualClock } from './manual-clock.ts';
import { lookAt } from './secret-watch.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { openTestStore, TEST_RETENTION } from './store.ts';

export interface TestAppOptions {
  readonly config?: Partial<Config>;
  readonly path?: string;
  readonly clock?: ManualClock;
  readonly logLevel?: LogLevel;
  readonly pingEveryMs?: number;
  readonly network?: Partial<NetworkLimits>;
  /** Absent: as `ways` says. */
  readonly shortWay?: boolean;
  /** What whoever asks may do. Absent: everything, without a key. */
  readonly rights?: Pick<Principal, 'key' | 'scopes'>;
  /** Puts faults in front of the store. */
  readonly spoil?: (store: LeaseRepository) => LeaseRepository;
}

export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint: answers are looked into by tests, whose expectations are their types
  readonly data: any;
  readonly errors: readonly { readonly message: string; readonly path?: readonly unknown[]; readonly extensions: Readonly<Record<string, unknown>> }[];
}
export interface LogEntry {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface TestApp extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly wsUrl: string;
  readonly clock: ManualClock;
  readonly store: LeaseRepository;
  readonly logs: LogEntry[];
  readonly fatal: readonly Error[];
  graphql(query: string, variables?: object, headers?: Readonly<Record<string, string>>): Promise<GraphqlAnswer>;
  /** Value of a series on the metrics page; undefined where it is not there. */
  metric(series: string): Promise<number | undefined>;
  submit(change?: object, tenant?: string): Promise<string>;
}

/** Which way requests take in the servers that are started from now on; a file of tests may change it for itself. */
export const ways = { shortWay: true };

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 0,
  basePath: '',
  databasePath: ':memory:',
  environment: 'production',
  auth: 'none',
  answersLoopbackNamesOnly: false,
  maxRequestBytes: 131_072,
  logLevel: 'debug',
  metricTenantsMax: 0,
  retention: TEST_RETENTION,
};

function withRights(rights: Pick<Principal, 'key' | 'scopes'>): Authenticate {
  return async (credentials) => {
    const who = await authenticateNobody(credentials);
    return who.ok ? { ok: true, principal: { ...who.principal, ...rights } } : who;
  };
}

const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } } } }';

export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const {
    store: opened,
    clock,
    fatal,
  } = await openTestStore({
    ...(options.path !== undefined && { path: options.path }),
    ...(options.clock !== undefined && { clock: options.clock }),
  });
  const store = options.spoil?.(opened) ?? opened;
  const { key = null } = options.rights ?? {};
  // What is opened with a key ends where there is no such key.
  if (key !== null) await opened.createKey(key.tenant, { ...key, name: key.id, secretHash: 'of no key', scopes: ['READ'], queues: [] }, true);
  const logs: LogEntry[] = [];
  const keep = (line: string): void => {
    lookAt('log', line);
    logs.push(JSON.parse(line) as LogEntry);
  };
  const log = createLogger({ level: options.logLevel ?? 'debug', clock, stream: { write: (line) => keep(line) } });
  const app = await createApp({
    config: { ...DEFAULTS, ...options.config },
    store,
    clock,
    entropy: seededEntropy(),
    log,
    shortWay: options.shortWay ?? ways.shortWay,
    ...(options.rights !== undefined && { authenticate: withRights(options.rights) }),
    ...(options.pingEveryMs !== undefined && { pingEveryMs: options.pingEveryMs }),
    ...(options.network !== undefined && { network: options.network }),
  });
  const graphql: TestApp['graphql'] = async (query, variables = {}, headers = {}) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    const { data, errors } = JSON.parse(text) as Partial<Pick<GraphqlAnswer, 'data' | 'errors'>>;
    return { status: response.status, headers: response.headers, text, data, errors: errors ?? [] };
  };
  return {
    app,
    url: app.url,
    wsUrl: app.wsUrl,
    clock,
    store,
    logs,
    fatal,
    graphql,
    async metric(series) {
      const page = await (await fetch(`${app.url}/metrics`)).text();
      const line = page.split('\n').find((candidate) => candidate.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    async submit(change = {}, tenant = 'default') {
      const { data } = await graphql(SUBMIT, { input: { queue: 'q', task: 't', ...change } }, { 'x-leasequeue-tenant': tenant });
      return data.submitJob.job.id as string;
    },
    [Symbol.asyncDispose]: () => app.stop(),
  };
}
