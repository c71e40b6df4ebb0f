/** Other queues on the same work, by the same code. */
import { join } from 'node:path';
import type { QueueAddress } from '../load/queue.ts';
import { noServer, startPostgres, startRedis, type StartService } from '../peers/service.ts';
import type { Case, Row, Run, Suite, Work } from '../row.ts';
import { BENCH } from '../workspace.ts';
import { BULK_IN_FLIGHT, LATENCY_EVERY_MS, PREFETCH, PROCESS_SECONDS_FACTOR, TOGETHER } from './client.ts';

interface Peer {
  /** As in the names of its rows. */
  readonly name: string;
  readonly title: string;
  /** What was acknowledged survives a power loss. */
  readonly durable: boolean;
  readonly start: StartService;
  readonly needs: string;
  readonly module: string;
  readonly settings: QueueAddress['settings'];
  readonly works: readonly Work[];
  /** Jobs of one `submitMany`. */
  readonly bulkSize: number;
}

const SUBMITTING: readonly Work[] = ['submit-1', 'submit-64', 'bulk'];
const PROCESSING: readonly Work[] = ['process-1', 'process-10', 'process-100'];
const ALL: readonly Work[] = [...SUBMITTING, ...PROCESSING, 'together', 'latency'];
const REDIS = { needs: 'redis-server is not installed', module: 'bullmq.mjs', settings: {}, works: ALL, bulkSize: 500 } as const;
const POSTGRES = { needs: 'postgres and initdb are not installed', durable: true, start: startPostgres, bulkSize: 500 } as const;
const FILE = { needs: '', start: noServer, bulkSize: 500 } as const;

const PEERS: readonly Peer[] = [
  { ...REDIS, name: 'bullmq-always', title: 'BullMQ, Redis with appendfsync always', durable: true, start: startRedis('always') },
  { ...REDIS, name: 'bullmq-everysec', title: 'BullMQ, Redis with appendfsync everysec', durable: false, start: startRedis('everysec') },
  { ...POSTGRES, name: 'pg-boss', title: 'pg-boss, a loop for each job at a time', module: 'pg-boss.mjs', settings: { batch: 1 }, works: ALL },
  {
    ...POSTGRES,
    name: 'pg-boss-batch',
    title: 'pg-boss, one loop of batches',
    module: 'pg-boss.mjs',
    settings: { batch: 0 },
    works: ['process-100', 'together'],
  },
  { ...POSTGRES, name: 'graphile-worker', title: 'graphile-worker', module: 'graphile-worker.mjs', settings: { localQueue: 0 }, works: ALL },
  {
    ...POSTGRES,
    name: 'graphile-worker-local',
    title: `graphile-worker with a local queue of ${PREFETCH + 100} and batched completion`,
    module: 'graphile-worker.mjs',
    settings: { localQueue: PREFETCH + 100 },
    works: ['process-prefetch'],
  },
  { ...FILE, name: 'plainjob-full', title: 'plainjob, synchronous FULL', durable: true, module: 'plainjob.mjs', settings: { synchronous: 'FULL' }, works: ALL },
  { ...FILE, name: 'plainjob', title: 'plainjob as it comes', durable: false, module: 'plainjob.mjs', settings: {}, works: ALL },
  {
    ...FILE,
    name: 'liteque-full',
    title: 'liteque, synchronous FULL',
    durable: true,
    module: 'liteque.mjs',
    settings: {},
    works: ['submit-1', 'submit-64'],
  },
];

const WORKS: Readonly<Record<Work, string>> = {
  'submit-1': 'submit, 1 in flight',
  'submit-64': 'submit, 64 in flight',
  bulk: 'submit in bulk',
  'process-1': 'process, 1 at a time',
  'process-10': 'process, 10 at a time',
  'process-100': 'process, 100 at a time',
  'process-prefetch': 'process, 100 at a time, with more waiting in the worker',
  together: 'submit and process together',
  latency: 'from submit to the handler',
};

function rowOf({ name, title, durable, start }: Peer, work: Work): Row {
  const isLatency = work === 'latency';
  const figure = isLatency ? ({ headline: 'p50Ms', better: 'lower' } as const) : ({ headline: 'jobsPerSecond', better: 'higher' } as const);
  return { name: `peer/${name}/${work}`, what: `${title}: ${WORKS[work]}`, ...figure, work, peer: { name, durable, isServer: start !== noServer } };
}

let queues = 0;

function casesOf({ load, scale }: Run, peer: Peer, settings: QueueAddress['settings']): Readonly<Record<Work, Case>> {
  const { warmSeconds, measureSeconds: seconds } = scale;
  const address = (): QueueAddress => {
    queues += 1;
    return { module: join(BENCH, 'peers', peer.module), settings: { ...settings, ...peer.settings, queue: `bench-${queues}` } };
  };
  const process = (concurrency: 1 | 10 | 100, prefetch: number): Case => {
    return () =>
      load.run('process', {
        queue: address(),
        concurrency,
        prefetch,
        jobs: scale.jobsPerConcurrency[concurrency],
        secondsMax: seconds * PROCESS_SECONDS_FACTOR,
      });
  };
  return {
    'submit-1': () => load.run('submit', { queue: address(), inFlight: 1, warmSeconds, seconds }),
    'submit-64': () => load.run('submit', { queue: address(), inFlight: 64, warmSeconds, seconds }),
    bulk: () => load.run('bulk', { queue: address(), inFlight: BULK_IN_FLIGHT, warmSeconds, seconds, size: peer.bulkSize }),
    'process-1': process(1, 0),
    'process-10': process(10, 0),
    'process-100': process(100, 0),
    'process-prefetch': process(100, PREFETCH),
    together: () => load.run('together', { queue: address(), ...TOGETHER, seconds }),
    latency: () => load.run('latency', { queue: address(), jobs: scale.latencyJobs, everyMs: LATENCY_EVERY_MS }),
  };
}

async function measurePeer(run: Run, peer: Peer, service: { readonly settings: QueueAddress['settings'] }): Promise<void> {
  const module = join(BENCH, 'peers', peer.module);
  const said = await run.load.run('settings', { queue: { module, settings: { ...service.settings, ...peer.settings, queue: 'settings' } } });
  for (const work of peer.works) if (said !== null) run.note(`peer/${peer.name}/${work}`, said);
  const cases = casesOf(run, peer, service.settings);
  await run.alternate(Object.fromEntries(peer.works.map((work) => [`peer/${peer.name}/${work}`, cases[work]])));
}

/** One peer after the other, so that no idle server takes from another. */
async function measure(run: Run): Promise<void> {
  for (const peer of PEERS) {
    const names = peer.works.map((work) => `peer/${peer.name}/${work}`);
    if (!names.some((name) => run.wants(name))) continue;
    try {
      using workspace = run.workspace.nested();
      await using service = await peer.start(workspace);
      if (service === null) run.skip(names, peer.needs);
      else await measurePeer(run, peer, service);
    } catch (error) {
      run.skip(names, error instanceof Error ? error.message : String(error));
    }
    // What a library leaves running must not disturb the next one.
    await run.load[Symbol.asyncDispose]();
  }
}

export const PEER_SUITE: Suite = { name: 'other queues', rows: PEERS.flatMap((peer) => peer.works.map((work) => rowOf(peer, work))), measure };
