/** The queue at work through a client that lets calls of one turn travel together. */
import type { QueueAddress } from '../load/queue.ts';
import { type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { join } from 'node:path';
import { BENCH } from '../workspace.ts';

const jobs = { headline: 'jobsPerSecond', better: 'higher' } as const;
const CONCURRENCIES = [1, 10, 100] as const;
export const PREFETCH = 400;
/** A worker that does few jobs at a time hides the way to the server and the sync behind the next ones. */
const PREFETCH_OF = { 1: 20, 10: 100 } as const;
export const BULK_IN_FLIGHT = 2;
export const TOGETHER = { inFlight: 64, concurrency: 100 } as const;
export const LATENCY_EVERY_MS = 10;
/** Longer than the measurement of a submission: workers need some time to get going. */
export const PROCESS_SECONDS_FACTOR = 2;

const ROWS: readonly Row[] = [
  { name: 'submit/client/1', what: 'Submit, 1 call in flight', ...jobs, work: 'submit-1', ceiling: 'ceiling/sqlite-submit/1' },
  {
    name: 'submit/client/64',
    what: 'Submit, 64 calls in flight, those of one turn in one request',
    ...jobs,
    work: 'submit-64',
    ceiling: 'ceiling/sqlite-submit/100',
  },
  ...rowsOf([100, 500] as const, (size) => ({
    name: `bulk/${size}`,
    what: `submitJobs, ${size} jobs a call, ${BULK_IN_FLIGHT} calls in flight`,
    ...jobs,
    work: 'bulk' as const,
    ceiling: `ceiling/sqlite-submit/${size}`,
  })),
  ...rowsOf(CONCURRENCIES, (concurrency) => ({
    name: `process/${concurrency}`,
    what: `Claim and complete jobs that do nothing, ${concurrency} at a time; what is finished rides on the next claim`,
    ...jobs,
    work: `process-${concurrency}` as const,
  })),
  ...rowsOf([1, 10] as const, (concurrency) => ({
    name: `process/${concurrency}-prefetch`,
    what: `The same at ${concurrency} with ${PREFETCH_OF[concurrency]} more waiting in the worker, their leases renewed`,
    ...jobs,
    work: `process-${concurrency}` as const,
  })),
  { name: 'process/100-two-claims', what: 'The same at 100, in two claims of 50 that travel at the same time', ...jobs, work: 'process-100' },
  {
    name: `process/100-prefetch`,
    what: `The same at 100 with ${PREFETCH} more waiting in the worker, their leases renewed`,
    ...jobs,
    work: 'process-prefetch',
  },
  {
    name: 'process/100-prefetch-two-claims',
    what: 'The same with two claims that travel at the same time',
    ...jobs,
    work: 'process-prefetch',
  },
  { name: 'together', what: 'Submit with 64 in flight while a worker does them, 100 at a time: until the last is done', ...jobs, work: 'together' },
  {
    name: 'latency/low-load',
    what: `From submit to the handler of a worker that waits, one job every ${LATENCY_EVERY_MS} ms`,
    headline: 'p50Ms',
    better: 'lower',
    work: 'latency',
  },
];

let queues = 0;

/** A queue of its own for each measurement. */
export function address({ url }: Pick<ServerProcess, 'url'>, settings: QueueAddress['settings'] = {}, module = 'load/leasequeue.ts'): QueueAddress {
  queues += 1;
  return { module: join(BENCH, module), settings: { url, queue: `bench-${queues}`, ...settings } };
}

async function measure(run: Run): Promise<void> {
  const { load, scale, workspace } = run;
  const { warmSeconds, measureSeconds: seconds } = scale;
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  const process = (concurrency: 1 | 10 | 100, prefetch = 0, claimsAtOnce = 1) => {
    const jobsReady = scale.jobsPerConcurrency[concurrency];
    return load.run('process', {
      queue: address(server, { claimsAtOnce }),
      concurrency,
      prefetch,
      jobs: jobsReady,
      secondsMax: seconds * PROCESS_SECONDS_FACTOR,
    });
  };
  await load.run('together', { queue: address(server), ...TOGETHER, seconds: scale.sliceSeconds * 2 });
  await run.alternate({
    'submit/client/1': () => load.run('submit', { queue: address(server), inFlight: 1, warmSeconds, seconds }),
    'submit/client/64': () => load.run('submit', { queue: address(server), inFlight: 64, warmSeconds, seconds }),
    'bulk/100': () => load.run('bulk', { queue: address(server), inFlight: BULK_IN_FLIGHT, warmSeconds, seconds, size: 100 }),
    'bulk/500': () => load.run('bulk', { queue: address(server), inFlight: BULK_IN_FLIGHT, warmSeconds, seconds, size: 500 }),
    'process/1': () => process(1),
    'process/10': () => process(10),
    'process/1-prefetch': () => process(1, PREFETCH_OF[1]),
    'process/10-prefetch': () => process(10, PREFETCH_OF[10]),
    'process/100': () => process(100),
    'process/100-two-claims': () => process(100, 0, 2),
    'process/100-prefetch': () => process(100, PREFETCH),
    'process/100-prefetch-two-claims': () => process(100, PREFETCH, 2),
    together: () => load.run('together', { queue: address(server), ...TOGETHER, seconds }),
    'latency/low-load': () => load.run('latency', { queue: address(server), jobs: scale.latencyJobs, everyMs: LATENCY_EVERY_MS }),
  });
}

export const CLIENT_SUITE: Suite = { name: 'through a client that coalesces', rows: ROWS, measure };
