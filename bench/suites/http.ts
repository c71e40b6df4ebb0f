/** One operation a request over HTTP, beside what the machine, the disk and SQLite could do at most. */
import { COMPLETE_ONE, graphqlBody, JOB_INPUT, SUBMIT, SUBMIT_NOTHING } from '../load/documents.ts';
import type { HttpFigures } from '../load/http-load.ts';
import { type Case, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type Program, type ServerProcess, startServer } from '../server/server-process.ts';
import { countSyncs, NO_COMPILER } from '../server/slow-sync.ts';

const SLOW_SYNC_MS = 2;
const PER_TRANSACTION = [1, 10, 100, 500] as const;
const CONNECTIONS = [1, 16, 64, 256] as const;
const FULL_ONLY = { scale: 'full' } as const;
const rate = { headline: 'perSecond', better: 'higher' } as const;

const CEILINGS: readonly Row[] = [
  { name: 'ceiling/append', what: 'Append 4 KiB to a file and sync it', ...rate },
  ...rowsOf(PER_TRANSACTION, (count) => ({
    name: `ceiling/sqlite-submit/${count}`,
    what: `Bare better-sqlite3, FULL: a job and its event, ${count} per transaction`,
    ...rate,
  })),
  ...rowsOf([1, 10, 100] as const, (count) => ({
    name: `ceiling/sqlite-cycle/${count}`,
    what: `Bare better-sqlite3, FULL: submit, claim and complete with their events, ${count} per transaction`,
    ...rate,
  })),
  ...rowsOf([1, 64] as const, (count) => ({
    name: `ceiling/echo/${count}`,
    what: `Bare node:http that parses the submission and sends it back, ${count} connections`,
    ...rate,
  })),
];

const SERVER: readonly Row[] = [
  { name: 'http/empty-query/64', what: '{ __typename } over 64 connections', ...rate, ceiling: 'ceiling/echo/64' },
  {
    name: 'http/empty-mutation/64',
    what: 'The submitJob document with its input, whose only field is skipped: parsed, checked and answered, nothing done',
    ...rate,
    ceiling: 'ceiling/echo/64',
  },
  {
    name: 'http/refused/64',
    what: 'completeJob of a job that does not exist: through the store, refused, nothing written',
    ...rate,
    ceiling: 'ceiling/echo/64',
  },
  ...rowsOf(CONNECTIONS, (count) => ({
    name: `submit/http/${count}`,
    what: `submitJob, one a request, ${count} connections`,
    ...rate,
    ceiling: count === 1 ? 'ceiling/append' : 'ceiling/echo/64',
    ...(count === 1 && { work: 'submit-1' as const }),
    ...(count === 64 && { work: 'submit-64' as const }),
  })),
  ...rowsOf([1, 64] as const, (count) => ({
    name: `submit/one-a-commit/${count}`,
    what: `The same with one transaction for each request, ${count} connections`,
    ...rate,
    ...(count === 1 && FULL_ONLY),
  })),
  ...rowsOf([1, 64, 256] as const, (count) => ({
    name: `submit/http-2ms/${count}`,
    what: `submitJob where each sync of the log takes ${SLOW_SYNC_MS} ms more, ${count} connections`,
    ...rate,
    ...(count !== 64 && FULL_ONLY),
  })),
  {
    name: 'submit/one-a-commit-2ms/64',
    what: `One transaction for each request where each sync takes ${SLOW_SYNC_MS} ms more, 64 connections`,
    ...rate,
  },
  {
    name: 'durability/syncs',
    what: 'Syncs of the write-ahead log per submission of a lonely client, counted under the running server: at least 1',
    headline: 'syncsPerRequest',
    better: 'lower',
  },
];

export const BODIES = {
  submit: { body: graphqlBody(SUBMIT, { input: JOB_INPUT }), expect: 'SubmitJobSuccess' },
  nothing: { body: graphqlBody(SUBMIT_NOTHING, { input: JOB_INPUT, skip: true }), expect: '"Mutation"' },
  query: { body: graphqlBody('{ __typename }'), expect: '"Query"' },
  refused: { body: graphqlBody(COMPLETE_ONE, { input: { jobId: '01890000-0000-7000-8000-000000000000', leaseToken: 'none' } }), expect: 'JOB_NOT_FOUND' },
} as const;

function flood({ load, scale }: Run, { url }: ServerProcess, kind: keyof typeof BODIES, connections: number): Promise<HttpFigures> {
  const { body, expect } = BODIES[kind];
  return load.run('http', { url, connections, requests: [{ body }], expect, warmSeconds: scale.warmSeconds, seconds: scale.measureSeconds });
}

