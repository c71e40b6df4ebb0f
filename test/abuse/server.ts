/** The server under abuse: a process of its own, with time limits that a test can wait for, which tells what it holds when asked. */
import { join } from 'node:path';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { readConfig } from '../../src/runtime/config.ts';
import { systemEntropy as entropy } from '../../src/runtime/entropy.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { createApp, openStore } from '../../src/server/app.ts';
import { setGarbageCollection } from '../../src/server/garbage-collection.ts';
import { collectGarbage } from '../support/garbage.ts';

/** What the process holds once garbage is collected. */
export interface Holdings {
  readonly heapBytes: number;
  /** Feeds, of all transports. */
  readonly followers: number;
  /** Open connections and everything else that the event loop waits for, by kind. */
  readonly resources: Readonly<Record<string, number>>;
}

function holdings(followers: number): Holdings {
  // What a finalizer frees is garbage of the next round.
  for (let round = 0; round < 3; round += 1) collectGarbage();
  const kinds = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const resources = Object.fromEntries(Object.entries(kinds).map(([kind, all = []]) => [kind, all.length]));
  return { heapBytes: process.memoryUsage().heapUsed, followers, resources };
}

const [folder = ''] = process.argv.slice(2);
const read = readConfig({
  LEASEQUEUE_PORT: '0',
  LEASEQUEUE_ENVIRONMENT: 'production',
  LEASEQUEUE_AUTH: 'none',
  LEASEQUEUE_DATABASE_PATH: join(folder, 'abuse.db'),
});
if (!read.ok) throw new Error(read.problems.join(' '));
const log = createLogger({ level: 'info', clock, stream: process.stdout });
setGarbageCollection();
const onFatal = (error: Error): never => {
  throw error;
};
const store = await openStore({ config: read.config, clock, entropy, onFatal });
const network = { requestHeadersMsMax: 2_000, requestMsMax: 4_000, keepAliveMsMax: 2_000, lookEveryMs: 200, socketInitialiseMsMax: 1_000 };
const app = await createApp({ config: read.config, store, clock, entropy, log, network });
process.on('message', () => process.send?.(holdings(app.followers())));
process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)));
process.send?.(app.url);
