/** What the server takes of a machine: time to start, memory, disk. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Figures, Row, Run, Suite } from '../row.ts';
import { type Program, startServer } from '../server/server-process.ts';
import { BENCH } from '../workspace.ts';
import { TOGETHER } from './client.ts';

const ROWS: readonly Row[] = [
  { name: 'start/compiled', what: 'From the start of the process to ready, compiled, on a new database', headline: 'readyMs', better: 'lower' },
  { name: 'start/source', what: 'The same from its TypeScript sources, as npm start does', headline: 'readyMs', better: 'lower' },
  { name: 'start/memory', what: 'Resident memory after a load of submissions and workers, and before it', headline: 'loadedMib', better: 'lower' },
  {
    name: 'disk/finished-job',
    what: 'Bytes on disk of a finished job with its three events and one attempt, payload aside',
    headline: 'bytesPerJob',
    better: 'lower',
  },
];

async function start({ workspace }: Run, program: Program): Promise<Figures> {
  await using server = await startServer({ program, database: workspace.newDatabase(), probed: false });
  return { readyMs: server.readyMs, residentMib: server.rssBytes() / 2 ** 20 };
}

async function memory({ load, scale, workspace }: Run): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase(), probed: false });
  const startMib = server.rssBytes() / 2 ** 20;
  const queue = { module: join(BENCH, 'load/leasequeue.ts'), settings: { url: server.url, queue: 'memory' } };
  await load.run('together', { queue, ...TOGETHER, seconds: scale.measureSeconds * 2 });
  return { loadedMib: server.rssBytes() / 2 ** 20, startMib };
}

/** Below, a table or index is not worth a word. */
const BYTES_SHOWN_MIN = 5;

interface Occupied {
  readonly bytes: number;
  readonly payloadBytes: number;
  /** By table and index. */
  readonly places: Readonly<Record<string, number>>;
}

function occupied(path: string): Occupied {
  const database = new Database(path, { readonly: true });
  const number = (text: string): number => Number(database.prepare(text).pluck().get() ?? 0);
  const pages = number('select page_count from pragma_page_count') - number('select freelist_count from pragma_freelist_count');
  const bytes = pages * number('select page_size from pragma_page_size');
  const rows = database.prepare<[], { name: string; bytes: number }>('select name, sum(pgsize) as bytes from dbstat group by name').all();
  const payloadBytes = number('select sum(length(payload)) from jobs');
  database.close();
  return { bytes, payloadBytes, places: Object.fromEntries(rows.map(({ name, bytes: own }) => [name, own])) };
}

async function disk(run: Run): Promise<Figures> {
  const { load, scale, workspace } = run;
  const jobs = scale.diskJobs;
  const path = workspace.newDatabase();
  const server = await startServer({ program: 'compiled', database: path, probed: false });
  const queue = { module: join(BENCH, 'load/leasequeue.ts'), settings: { url: server.url, queue: 'disk' } };
  await load.run('process', { queue, concurrency: 100, prefetch: 0, jobs, secondsMax: 120 });
  await server.stop();
  const empty = workspace.newDatabase();
  await (await startServer({ program: 'compiled', database: empty, probed: false })).stop();
  const full = occupied(path);
  const places = Object.entries(full.places)
    .map(([name, bytes]) => ({ name, bytes: Math.round(bytes / jobs) }))
    .filter(({ bytes }) => bytes >= BYTES_SHOWN_MIN)
    .toSorted((a, b) => b.bytes - a.bytes);
  run.note('disk/finished-job', `payload included: ${places.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}`);
  return { bytesPerJob: (full.bytes - full.payloadBytes - occupied(empty).bytes) / jobs };
}

async function measure(run: Run): Promise<void> {
  await run.alternate({
    'start/compiled': () => start(run, 'compiled'),
    'start/source': () => start(run, 'source'),
    'start/memory': () => memory(run),
    'disk/finished-job': () => disk(run),
  });
}

export const FOOTPRINT_SUITE: Suite = { name: 'what it takes of a machine', rows: ROWS, measure };