function ceilings({ load, scale, workspace }: Run): Record<string, Case> {
  const seconds = Math.min(scale.measureSeconds, 2);
  const sqlite = (work: 'submit' | 'cycle', perTransaction: number): Case => {
    return () => load.run('sqlite', { file: workspace.newDatabase(), seconds, perTransaction, work });
  };
  return {
    'ceiling/append': () => load.run('append', { file: workspace.newDatabase(), seconds }),
    ...Object.fromEntries(PER_TRANSACTION.map((count) => [`ceiling/sqlite-submit/${count}`, sqlite('submit', count)])),
    ...Object.fromEntries([1, 10, 100].map((count) => [`ceiling/sqlite-cycle/${count}`, sqlite('cycle', count)])),
  };
}

const VARIANTS = {
  echo: { program: 'echo', slow: false },
  ours: { program: 'compiled', slow: false },
  single: { program: 'one-a-commit', slow: false },
  slow: { program: 'compiled', slow: true },
  'slow-single': { program: 'one-a-commit', slow: true },
} as const satisfies Record<string, { readonly program: Program; readonly slow: boolean }>;
type Variant = keyof typeof VARIANTS;

/** One server of each variant, started and warmed at its first use. */
class Servers implements AsyncDisposable {
  readonly #run: Run;
  readonly #started = new Map<Variant, ServerProcess>();

  constructor(run: Run) {
    this.#run = run;
  }

  async of(variant: Variant): Promise<ServerProcess> {
    const known = this.#started.get(variant);
    if (known !== undefined) return known;
    const { program, slow } = VARIANTS[variant];
    const { workspace } = this.#run;
    const environment = slow ? countSyncs(workspace, SLOW_SYNC_MS)?.environment : undefined;
    const server = await startServer({ program, database: workspace.newDatabase(), ...(environment !== undefined && { environment }) });
    this.#started.set(variant, server);
    if (variant !== 'echo') await flood(this.#run, server, 'submit', 64);
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#started.values()].map((server) => server.stop()));
  }
}

async function measureServer(run: Run): Promise<void> {
  await using servers = new Servers(run);
  if (countSyncs(run.workspace, 0) === null) {
    run.skip(
      SERVER.map(({ name }) => name).filter((name) => /2ms|durability/.test(name)),
      NO_COMPILER,
    );
  }
  const on = (variant: Variant, kind: keyof typeof BODIES, connections: number): Case => {
    return async () => flood(run, await servers.of(variant), kind, connections);
  };
  const each = (prefix: string, counts: readonly number[], variant: Variant): Readonly<Record<string, Case>> => {
    return Object.fromEntries(counts.map((count) => [`${prefix}/${count}`, on(variant, 'submit', count)]));
  };
  await run.alternate({
    ...each('ceiling/echo', [1, 64], 'echo'),
    'http/empty-query/64': on('ours', 'query', 64),
    'http/empty-mutation/64': on('ours', 'nothing', 64),
    'http/refused/64': on('ours', 'refused', 64),
    ...each('submit/http', CONNECTIONS, 'ours'),
    ...each('submit/one-a-commit', [1, 64], 'single'),
    ...each('submit/http-2ms', [1, 64, 256], 'slow'),
    ...each('submit/one-a-commit-2ms', [64], 'slow-single'),
    'durability/syncs': () => syncsPerRequest(run),
  });
}

async function syncsPerRequest(run: Run): Promise<{ readonly syncsPerRequest: number; readonly requests: number }> {
  const counter = countSyncs(run.workspace, 0);
  if (counter === null) throw new Error(NO_COMPILER);
  await using server = await startServer({ program: 'compiled', database: run.workspace.newDatabase(), environment: counter.environment });
  const before = counter.count();
  const { body, expect } = BODIES.submit;
  const { requests } = await run.load.run('http', { url: server.url, connections: 1, requests: [{ body }], expect, seconds: 30, requestsMax: 300 });
  const syncs = counter.count() - before;
  if (syncs < requests) throw new Error(`${requests} submissions were acknowledged with ${syncs} syncs: they are not durable`);
  return { syncsPerRequest: syncs / requests, requests };
}

export const CEILING_SUITE: Suite = {
  name: 'what the disk and SQLite can do',
  rows: CEILINGS.filter(({ name }) => !name.startsWith('ceiling/echo')),
  measure: (run) => run.alternate(ceilings(run)),
};
export const HTTP_SUITE: Suite = {
  name: 'one operation a request',
  rows: [...CEILINGS.filter(({ name }) => name.startsWith('ceiling/echo')), ...SERVER],
  measure: measureServer,
};
