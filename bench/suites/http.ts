/** One operation a request over HTTP, beside what the machine, the disk and SQLite could do at most. */
import { COMPLETE_ONE, graphqlBody, JOB_INPUT, SUBMIT, SUBMIT_NOTHING } from '../load/documents.ts';
import type { HttpFigures } from '../load/http-load.ts';
import { type Case, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
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

const BODIES = {
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

async function measureCeilings(run: Run): Promise<void> {
  await run.alternate(ceilings(run));
}

async function measureServer(run: Run): Promise<void> {
  const { workspace } = run;
  const slow = (): Readonly<Record<string, string>> => countSyncs(workspace, SLOW_SYNC_MS)?.environment ?? {};
  await using stack = new AsyncDisposableStack();
  const start = async (wanted: readonly string[], options: Parameters<typeof startServer>[0]): Promise<ServerProcess | null> => {
    if (!wanted.some((name) => run.wants(name))) return null;
    return stack.use(await startServer({ database: workspace.newDatabase(), ...options }));
  };
  const namesOf = (prefix: string): readonly string[] => [...CEILINGS, ...SERVER].map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const echo = await start(namesOf('ceiling/echo'), { program: 'echo' });
  const ours = await start([...namesOf('http/'), ...namesOf('submit/http/')], { program: 'compiled' });
  const single = await start(namesOf('submit/one-a-commit/'), { program: 'one-a-commit' });
  const hasCompiler = countSyncs(workspace, 0) !== null;
  if (!hasCompiler) run.skip([...namesOf('submit/http-2ms/'), 'submit/one-a-commit-2ms/64', 'durability/syncs'], NO_COMPILER);
  const slowOurs = hasCompiler ? await start(namesOf('submit/http-2ms/'), { program: 'compiled', environment: slow() }) : null;
  const slowSingle = hasCompiler ? await start(['submit/one-a-commit-2ms/64'], { program: 'one-a-commit', environment: slow() }) : null;

  const on = (server: ServerProcess | null, kind: keyof typeof BODIES, connections: number): Case => {
    return () => (server === null ? Promise.reject(new Error('its server was not started')) : flood(run, server, kind, connections));
  };
  for (const server of [ours, single]) if (server !== null) await flood(run, server, 'submit', 64);
  await run.alternate({
    ...Object.fromEntries([1, 64].map((count) => [`ceiling/echo/${count}`, on(echo, 'submit', count)])),
    'http/empty-query/64': on(ours, 'query', 64),
    'http/empty-mutation/64': on(ours, 'nothing', 64),
    'http/refused/64': on(ours, 'refused', 64),
    ...Object.fromEntries(CONNECTIONS.map((count) => [`submit/http/${count}`, on(ours, 'submit', count)])),
    ...Object.fromEntries([1, 64].map((count) => [`submit/one-a-commit/${count}`, on(single, 'submit', count)])),
    ...(slowOurs !== null && Object.fromEntries([1, 64, 256].map((count) => [`submit/http-2ms/${count}`, on(slowOurs, 'submit', count)]))),
    ...(slowSingle !== null && { 'submit/one-a-commit-2ms/64': on(slowSingle, 'submit', 64) }),
    ...(hasCompiler && { 'durability/syncs': () => syncsPerRequest(run) }),
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
  measure: measureCeilings,
};
export const HTTP_SUITE: Suite = {
  name: 'one operation a request',
  rows: [...CEILINGS.filter(({ name }) => name.startsWith('ceiling/echo')), ...SERVER],
  measure: measureServer,
};
