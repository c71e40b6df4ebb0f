/** A working day in short: jobs come at a steady rate, workers do them, and people look at consoles. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures } from '../row.ts';
import { latencies, percentile } from '../statistics.ts';
import { CoalescingClient } from './coalescing-client.ts';
import { KEEP, LISTS, NEWEST_EVENTS, QUEUES, STATS } from './documents.ts';
import { GraphqlClient, must, type Typed } from './graphql-client.ts';
import { LeasingWorker } from './leasing-worker.ts';

export interface MixedLoad {
  readonly url: string;
  readonly seconds: number;
  readonly jobsPerSecond: number;
  readonly consoles: number;
  /** Finished jobs are kept so long: retention has as much to do as everybody else. */
  readonly keepSeconds: number;
}

const QUEUE = 'mixed';
const CONSOLE_EVERY_MS = 1_000;
const SCREENS = [STATS, QUEUES, NEWEST_EVENTS, ...Object.values(LISTS)];

export async function mixedLoad({ url, seconds, jobsPerSecond, consoles, keepSeconds }: MixedLoad): Promise<Figures> {
  const client = new GraphqlClient(url);
  must('ConfigureQueueSuccess', await client.call<Typed>('configureQueue', KEEP, { input: { name: QUEUE, retention: { completedSeconds: keepSeconds } } }));
  const over = new AbortController();
  const problem = Promise.withResolvers<never>();
  problem.promise.catch(() => {});
  const submitMs: number[] = [];
  const readMs: number[] = [];
  const jobs = new CoalescingClient({ url, queue: QUEUE });
  const worker = new LeasingWorker(jobs, {
    concurrency: 50,
    prefetch: 0,
    claimsAtOnce: 1,
    onStart: () => {},
    onDone: () => {},
    onProblem: problem.reject,
  });
  const people = Array.from({ length: consoles }, (_, index) => watch(client, index, readMs, over.signal).catch(problem.reject));
  const startedMs = performance.now();
  for (let n = 0; performance.now() < startedMs + seconds * 1_000; ) {
    for (; n < ((performance.now() - startedMs) * jobsPerSecond) / 1_000; n++) timed(jobs.submit(n), submitMs).catch(problem.reject);
    await Promise.race([sleep(1), problem.promise]);
  }
  over.abort();
  worker.stop();
  await Promise.all(people);
  jobs.close();
  client.close();
  const { p50Ms, p99Ms } = latencies(submitMs);
  return { submitP50Ms: p50Ms, submitP99Ms: p99Ms, readP95Ms: percentile(readMs, 0.95), readMaxMs: percentile(readMs, 1), jobs: submitMs.length };
}

async function timed(promise: Promise<unknown>, samples: number[]): Promise<void> {
  const startedMs = performance.now();
  await promise;
  samples.push(performance.now() - startedMs);
}

/** One screen after the other, and the metrics now and then. */
async function watch(client: GraphqlClient, seat: number, samples: number[], signal: AbortSignal): Promise<void> {
  await sleep((seat * 53) % CONSOLE_EVERY_MS);
  for (let turn = seat; !signal.aborted; turn++) {
    const screen = SCREENS[turn % SCREENS.length] ?? STATS;
    await timed(client.call('', screen, {}), samples);
    if (turn % 10 === 0) await timed(client.request({ method: 'GET', path: '/metrics' }), samples);
    await sleep(CONSOLE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
