/**
 * A database file, read for as long as it takes in a thread of its own: beside the server that owns it, or where nobody
 * does. It changes nothing, and nobody waits for it; the write-ahead log cannot start over while it is open.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { DatabaseUnusable } from './engine.ts';
import { readsIn } from './side-reads.ts';
import { isSqliteError, messageOf } from './sqlite-errors.ts';
import type { SnapshotAnswer, SnapshotSettings, SnapshotTask } from './snapshot-work.ts';

export interface Snapshot {
  readonly db: Kysely<Tables>;
  /** What is wrong with the pages and indexes of the file, in the database's words, up to `limit`; `isQuick`: indexes are not compared with their tables. */
  damage(limit: number, isQuick: boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}
interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Beside this file, and named like it where the sources are compiled. */
const SNAPSHOT_WORK = new URL(`./snapshot-work${extname(import.meta.url)}`, import.meta.url);

class SnapshotThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #lost: Error | null = null;

  constructor(settings: SnapshotSettings) {
    this.#worker = new Worker(SNAPSHOT_WORK, { workerData: settings, execArgv: [], name: 'snapshot' });
    this.#worker.on('message', (answer: SnapshotAnswer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(error));
  }

  read(text: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker.postMessage({ id, text, parameters } satisfies SnapshotTask);
    return promise;
  }

  async close(): Promise<void> {
    if (this.#lost !== null) return;
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage({ id: 0, close: true } satisfies SnapshotTask);
    await ended;
  }

  #receive(answer: SnapshotAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rows' in answer) return waiting?.resolve(answer.rows);
    const { message, code } = answer.failure;
    waiting?.reject(code === null ? new Error(message) : new Database.SqliteError(message, code));
  }

  #fail(error: Error): void {
    this.#lost = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** All of its reads see one state, which is as of the first of them. */
export function openSnapshot(path: string): Snapshot {
  const thread = new SnapshotThread({ path, isPinned: true });
  return {
    db: readsIn({ read: (text, parameters) => thread.read(text, parameters).catch(unreadable(path)) }),
    damage: (limit, isQuick) => damageOf(thread, limit, isQuick).catch(unreadable(path)),
    close: () => thread.close(),
  };
}

/** Writes what is committed as a file of its own, which must be empty or not there. It is not synced. */
export async function copyInto(path: string, file: string): Promise<void> {
  const thread = new SnapshotThread({ path, isPinned: false });
  try {
    await thread.read('vacuum into ?', [file]);
  } finally {
    await thread.close();
  }
}

function unreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    throw new DatabaseUnusable(
      `The database cannot be read: ${path} (${cause.message}). Nothing was changed. Reading it needs read access to the file and, for the files beside it, write access to its folder.`,
      { cause },
    );
  };
}

async function damageOf(thread: SnapshotThread, limit: number, isQuick: boolean): Promise<readonly string[]> {
  try {
    return await damageFound(thread, limit, isQuick);
  } catch (error) {
    if (isSqliteError(error, 'SQLITE_NOTADB') || isSqliteError(error, 'SQLITE_CORRUPT')) return [messageOf(error)];
    throw error;
  }
}

async function damageFound(thread: SnapshotThread, limit: number, isQuick: boolean): Promise<readonly string[]> {
  const pages = (await thread.read(`pragma ${isQuick ? 'quick_check' : 'integrity_check'}(${limit})`, [])) as readonly Record<string, string>[];
  const found = pages.flatMap((row) => Object.values(row)).flatMap((text) => text.split('\n'));
  const strangers = (await thread.read('pragma foreign_key_check', [])) as readonly { table: string; rowid: number | null; parent: string }[];
  return [
    ...found.filter((text) => text !== 'ok'),
    ...strangers.slice(0, limit).map(({ table, rowid, parent }) => `row ${rowid} of ${table} names a row of ${parent} that is not there`),
  ];
}
