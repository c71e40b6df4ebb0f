/** `npm run demo`: a server on a database of its own, with producers and workers that make it worth looking at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LeaseQueue, unwrap } from '../client/index.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { processEnvironment } from '../runtime/environment.ts';
import { systemEntropy } from '../runtime/entropy.ts';
import { createLogger } from '../runtime/logger.ts';
import { type App, createApp } from '../server/app.ts';
import { createJobStore } from '../store/create-store.ts';
import { openSqlite } from '../store/engines/sqlite.ts';
import { produce, type Stage, work } from './actors.ts';
import { HISTORY_MS, playHistory } from './history.ts';
import { pastClock } from './past-clock.ts';
import { SCENES } from './scenes.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The settings of the environment, on a database that goes with the demo. Exits where they are not valid. */
function demoConfig(folder: string): Config {
  const read = readConfig({ ...processEnvironment(), LEASEQUEUE_DATABASE_PATH: join(folder, 'demo.db') });
  if (read.ok) return read.config;
  for (const problem of read.problems) process.stderr.write(`${problem}\n`);
  process.exit(1);
}

async function startServer(config: Config, clock: Clock): Promise<App> {
  const entropy = systemEntropy;
  const onFatal = (error: Error): void => {
    process.stderr.write(`The database failed: ${error.message}\n`);
    process.exit(74);
  };
  const store = await createJobStore({ engine: openSqlite({ path: config.databasePath }), clock, entropy, retention: config.retention, onFatal });
  return createApp({ config, store, clock, entropy, log: createLogger({ level: 'warn', clock, stream: process.stderr }) });
}

/** Starts every producer and worker, and ends when the signal has ended them all. */
async function perform(stage: Stage): Promise<void> {
  const keepGoing = async (act: () => Promise<void>): Promise<void> => {
    while (!stage.signal.aborted) {
      await act().catch((error: unknown) => {
        if (!stage.signal.aborted) say(`  an actor stumbled and starts again: ${error instanceof Error ? error.message : String(error)}`);
      });
      await stage.clock.sleep(1_000, stage.signal);
    }
  };
  await Promise.all(
    SCENES.flatMap((scene) => [
      keepGoing(() => produce(stage, scene)),
      ...Array.from({ length: scene.workers }, (_, index) => keepGoing(() => work(stage, scene, `${scene.queue}-worker-${index + 1}`))),
    ]),
  );
}

/** Something for the console to point at. */
async function pauseReports({ lq }: Stage): Promise<void> {
  unwrap(await lq.pauseQueue({ name: 'reports', reason: 'The warehouse is being moved until noon.' }));
}

function announce(url: string): void {
  say(`
LeaseQueue demo: ${SCENES.length} queues, ${SCENES.reduce((sum, { workers }) => sum + workers, 0)} workers that sometimes fail or vanish.

  ${url}/          the operations console
  ${url}/graphql   GraphiQL: run the subscription there and watch
  ${url}/metrics   figures for Prometheus

Follow every transition from a terminal:

  curl -sN ${url}/graphql -H 'content-type: application/json' -H 'accept: text/event-stream' \\
    -d '{"query":"subscription { jobEvents { ... on JobEventBatch { events { kind queueName toState attempt workerId } } } }"}'

Ctrl-C stops it and removes its database.
`);
}

const folder = await mkdtemp(join(tmpdir(), 'leasequeue-demo-'));
const clock = pastClock(HISTORY_MS);
const app = await startServer(demoConfig(folder), clock);
const curtain = new AbortController();
const stage: Stage = { lq: new LeaseQueue({ url: app.url, signal: curtain.signal }), clock: systemClock, entropy: systemEntropy, signal: curtain.signal };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => curtain.abort());
say('Playing the last hour …');
await playHistory({ lq: stage.lq, clock, entropy: systemEntropy });
await pauseReports(stage);
announce(app.url);
await perform(stage);
await app.stop();
await rm(folder, { recursive: true, force: true });
say('The demo has stopped and cleaned up.');
