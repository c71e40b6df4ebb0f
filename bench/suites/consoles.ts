/** What it costs workers that people look at the console. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadProcess, type LoadProcess } from '../load/load-process.ts';
import type { Figures, Row, Run, Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { median } from '../statistics.ts';
import { address } from './client.ts';

const ROW = 'consoles/20';
const ROWS: readonly Row[] = [
  {
    name: ROW,
    what: 'Claims and completions at 100 with 20 open consoles, to the same without, in phases that alternate: the median ratio, and what the server and the consoles take of a core',
    headline: 'rateRatio',
    better: 'higher',
  },
];
const CONCURRENCY = 100;
/** Ready before a phase. What is not done in its time stays. */
const JOBS_PER_SECOND = 15_000;
/** Queues that the overview shows beside the busy one. */
const OTHER_QUEUES = 49;
const SETTLE_MS = 1_000;

interface Parts {
  readonly run: Run;
  readonly server: ServerProcess;
  /** The process of the consoles. */
  readonly people: LoadProcess;
}
interface Phase {
  readonly perSecond: number;
  /** Of the server, for a job that was claimed and completed. */
  readonly cpuUs: number;
  /** Of a core. */
  readonly serverPercent: number;
  readonly consolesPercent: number;
  readonly answersPerSecond: number;
  readonly messagesPerSecond: number;
}
type Pair = readonly [watched: Phase, alone: Phase];

async function phase({ run: { load, scale }, server, people }: Parts, isWatched: boolean): Promise<Phase> {
  const queue = address(server);
  const jobs = Math.ceil(scale.consoleSeconds * JOBS_PER_SECOND);
  await load.run('fill', { queue, jobs });
  if (isWatched) await people.run('openConsoles', { url: server.url, queue: String(queue.settings['queue']) });
  await sleep(SETTLE_MS);
  const [before, seen, startedMs] = [await server.ask('usage'), await people.run('consoleUsage', {}), performance.now()];
  const { jobsPerSecond = Number.NaN, jobs: done = Number.NaN } = await load.run('drain', {
    queue,
    concurrency: CONCURRENCY,
    prefetch: 0,
    jobs,
    secondsMax: scale.consoleSeconds,
  });
  const [after, seenThen, ms] = [await server.ask('usage'), await people.run('consoleUsage', {}), performance.now() - startedMs];
  if (isWatched) await people.run('closeConsoles', {});
  const cpuMs = after.cpuMs - before.cpuMs;
  return {
    perSecond: jobsPerSecond,
    cpuUs: (cpuMs * 1_000) / done,
    serverPercent: (cpuMs * 100) / ms,
    consolesPercent: ((seenThen.cpuMs - seen.cpuMs) * 100) / ms,
    answersPerSecond: ((seenThen.answers - seen.answers) * 1_000) / ms,
    messagesPerSecond: ((seenThen.messages - seen.messages) * 1_000) / ms,
  };
}

async function inTurn(parts: Parts, isWatchedFirst: boolean): Promise<Pair> {
  const first = await phase(parts, isWatchedFirst);
  const second = await phase(parts, !isWatchedFirst);
  return isWatchedFirst ? [first, second] : [second, first];
}

function compared(pairs: readonly Pair[]): Figures {
  const rates = pairs.map(([watched, alone]) => watched.perSecond / alone.perSecond);
  const costs = pairs.map(([watched, alone]) => watched.cpuUs / alone.cpuUs);
  const middle = (figure: (...pair: Pair) => number): number => median(pairs.map((pair) => figure(...pair)));
  return {
    rateRatio: median(rates),
    rateRatioLow: Math.min(...rates),
    rateRatioHigh: Math.max(...rates),
    cpuRatio: median(costs),
    cpuRatioLow: Math.min(...costs),
    cpuRatioHigh: Math.max(...costs),
    perSecond: middle((watched) => watched.perSecond),
    alonePerSecond: middle((_, alone) => alone.perSecond),
    cpuUs: middle((watched) => watched.cpuUs),
    aloneCpuUs: middle((_, alone) => alone.cpuUs),
    serverPercent: middle((watched) => watched.serverPercent),
    consolesPercent: middle((watched) => watched.consolesPercent),
    answersPerSecond: middle((watched) => watched.answersPerSecond),
    messagesPerSecond: middle((watched) => watched.messagesPerSecond),
  };
}

async function beside(run: Run): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: run.workspace.newDatabase() });
  await using people = createLoadProcess();
  const parts: Parts = { run, server, people };
  await run.load.run('seed', { url: server.url, places: Array.from({ length: OTHER_QUEUES }, (_, index) => ({ queue: `other-${index}` })) });
  await inTurn(parts, true);
  const pairs: Pair[] = [];
  for (let pair = 0; pair < run.scale.consolePairs; pair++) pairs.push(await inTurn(parts, pair % 2 === 0));
  return compared(pairs);
}

export const CONSOLE_SUITE: Suite = { name: 'people who look on', rows: ROWS, measure: (run) => run.alternate({ [ROW]: () => beside(run) }) };
