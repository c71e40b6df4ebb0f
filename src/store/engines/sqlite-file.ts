/** The SQLite file itself: whether it can be used, and as what: one process owns it, beside which others are guests. */
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, realpathSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseUnusable } from './engine.ts';
import { syncFolder } from './file-sync.ts';
import { refuseHalfRestored } from './half-restored.ts';
import { type Release, takeGate, takeOwnership } from './locks.ts';
import type { Configure, OpenedFile } from './opened-file.ts';
import { isSqliteError, messageOf } from './sqlite-errors.ts';
import { openAsGuest } from './sqlite-guest.ts';

/** Files up to this size are checked whole at start; bigger ones would delay it too long. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024;

/** Opens and configures the file as its only owner. Throws `DatabaseUnusable`, having changed nothing, where it cannot. */
export function openFile(path: string, configure: Configure, onStatement?: (text: string) => void): OpenedFile {
  const options: Database.Options = onStatement === undefined ? {} : { verbose: (text) => onStatement(String(text)) };
  if (path === ':memory:') {
    const database = new Database(path, options);
    configure(database);
    return { database, isOwned: true, admit: () => {}, release: () => {} };
  }
  return atGate(path, (file, leave) => {
    const owned = openOwned(file, configure, options);
    if (owned === null)
      throw new DatabaseUnusable(
        `Another LeaseQueue server is using this database: ${path}. One server process owns a SQLite file; stop the other one, or give this one a file of its own.`,
      );
    return { ...owned, admit: leave, release: inOrder(owned.release, leave) };
  });
}

/**
 * Opens the file for one command: as its owner, or beside the server that owns it as a guest. Until it is released no
 * other process comes. Throws `DatabaseUnusable`, having changed nothing, where it cannot.
 */
export function openFileBriefly(path: string, configure: Configure): OpenedFile {
  return atGate(path, (file, leave) => {
    const opened = openOwned(file, configure) ?? openAsGuest(file, configure) ?? openOwned(file, configure);
    if (opened === null) throw new Error('the database was owned by a process that did not come through the gate');
    return { ...opened, release: inOrder(opened.release, leave) };
  });
}

function atGate(path: string, open: (file: string, leave: Release) => OpenedFile): OpenedFile {
  requireWritable(path);
  // A link is another name, and the files beside the database have its real one.
  const file = existsSync(path) ? realpathSync(path) : path;
  const leave = takeGate(file);
  try {
    refuseHalfRestored(file);
    return open(file, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

function inOrder(...steps: readonly Release[]): Release {
  return () => {
    for (const step of steps) step();
  };
}

/** Null where another process owns it. */
function openOwned(path: string, configure: Configure, options: Database.Options = {}): OpenedFile | null {
  const release = takeOwnership(path);
  if (release === null) return null;
  try {
    return { database: openChecked(path, options, configure), isOwned: true, admit: () => {}, release };
  } catch (error) {
    release();
    throw error;
  }
}

function requireWritable(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new DatabaseUnusable(`The folder of the database does not exist: ${folder}. Create it, or set LEASEQUEUE_DATABASE_PATH to another place.`);
  if (!isAllowed(folder, constants.W_OK | constants.X_OK))
    throw new DatabaseUnusable(
      `The folder of the database cannot be written to: ${folder}. LeaseQueue needs write access to the folder, for the files that SQLite keeps beside the database.`,
    );
  if (!existsSync(path)) return;
  if (!statSync(path).isFile()) throw new DatabaseUnusable(`The database path is not a file: ${path}. Set LEASEQUEUE_DATABASE_PATH to a file.`);
  if (!isAllowed(path, constants.R_OK | constants.W_OK))
    throw new DatabaseUnusable(`The database file cannot be written to: ${path}. Give the server's user write access to it.`);
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function openChecked(path: string, options: Database.Options, configure: Configure): Database.Database {
  let database: Database.Database | undefined;
  try {
    refuseTruncated(path);
    syncAnew(`${path}-wal`);
    database = new Database(path, options);
    if (existsSync(path) && statSync(path).size <= CHECKED_BYTES_MAX) requireIntact(database, path);
    configure(database);
    // The entry of a new log: SQLite asks for it too, and passes over a failure.
    syncFolder(dirname(path));
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof DatabaseUnusable) throw cause;
    if (isSqliteError(cause, 'SQLITE_NOTADB') || isSqliteError(cause, 'SQLITE_CORRUPT')) throw damaged(path, messageOf(cause), cause);
    throw new DatabaseUnusable(`The database cannot be opened: ${path} (${messageOf(cause)}).`, { cause });
  }
}

function requireIntact(database: Database.Database, path: string): void {
  const verdict = database.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw damaged(path, String(verdict));
}

/**
 * A log whose sync failed may be whole in memory and not on the disk: no later sync tries it again, and a power cut takes
 * whatever is built on it. Written once more, its sync says whether it is there.
 */
function syncAnew(log: string): void {
  if (!existsSync(log)) return;
  const content = readFileSync(log);
  const file = openSync(log, 'r+');
  try {
    for (let from = 0; from < content.length; ) from += writeSync(file, content, from, content.length - from, from);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A file that is neither empty nor whole pages was cut off, or is something else. */
function refuseTruncated(path: string): void {
  if (!existsSync(path)) return;
  const { size } = statSync(path);
  if (size > 0 && size % 512 !== 0) throw damaged(path, `its ${size} bytes are not whole pages`);
}

function damaged(path: string, found: string, cause?: unknown): DatabaseUnusable {
  return new DatabaseUnusable(
    `The database file is damaged or is not a SQLite database: ${path} (${found}). Nothing was changed. Restore a backup, or move the file away to start with an empty one.`,
    { cause },
  );
}
