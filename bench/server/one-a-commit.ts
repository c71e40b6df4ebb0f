/** The compiled server with one transaction for each operation: what it would be without group commit. */
import { once } from 'node:events';
import type * as clockModule from '../../src/runtime/clock.ts';
import type * as configModule from '../../src/runtime/config.ts';
import type * as entropyModule from '../../src/runtime/entropy.ts';
import type * as environmentModule from '../../src/runtime/environment.ts';
import type * as loggerModule from '../../src/runtime/logger.ts';
import type * as appModule from '../../src/server/app.ts';
import type * as garbageModule from '../../src/server/garbage-collection.ts';

const compiled = (path: string): string => new URL(`../../dist/${path}`, import.meta.url).href;

const { createApp, openStore } = (await import(compiled('server/app.js'))) as typeof appModule;
const { setGarbageCollection } = (await import(compiled('server/garbage-collection.js'))) as typeof garbageModule;
const { readConfig } = (await import(compiled('runtime/config.js'))) as typeof configModule;
const { processEnvironment } = (await import(compiled('runtime/environment.js'))) as typeof environmentModule;
const { systemClock: clock } = (await import(compiled('runtime/clock.js'))) as typeof clockModule;
const { systemEntropy: entropy } = (await import(compiled('runtime/entropy.js'))) as typeof entropyModule;
const { createLogger } = (await import(compiled('runtime/logger.js'))) as typeof loggerModule;

const result = readConfig(processEnvironment());
if (!result.ok) throw new Error(result.problems.join(' '));
const { config } = result;
setGarbageCollection();
const onFatal = (error: Error): never => {
  throw error;
};
const store = await openStore({ config, clock, entropy, onFatal, groupWeightMax: 1 });
const log = createLogger({ level: config.logLevel, clock, stream: process.stdout });
const app = await createApp({ config, store, clock, entropy, log });
log.info('LeaseQueue is ready', { url: app.url });
await once(process, 'SIGTERM');
await app.stop();
process.exit(0);
