/**
 * What runs in the thread of a snapshot: one statement after another on a read-only connection of its own, in one
 * transaction where all have to see the same state. It loads nothing but the driver.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface SnapshotSettings {
  readonly path: string;
  /** Whether all statements see the state that the first of them saw. */
  readonly isPinned: boolean;
}
/** `close` is the last one. */
export type SnapshotTask = { readonly id: number } & ({ readonly text: string; readonly parameters: readonly unknown[] } | { readonly close: true });
export type SnapshotAnswer = { readonly id: number } & (
  | { readonly rows: readonly unknown[] }
  | { readonly failure: { readonly message: string; readonly code: string | null } }
);

/** Kibibytes. Whole tables are read once: what was read before is of little use. */
const CACHE = 16_384;

const { path, isPinned } = workerData as SnapshotSettings;
if (parentPort === null) throw new Error('this file is the entry of a thread');
const port = parentPort;
let opened: Database.Database | null = null;

function open(): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma(`cache_size = -${CACHE}`);
  if (isPinned) database.exec('begin');
  return database;
}

function run({ text, parameters }: Extract<SnapshotTask, { readonly text: string }>): readonly unknown[] {
  opened ??= open();
  const statement = opened.prepare(text);
  if (statement.reader) return statement.all(...parameters);
  statement.run(...parameters);
  return [];
}

function answerTo(task: Extract<SnapshotTask, { readonly text: string }>): SnapshotAnswer {
  try {
    return { id: task.id, rows: run(task) };
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : null;
    return { id: task.id, failure: { message: error instanceof Error ? error.message : String(error), code } };
  }
}

port.on('message', (task: SnapshotTask) => {
  if (!('close' in task)) return port.postMessage(answerTo(task));
  opened?.close();
  port.close();
});
