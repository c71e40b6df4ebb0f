/**
 * Two servers under the same load, in short slices that alternate, so that both meet the same weather. What counts is
 * the median of the ratios of neighbouring slices: a few percent show on a machine whose figures differ by tens.
 */
import type { HttpFigures } from '../load/http-load.ts';
import type { RequestParts } from '../load/http-connection.ts';
import type { QueueAddress } from '../load/queue.ts';
import type { Figures, Run } from '../row.ts';
import type { ServerProcess } from '../server/server-process.ts';
import { median } from '../statistics.ts';

export interface Slice {
  readonly perSecond: number;
  /** What the server did in it, a warm-up aside. */
  readonly done: number;
}
export interface Side {
  readonly server: ServerProcess;
  /** Loads the server once. */
  readonly slice: () => Promise<Slice>;
}

export interface Sides {
  readonly own: () => Promise<Side>;
  readonly other: () => Promise<Side>;
}

interface Measured {
  readonly perSecond: number;
  /** CPU time of the server for one operation. */
  readonly cpuUs: number;
}
type Pair = readonly [own: Measured, other: Measured];

/**
 * `rateRatio`: operations per second of `own` by those of `other`. `cpuRatio`: CPU time of the server for an operation,
 * likewise; it says more where others use the machine, too. Servers are new each time, and are stopped: two processes of
 * the same build differ by a tenth for as long as they live, so that only the median of several repeats means something.
 */
export async function sideBySide({ scale }: Run, starting: Sides): Promise<Figures> {
  await using servers = new AsyncDisposableStack();
  const start = async (side: () => Promise<Side>): Promise<Side> => {
    const started = await side();
    servers.use(started.server);
    return started;
  };
  const [own, other] = [await start(starting.own), await start(starting.other)];
  for (let slice = 0; slice < scale.warmSlices; slice++) for (const side of [own, other]) await side.slice();
  return compared(await pairsOf(scale.pairs, own, other));
}

async function pairsOf(count: number, own: Side, other: Side): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (let pair = 0; pair < count; pair++) pairs.push(pair % 2 === 0 ? await inTurn(own, other) : swapped(await inTurn(other, own)));
  return pairs;
}

function compared(pairs: readonly Pair[]): Figures {
  const middle = (figure: (...pair: Pair) => number): number => median(pairs.map((pair) => figure(...pair)));
  return {
    rateRatio: middle((own, other) => own.perSecond / other.perSecond),
    cpuRatio: middle((own, other) => own.cpuUs / other.cpuUs),
    perSecond: middle((own) => own.perSecond),
    otherPerSecond: middle((_, other) => other.perSecond),
    cpuUs: middle((own) => own.cpuUs),
    otherCpuUs: middle((_, other) => other.cpuUs),
  };
}

async function inTurn(first: Side, second: Side): Promise<Pair> {
  return [await measured(first), await measured(second)];
}

function swapped([first, second]: Pair): Pair {
  return [second, first];
}

async function measured({ server, slice }: Side): Promise<Measured> {
  const before = await server.ask('usage');
  const { perSecond, done } = await slice();
  const after = await server.ask('usage');
  return { perSecond, cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / done };
}

/** One side of a comparison of requests, sent in turn. */
export function requestsTo({ load, scale }: Run, server: ServerProcess, connections: number, requests: readonly RequestParts[], expect: string): Side {
  const slice = async (): Promise<Slice> => {
    const { perSecond, requests: done }: HttpFigures = await load.run('http', { url: server.url, connections, requests, expect, seconds: scale.sliceSeconds });
    return { perSecond, done };
  };
  return { server, slice };
}

/** Of the jobs that a measurement of workers takes, in one slice. */
const SHARE_OF_JOBS = 1 / 20;

/** One side of a comparison of workers. `nextQueue` answers another queue each time. The CPU time is that of a job's whole life: submitted in bulk, claimed, completed. */
export function workerOf({ load, scale }: Run, server: ServerProcess, concurrency: 1 | 10 | 100, nextQueue: () => QueueAddress): Side {
  const jobs = Math.ceil(scale.jobsPerConcurrency[concurrency] * SHARE_OF_JOBS);
  const slice = async (): Promise<Slice> => {
    const { jobsPerSecond = Number.NaN } = await load.run('process', { queue: nextQueue(), concurrency, prefetch: 0, jobs, secondsMax: 30 });
    return { perSecond: jobsPerSecond, done: jobs };
  };
  return { server, slice };
}

/** One side of a comparison of single submissions through a client, so many in flight. */
export function submissionsTo({ load, scale }: Run, server: ServerProcess, inFlight: number, nextQueue: () => QueueAddress): Side {
  const slice = async (): Promise<Slice> => {
    const { jobsPerSecond = Number.NaN, jobs = Number.NaN } = await load.run('submit', {
      queue: nextQueue(),
      inFlight,
      warmSeconds: 0,
      seconds: scale.sliceSeconds,
    });
    return { perSecond: jobsPerSecond, done: jobs };
  };
  return { server, slice };
}

/** One side of a comparison of batches. */
export function batchesTo({ load, scale }: Run, server: ServerProcess, size: number, inFlight: number, nextQueue: () => QueueAddress): Side {
  const slice = async (): Promise<Slice> => {
    const { jobsPerSecond = Number.NaN, jobs = Number.NaN } = await load.run('bulk', {
      queue: nextQueue(),
      inFlight,
      warmSeconds: 0,
      seconds: scale.sliceSeconds,
      size,
    });
    return { perSecond: jobsPerSecond, done: jobs };
  };
  return { server, slice };
}
