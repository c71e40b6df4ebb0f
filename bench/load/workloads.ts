/** The work that every queue is measured with. Jobs do nothing: what is measured is the queue. */
import type { Figures } from '../row.ts';
import { latencies } from '../statistics.ts';
import { openQueue, type Queue, type QueueAddress } from './queue.ts';

interface Workload {
  readonly queue: QueueAddress;
}

async function withQueue<Result>(address: QueueAddress, use: (queue: Queue) => Promise<Result>): Promise<Result> {
  const queue = await openQueue(address);
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

/** What the queue's server says about when a change is durable. */
export function settingsOf({ queue: address }: Workload): Promise<string | null> {
  return withQueue(address, async (queue) => (await queue.settings?.()) ?? null);
}

/** `lanes` loops that each submit again as soon as the last submission was taken. Answers how many were taken, and how fast. */
async function flood(lanes: number, warmSeconds: number, seconds: number, submit: () => Promise<number>): Promise<Figures> {
  const startMs = performance.now() + warmSeconds * 1_000;
  const endMs = startMs + seconds * 1_000;
  const samples: number[] = [];
  let jobs = 0;
  const lane = async (): Promise<void> => {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const taken = await submit();
      const thenMs = performance.now();
      if (nowMs >= startMs) {
        jobs += taken;
        samples.push(thenMs - nowMs);
      }
      nowMs = thenMs;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { p50Ms, p99Ms } = latencies(samples);
  return { jobsPerSecond: (jobs * 1_000) / (performance.now() - startMs), jobs, p50Ms, p99Ms };
}

export interface SubmitLoad extends Workload {
  readonly inFlight: number;
  readonly warmSeconds: number;
  readonly seconds: number;
}

export function submitLoad({ queue: address, inFlight, warmSeconds, seconds }: SubmitLoad): Promise<Figures> {
  return withQueue(address, (queue) => {
    let n = 0;
    return flood(inFlight, warmSeconds, seconds, async () => {
      n += 1;
      await queue.submit(n);
      return 1;
    });
  });
}

export interface BulkLoad extends SubmitLoad {
  /** Jobs of one call. */
  readonly size: number;
}

export function bulkLoad({ queue: address, inFlight, warmSeconds, seconds, size }: BulkLoad): Promise<Figures> {
  const ns = Array.from({ length: size }, (_, n) => n);
  return withQueue(address, (queue) =>
    flood(inFlight, warmSeconds, seconds, async () => {
      await queue.submitMany(ns);
      return size;
    }),
  );
}

export interface ProcessLoad extends Workload {
  readonly concurrency: number;
  readonly prefetch: number;
  /** Submitted before the clock starts. */
  readonly jobs: number;
  /** What is not done by then does not count. */
  readonly secondsMax: number;
}

const BULK = 500;

async function fill(queue: Queue, jobs: number): Promise<void> {
  for (let from = 0; from < jobs; from += BULK) await queue.submitMany(Array.from({ length: Math.min(BULK, jobs - from) }, (_, index) => from + index));
}

export interface FillLoad extends Workload {
  readonly jobs: number;
}

/** Jobs that stand ready. */
export function fillLoad({ queue: address, jobs }: FillLoad): Promise<void> {
  return withQueue(address, (queue) => fill(queue, jobs));
}

/** Of jobs that stand ready. */
export function drainLoad({ queue: address, concurrency, prefetch, jobs, secondsMax }: ProcessLoad): Promise<Figures> {
  return withQueue(address, async (queue) => {
    const { count, worker } = await startCounting(queue, concurrency, prefetch, jobs);
    await count.over(secondsMax);
    const figures = { jobsPerSecond: count.perSecond(), jobs: count.done };
    await worker.stop();
    return figures;
  });
}

export async function processLoad(load: ProcessLoad): Promise<Figures> {
  await fillLoad(load);
  return drainLoad(load);
}

interface Count {
  readonly done: number;
  /** Finished jobs per second since the first began. */
  perSecond(): number;
  /** Ends when all are done, or the time is over; throws where a worker failed. */
  over(secondsMax: number): Promise<void>;
}

async function startCounting(queue: Queue, concurrency: number, prefetch: number, jobs: number): Promise<{ count: Count; worker: { stop(): Promise<void> } }> {
  const allDone = Promise.withResolvers<void>();
  let [done, firstMs, lastMs, timeIsOver] = [0, 0, 0, false];
  const onStart = (): void => {
    if (firstMs === 0) firstMs = performance.now();
  };
  const onDone = (): void => {
    if (timeIsOver) return;
    done += 1;
    lastMs = performance.now();
    if (done === jobs) allDone.resolve();
  };
  const worker = await queue.work({ concurrency, prefetch, onStart, onDone, onProblem: allDone.reject });
  const over = async (secondsMax: number): Promise<void> => {
    const timer = setTimeout(() => allDone.resolve(), secondsMax * 1_000);
    await allDone.promise;
    clearTimeout(timer);
    timeIsOver = true;
    if (done === 0) throw new Error(`no job was finished within ${secondsMax} s`);
  };
  return {
    worker,
    count: {
      get done() {
        return done;
      },
      perSecond: () => (done * 1_000) / (lastMs - firstMs),
      over,
    },
  };
}

export interface TogetherLoad extends Workload {
  readonly inFlight: number;
  readonly concurrency: number;
  /** Submitted in so many seconds; the clock stops when the last one is done, or after three times as long. */
  readonly seconds: number;
}

export function togetherLoad({ queue: address, inFlight, concurrency, seconds }: TogetherLoad): Promise<Figures> {
  return withQueue(address, async (queue) => {
    const { count, worker } = await startCounting(queue, concurrency, 0, Number.POSITIVE_INFINITY);
    let submitted = 0;
    const startedMs = performance.now();
    const submitting = flood(inFlight, 0, seconds, async () => {
      await queue.submit(submitted);
      submitted += 1;
      return 1;
    });
    const deadline = startedMs + seconds * 3_000;
    await Promise.race([submitting, count.over(seconds * 6)]);
    while (count.done < submitted && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    const figures = { jobsPerSecond: (count.done * 1_000) / (performance.now() - startedMs), jobs: submitted };
    await worker.stop();
    return figures;
  });
}

export interface LatencyLoad extends Workload {
  readonly jobs: number;
  readonly everyMs: number;
}

/** From the call of `submit` to the begin of the handler, in one process, of a worker that waits. */
export function latencyLoad({ queue: address, jobs, everyMs }: LatencyLoad): Promise<Figures> {
  return withQueue(address, async (queue) => {
    const samples: number[] = [];
    const submittedMs: number[] = [];
    const started = Promise.withResolvers<void>();
    const onStart = (n: number): void => {
      samples.push(performance.now() - (submittedMs[n] ?? Number.NaN));
      if (samples.length === jobs) started.resolve();
    };
    const worker = await queue.work({ concurrency: 10, prefetch: 0, onStart, onDone: () => {}, onProblem: started.reject });
    const settle = new Promise((resolve) => setTimeout(resolve, 100));
    await settle;
    const submit = async (n: number): Promise<void> => {
      submittedMs[n] = performance.now();
      await queue.submit(n);
    };
    for (let n = 0; n < jobs; n++) {
      submit(n).catch(started.reject);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await started.promise;
    await worker.stop();
    const { p50Ms, p99Ms, maxMs } = latencies(samples);
    return { p50Ms, p99Ms, maxMs };
  });
}
