/** How long each question of the console's screens takes where millions of jobs are stored. */
import { statSync } from 'node:fs';
import { consoleDatabase } from '../fill/console-database.ts';
import { BIG_TENANT } from '../fill/console-shape.ts';
import type { HttpFigures } from '../load/http-load.ts';
import { type Case, type Figures, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type Facts, factsOf } from '../consoles/facts.ts';
import { type Operation, OPERATIONS } from '../consoles/operations.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';

/** An answer that comes later is felt. */
const SLOW_MS = 50;
const SECONDS_MAX = 120;
/** The tenant works between two measurements, so that figures over time have rows that were not moved on yet. */
const BUSY_QUEUES = 100;

const ROWS: readonly Row[] = [
  {
    name: 'screens/database',
    what: 'Making the database behind the screens: 5,000,000 jobs of 20 tenants (quick: 10,000)',
    headline: 'seconds',
    better: 'lower',
  },
  ...rowsOf(OPERATIONS, ({ name }) => ({
    name: `screens/${name}`,
    what: `What the console asks as ${name}, one call at a time with other arguments each, where 5,000,000 jobs are stored (quick: 10,000)`,
    headline: 'p95Ms',
    better: 'lower' as const,
  })),
];

function say(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

interface Measured extends Figures {
  readonly p95Ms: number;
}

async function ask({ load, scale }: Run, server: ServerProcess, facts: Facts, { bodies }: Operation): Promise<Measured> {
  const { url } = server;
  const given = bodies(facts);
  if (given.length === 0) throw new Error('there is nothing that it could be asked about');
  await load.run('depth', { url, places: facts.queues.slice(0, BUSY_QUEUES).map((queue) => ({ queue, tenant: BIG_TENANT })), batches: BUSY_QUEUES, size: 1 });
  const requests = given.map((body) => ({ body, tenant: BIG_TENANT }));
  const send = (requestsMax: number): Promise<HttpFigures> =>
    load.run('http', { url, connections: 1, requests, expect: '{"data"', seconds: SECONDS_MAX, requestsMax });
  await send(Math.ceil(scale.screenCalls / 5));
  const before = await server.ask('usage');
  const { p50Ms, p95Ms, maxMs, requests: calls } = await send(Math.max(scale.screenCalls, given.length));
  const after = await server.ask('usage');
  return { p95Ms, p50Ms, maxMs, cpuMs: (after.cpuMs - before.cpuMs) / calls, calls };
}

async function measure(run: Run): Promise<void> {
  const { screens } = run.scale;
  const path = screens.path ?? run.workspace.newDatabase();
  const startedMs = performance.now();
  await consoleDatabase(path, screens, say);
  const made: Figures = { seconds: (performance.now() - startedMs) / 1_000, gib: statSync(path).size / 2 ** 30, jobs: screens.jobs };
  await using server = await startServer({ program: 'compiled', database: path });
  const facts = await factsOf(server.url, screens);
  const measured = OPERATIONS.map((operation): readonly [string, Case] => [`screens/${operation.name}`, () => toldSlow(run, server, facts, operation)]);
  await run.alternate({ 'screens/database': async () => made, ...Object.fromEntries(measured) });
}

async function toldSlow(run: Run, server: ServerProcess, facts: Facts, operation: Operation): Promise<Figures> {
  const figures = await ask(run, server, facts, operation);
  if (figures.p95Ms > SLOW_MS) run.note(`screens/${operation.name}`, `slower than ${SLOW_MS} ms`);
  return figures;
}

export const SCREEN_SUITE: Suite = { name: 'what the screens of the console ask', rows: ROWS, measure };
