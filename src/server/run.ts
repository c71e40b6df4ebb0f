/** One server process from its settings to its exit code. */
import { LIMITS } from '../domain/limits.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { type Environ, processEnvironment } from '../runtime/environment.ts';
import { systemEntropy } from '../runtime/entropy.ts';
import { createLogger, type Logger } from '../runtime/logger.ts';
import { DatabaseUnusable } from '../store/engines/engine.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import { StoreFault } from '../store/store.ts';
import { type App, createApp, openStore } from './app.ts';
import { setGarbageCollection } from './garbage-collection.ts';
import { VERSION } from '../runtime/version.ts';
import { within } from './within.ts';

/** sysexits.h: input or output failed, after which nothing may be answered. */
const EXIT_DATABASE_FAILED = 74;
/** sysexits.h: a defect. */
const EXIT_DEFECT = 70;
/** So that whoever waits for an answer is told that its outcome is unknown. */
const LAST_ANSWERS_MS = 200;

class CannotListen extends Error {}

/** Runs until a signal stops it. What prevents the start is told on stderr, readably, with exit code 1. */
export async function runServer(): Promise<void> {
  const problems = await startServer(processEnvironment());
  if (problems.length === 0) return;
  process.stderr.write(problems.map((problem) => `LeaseQueue cannot start: ${problem}\n`).join(''));
  process.exitCode = 1;
}

/** The same with other settings. Answers with what prevents the start; with nothing where the server runs, until a signal stops it. */
export async function startServer(settings: Environ): Promise<readonly string[]> {
  const result = readConfig(settings);
  if (!result.ok) return result.problems;
  const { config } = result;
  setGarbageCollection();
  const log = createLogger({ level: config.logLevel, clock: systemClock, stream: process.stdout });
  endOnDefects(log);
  const fatal = new AbortController();
  try {
    const store = await openStore({ config, clock: systemClock, entropy: systemEntropy, onFatal: (error) => fatal.abort(error) });
    const app = await listen(config, store, log);
    fatal.signal.addEventListener('abort', () => void endAfterFailure(app, log, fatal.signal.reason));
    if (fatal.signal.aborted) return endAfterFailure(app, log, fatal.signal.reason);
    // Whoever reads that it is ready may stop it at once.
    stopOnSignals(app, log);
    welcome(log, config, app);
    return [];
  } catch (error) {
    if (error instanceof DatabaseUnusable || error instanceof CannotListen) return [error.message];
    throw error;
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there. Stop it, or choose another LEASEQUEUE_PORT.',
  EACCES: 'this user may not use that port. Choose a LEASEQUEUE_PORT above 1023.',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose another LEASEQUEUE_HOST.',
  ENOTFOUND: 'there is no host of that name. Choose another LEASEQUEUE_HOST.',
};

async function listen(config: Config, store: LeaseRepository, log: Logger): Promise<App> {
  try {
    return await createApp({ config, store, clock: systemClock, entropy: systemEntropy, log });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const problem = LISTEN_PROBLEMS[code];
    if (problem === undefined) throw error;
    await store.close();
    throw new CannotListen(`it cannot listen on ${config.host}, port ${config.port}: ${problem}`, { cause: error });
  }
}

function welcome(log: Logger, { environment, auth }: Config, { url }: App): void {
  log.info('LeaseQueue is ready', { url, version: VERSION, environment });
  log.info('the console is at', { url: `${url}/` });
  if (environment === 'development') log.info('try the API in the browser', { url: `${url}/graphql` });
  if (auth === 'required') {
    log.info('every request needs an API key: the first one is made with `leasequeue keys create`, beside the running server or before it starts');
  }
  if (auth === 'none') {
    log.warn('authentication is off: whoever reaches this server may do everything; without the header x-leasequeue-tenant it belongs to the tenant default');
  }
}

/** A second signal neither shortens the stop nor ends it. */
function stopOnSignals(app: App, log: Logger): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return log.info('already stopping', { signal });
    isStopping = true;
    log.info('stopping', { signal });
    void stopAndExit(app, log);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
}

async function stopAndExit(app: App, log: Logger): Promise<never> {
  try {
    if ((await within(app.stop(), LIMITS.stopMsMax - LAST_ANSWERS_MS, systemClock)) !== 'late') {
      log.info('stopped');
      process.exit(0);
    }
    log.error('the stop took too long and was cut short');
  } catch (error) {
    log.error('the stop failed', { error });
    if (error instanceof StoreFault && error.kind === 'fatal') process.exit(EXIT_DATABASE_FAILED);
  }
  process.exit(1);
}

async function endAfterFailure(app: App, log: Logger, error: unknown): Promise<never> {
  app.closeFor('the database failed');
  log.error('the database failed: the outcome of what was running is unknown, so the process ends', { error });
  await systemClock.sleep(LAST_ANSWERS_MS);
  process.exit(EXIT_DATABASE_FAILED);
}

function endOnDefects(log: Logger): void {
  const end = (error: unknown): never => {
    log.error('a defect ends the process', { error });
    process.exit(EXIT_DEFECT);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
