/**
 * What runs in the side thread: one statement after another on a read-only connection, and copying the write-ahead
 * log on a connection of its own. It loads nothing but the driver, and knows neither the queries nor the clock.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { StatementCache } from './statement-cache.ts';

export interface SideSettings {
  readonly path: string;
  /** Holds the number of the last read that nobody waits for any more. Reads are given up in the order of their numbers. */
  readonly givenUp: BigInt64Array;
  /** Whether statements are told, values filled in, before their answer. */
  readonly tellsStatements: boolean;
}
interface Read {
  readonly text: string;
  readonly parameters: readonly unknown[];
}
/** `close` is the last one. */
export type SideTask = { readonly id: number } & ({ readonly read: Read } | { readonly copyLog: true } | { readonly close: true });
export type SideMessage =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string | null } }
  | { readonly statement: string };

/** Kibibytes, beside the operating system's own cache, in which every page that was read lately is anyway. */
const READING_CACHE = 8_192;
const COPYING_CACHE = 512;

const settings = workerData as SideSettings;
const port = parentPort;
if (port === null) throw new Error('this file runs as a thread only');
let running = 0;
let reading: { readonly database: Database.Database; readonly cache: StatementCache } | undefined;
let copying: Database.Database | undefined;

const isGivenUp = (id: number): boolean => Atomics.load(settings.givenUp, 0) >= BigInt(id);
const tell = (message: SideMessage): void => port.postMessage(message);

function open(options: Database.Options): Database.Database {
  const verbose = (text: unknown): void => tell({ statement: String(text) });
  return new Database(settings.path, { ...options, fileMustExist: true, ...(settings.tellsStatements && { verbose }) });
}

/**
 * A native call cannot be interrupted from outside, not even by ending the thread. So reads see the jobs through a view
 * that asks at one row in 256 whether anybody still waits; it changes no plan and costs a scan a tenth of its time.
 */
function openForReading(): NonNullable<typeof reading> {
  const database = open({ readonly: true });
  database.pragma(`cache_size = -${READING_CACHE}`);
  database.function('is_wanted', { deterministic: false }, () => {
    if (isGivenUp(running)) throw new Error('nobody waits for this read any more');
    return 1;
  });
  database.exec('create temp view jobs as select * from main.jobs where (seq & 255) <> 0 or is_wanted()');
  database.pragma('query_only = on');
  return { database, cache: new StatementCache(database) };
}

function openForCopying(): Database.Database {
  const database = open({});
  database.pragma('synchronous = FULL');
  if (database.pragma('synchronous', { simple: true }) !== 2) throw new Error('the database did not accept synchronous=FULL');
  database.pragma('wal_autocheckpoint = 0');
  database.pragma(`cache_size = -${COPYING_CACHE}`);
  return database;
}

/** Row by row: within one native call the thread's memory limit would not hold. */
function read({ text, parameters }: Read): readonly unknown[] {
  reading ??= openForReading();
  return [...reading.cache.prepare(text).iterate(parameters)];
}

function work(task: SideTask): readonly unknown[] {
  running = task.id;
  if ('read' in task) return isGivenUp(task.id) ? [] : read(task.read);
  if ('copyLog' in task) (copying ??= openForCopying()).pragma('wal_checkpoint(PASSIVE)');
  return [];
}

port.on('message', (task: SideTask) => {
  if ('close' in task) {
    reading?.database.close();
    copying?.close();
    return port.close();
  }
  try {
    tell({ id: task.id, rows: work(task) });
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : null;
    tell({ id: task.id, failure: { message: error instanceof Error ? error.message : String(error), code } });
  }
});
