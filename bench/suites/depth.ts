/** Whether anything grows with the number of jobs that are stored. */
import { DEEP_QUEUE, fillDatabase } from '../fill/big-database.ts';
import { graphqlBody, LISTS, NEWEST_EVENTS, QUEUES, STATS } from '../load/documents.ts';
import type { HttpFigures } from '../load/http-load.ts';
import { join } from 'node:path';
import type { Case, Figures, Row, Run, Suite } from '../row.ts';
import { type Depth, FULL, QUICK, type Scale } from '../scale.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { BENCH } from '../workspace.ts';
import { TOGETHER } from './client.ts';

const READS = 40;
const BATCH = 100;
const SAMPLE_EVERY_MS = 250;
const latency = { headline: 'p50Ms', better: 'lower' } as const;

function rowsAt({ name, queued, completed, delayed }: Depth, scale?: Scale['name']): readonly Row[] {
  const among = `with ${queued.toLocaleString('en-GB')} jobs queued, ${completed.toLocaleString('en-GB')} completed and ${delayed.toLocaleString('en-GB')} delayed`;
  const rows: readonly Row[] = [
    { name: `depth/submit/${name}`, what: `Submit one job ${among}`, ...latency },
    { name: `depth/claim/${name}`, what: `Claim one job ${among}`, ...latency },
    { name: `depth/claim-100/${name}`, what: `Claim ${BATCH} jobs ${among}`, ...latency },
    { name: `depth/reads/${name}`, what: `The slowest p95 of what a console and the metrics read, ${among}`, headline: 'worstP95Ms', better: 'lower' },
    {
      name: `depth/memory/${name}`,
      what: `Memory of the server, at its most, while jobs are submitted and processed ${among}`,
      headline: 'peakMib',
      better: 'lower',
    },
    { name: `depth/start/${name}`, what: `From the start of the process to ready, ${among}`, headline: 'readyMs', better: 'lower' },
  ];
  return scale === undefined ? rows : rows.map((row) => ({ ...row, scale }));
}

const [SMALLEST] = QUICK.depths;
const isSmallest = ({ name }: Depth): boolean => name === SMALLEST?.name;
const ROWS: readonly Row[] = [
  ...QUICK.depths.flatMap((depth) => (isSmallest(depth) ? withoutFootprint(rowsAt(depth)) : rowsAt(depth, 'quick'))),
  ...FULL.depths.filter((depth) => !isSmallest(depth)).flatMap((depth) => rowsAt(depth, 'full')),
];

/** In a quick run these stand among the others: `start/compiled` and `start/memory`. */
function withoutFootprint(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => (/\/(?:memory|start)\//.test(row.name) ? { ...row, scale: 'full' as const } : row));
}

/** A server that can be started again on its database. */
class DeepServer implements AsyncDisposable {
  readonly #database: string;
  #server: ServerProcess | null = null;

  constructor(database: string) {
    this.#database = database;
  }

  async running(): Promise<ServerProcess> {
    this.#server ??= await startServer({ program: 'compiled', database: this.#database });
    return this.#server;
  }

  async restarted(): Promise<ServerProcess> {
    await this[Symbol.asyncDispose]();
    return this.running();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.stop();
  }
}

async function reads({ load }: Run, { url }: ServerProcess): Promise<Figures> {
  const read = (parts: { readonly method?: 'GET'; readonly path?: string; readonly body?: string }, expect: string): Promise<HttpFigures> => {
    return load.run('http', { url, connections: 1, requests: [parts], expect, seconds: 60, requestsMax: READS });
  };
  const documents = { stats: STATS, queues: QUEUES, events: NEWEST_EVENTS, ...LISTS };
  const figures: Record<string, number> = {};
  for (const [name, document] of Object.entries(documents)) figures[`${name}P95Ms`] = (await read({ body: graphqlBody(document) }, '{"data"')).p95Ms;
  figures['metricsP95Ms'] = (await read({ method: 'GET', path: '/metrics' }, 'leasequeue_')).p95Ms;
  return { worstP95Ms: Math.max(...Object.values(figures)), ...figures };
}

async function peakMemory({ load, scale }: Run, server: ServerProcess): Promise<Figures> {
  const { url } = server;
  let peakBytes = 0;
  const sample = async (): Promise<void> => {
    peakBytes = Math.max(peakBytes, (await server.ask('usage')).rssBytes);
  };
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  const queue = { module: join(BENCH, 'load/leasequeue.ts'), settings: { url, queue: 'memory' } };
  await load.run('together', { queue, ...TOGETHER, seconds: scale.measureSeconds * 2 });
  clearInterval(timer);
  await sample();
  return { peakMib: peakBytes / 2 ** 20 };
}

function casesAt(run: Run, { name }: Depth, deep: DeepServer): Readonly<Record<string, Case>> {
  const { load, scale } = run;
  const places = [{ queue: DEEP_QUEUE }];
  const one = async () => load.run('depth', { url: (await deep.running()).url, places, batches: scale.claims, size: 1 });
  const many = async () => load.run('depth', { url: (await deep.running()).url, places, batches: Math.ceil(scale.claims / 5), size: BATCH });
  return {
    [`depth/submit/${name}`]: async () => (await one()).submit,
    [`depth/claim/${name}`]: async () => (await one()).claim,
    [`depth/claim-100/${name}`]: async () => (await many()).claim,
    [`depth/reads/${name}`]: async () => reads(run, await deep.running()),
    [`depth/memory/${name}`]: async () => peakMemory(run, await deep.running()),
    [`depth/start/${name}`]: async () => ({ readyMs: (await deep.restarted()).readyMs }),
  };
}

async function measure(run: Run): Promise<void> {
  const { scale, workspace } = run;
  await using servers = new AsyncDisposableStack();
  const columns: (readonly (readonly [string, Case])[])[] = [];
  for (const depth of scale.depths) {
    if (!rowsAt(depth).some(({ name }) => run.wants(name))) continue;
    const database = workspace.newDatabase();
    await fillDatabase(database, depth);
    const deep = servers.use(new DeepServer(database));
    await deep.running();
    columns.push(Object.entries(casesAt(run, depth, deep)));
  }
  const [first = []] = columns;
  // The same row at every depth, before the next row.
  await run.alternate(Object.fromEntries(first.flatMap((_, index) => columns.flatMap((column) => [column[index] ?? ['', async () => ({})]]))));
}

export const DEPTH_SUITE: Suite = { name: 'with many jobs stored', rows: ROWS, measure };
