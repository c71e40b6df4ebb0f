/** The keys in the database, opened for one command: alone, or beside the server that runs on it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { readDatabasePath } from '../runtime/config.ts';
import { processEnvironment } from '../runtime/environment.ts';
import { systemEntropy } from '../runtime/entropy.ts';
import { createJobStore } from '../store/create-store.ts';
import { DatabaseUnusable } from '../store/engines/engine.ts';
import { openSqliteBriefly } from '../store/engines/sqlite.ts';
import type { KeyStore } from '../store/key-store.ts';
import { StoreFault } from '../store/store.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** A command removes nothing. */
const KEEP_ALL = { completedSeconds: 0, cancelledSeconds: 0, deadSeconds: 0 };

/** Absolute path of the database that the server would use. Throws a CommandFailure where the settings are wrong. */
export function databasePath(): string {
  const result = readDatabasePath(processEnvironment());
  if (!result.ok) throw new CommandFailure(result.problems.join('\n'), EXIT.failed);
  if (result.path === ':memory:') throw new CommandFailure("A database in memory is its server's alone: use the API.", EXIT.failed);
  return resolve(result.path);
}

/** For commands that make sense on a database that is there. */
export function existingDatabasePath(): string {
  const path = databasePath();
  if (existsSync(path)) return path;
  throw new CommandFailure(`There is no database at ${path}. Set LEASEQUEUE_DATABASE_PATH to the one that the server uses.`, EXIT.failed);
}

/** Throws a CommandFailure where the database could not be used, or did not do what `work` asked of it. */
export async function withKeys<Result>(path: string, work: (keys: KeyStore) => Promise<Result>): Promise<Result> {
  try {
    const engine = openSqliteBriefly({ path });
    const store = await createJobStore({ engine, clock: systemClock, entropy: systemEntropy, retention: KEEP_ALL, onFatal: () => {} });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  if (error instanceof DatabaseUnusable) return new CommandFailure(error.message, EXIT.failed, { cause: error });
  if (!(error instanceof StoreFault)) return error;
  const message = error.outcomeUnknown ? 'The database failed. The outcome is unknown: look at the disk, then at the list of keys.' : error.message;
  return new CommandFailure(message, error.outcomeUnknown ? EXIT.outcomeUnknown : EXIT.failed, { cause: error });
}
