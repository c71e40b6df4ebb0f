/** The same work through the library for users, beside the plain client that measures the server. */
import { type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { address, BULK_IN_FLIGHT, LATENCY_EVERY_MS, PREFETCH, PROCESS_SECONDS_FACTOR, TOGETHER } from './client.ts';
import { BODIES } from './http.ts';
import { requestsTo, sideBySide, submissionsTo } from './side-by-side.ts';

const jobs = { headline: 'jobsPerSecond', better: 'higher' } as const;

const ROWS: readonly Row[] = [
  ...rowsOf([1, 64] as const, (inFlight) => ({
    name: `sdk/submit/${inFlight}`,
    what: `Submit with the library, ${inFlight} calls in flight, which gives each request an id by which it can be repeated`,
    ...jobs,
    work: `submit-${inFlight}` as const,
    ceiling: `submit/client/${inFlight}`,
  })),
  {
    name: 'sdk/submit/64-by-single',
    what: 'The same at 64 by single submissions over 64 connections, each to a server of its own, in turn',
    headline: 'rateRatio',
    better: 'higher',
  },
  { name: 'sdk/bulk/500', what: `submitJobs of the library, 500 jobs a call, ${BULK_IN_FLIGHT} calls in flight`, ...jobs, work: 'bulk', ceiling: 'bulk/500' },
  ...rowsOf([1, 10, 100] as const, (concurrency) => ({
    name: `sdk/process/${concurrency}`,
    what: `The library's worker on jobs that do nothing, ${concurrency} at a time`,
    ...jobs,
    work: `process-${concurrency}` as const,
    ceiling: `process/${concurrency}`,
  })),
  {
    name: 'sdk/process/100-prefetch',
    what: `The same at 100 with ${PREFETCH} more waiting in the worker`,
    ...jobs,
    work: 'process-prefetch',
    ceiling: 'process/100-prefetch',
  },
  { name: 'sdk/together', what: 'Submit and process together with the library', ...jobs, work: 'together', ceiling: 'together' },
  { name: 'sdk/latency', what: 'From submit to the handler with the library, at low load', headline: 'p50Ms', better: 'lower', work: 'latency' },
];

async function measure(run: Run): Promise<void> {
  const { load, scale, workspace } = run;
  const { warmSeconds, measureSeconds: seconds } = scale;
  const newServer = () => startServer({ program: 'compiled', database: workspace.newDatabase() });
  await using server = await newServer();
  const queueAt = (at: ServerProcess) => address(at, {}, 'load/sdk.ts');
  const queue = () => queueAt(server);
  const submit = (inFlight: number) => load.run('submit', { queue: queue(), inFlight, warmSeconds, seconds });
  const process = (concurrency: 1 | 10 | 100, prefetch = 0) =>
    load.run('process', { queue: queue(), concurrency, prefetch, jobs: scale.jobsPerConcurrency[concurrency], secondsMax: seconds * PROCESS_SECONDS_FACTOR });
  const coalescing = (at: ServerProcess) => submissionsTo(run, at, 64, () => queueAt(at));
  const single = (at: ServerProcess) => requestsTo(run, at, 64, [{ body: BODIES.submit.body }], BODIES.submit.expect);
  await load.run('together', { queue: queue(), ...TOGETHER, seconds: scale.sliceSeconds * 2 });
  await run.alternate({
    'sdk/submit/1': () => submit(1),
    'sdk/submit/64': () => submit(64),
    'sdk/submit/64-by-single': () =>
      sideBySide(run, {
        own: async () => coalescing(await newServer()),
        other: async () => single(await newServer()),
      }),
    'sdk/bulk/500': () => load.run('bulk', { queue: queue(), inFlight: BULK_IN_FLIGHT, warmSeconds, seconds, size: 500 }),
    'sdk/process/1': () => process(1),
    'sdk/process/10': () => process(10),
    'sdk/process/100': () => process(100),
    'sdk/process/100-prefetch': () => process(100, PREFETCH),
    'sdk/together': () => load.run('together', { queue: queue(), ...TOGETHER, seconds }),
    'sdk/latency': () => load.run('latency', { queue: queue(), jobs: scale.latencyJobs, everyMs: LATENCY_EVERY_MS }),
  });
}

export const SDK_SUITE: Suite = { name: 'through the library for users', rows: ROWS, measure };
