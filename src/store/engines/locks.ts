/**
 * The two locks beside a SQLite file, each an exclusive lock on a file of its own that holds no data. The operating
 * system drops it when the process ends, however it ends, so nothing is left to clear by hand.
 */
import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LIMITS } from '../../domain/limits.ts';
import { DatabaseUnusable } from './engine.ts';
import { isSqliteError, messageOf } from './sqlite-errors.ts';

/** Gives the lock up; a second call changes nothing. */
export type Release = () => void;

/** Held by the one process that owns the database, as long as it does. Null where another one holds it. */
export function takeOwnership(path: string): Release | null {
  return lock(`${path}-owner`, 0);
}

/** Whether another process owns the database. To be called at the gate: a server that came just now would find the lock taken. */
export function isOwned(path: string): boolean {
  const release = takeOwnership(path);
  release?.();
  return release === null;
}

/** Whether a server runs on the database, for whoever is not at the gate. Throws `DatabaseUnusable` where that cannot be known. */
export function isServed(path: string): boolean {
  const file = existsSync(path) ? realpathSync(path) : path;
  if (!existsSync(`${file}-owner`)) return false;
  const leave = takeGate(file);
  try {
    return isOwned(file);
  } finally {
    leave();
  }
}

/**
 * Held by a process that comes to the database until it is ready, and by a command until it leaves: whoever holds it
 * knows that no owner comes meanwhile. Waits for its turn. Throws `DatabaseUnusable` where that takes too long.
 */
export function takeGate(path: string): Release {
  const release = lock(`${path}-gate`, LIMITS.busyWaitMsMax);
  if (release !== null) return release;
  throw new DatabaseUnusable(
    `Another LeaseQueue server is using this database, or a command is, and has been coming to it for ${LIMITS.busyWaitMsMax / 1000} seconds: ${path}. Nothing was changed. Try again, and look for a process that hangs.`,
  );
}

function lock(file: string, waitMs: number): Release | null {
  let held: Database.Database | undefined;
  try {
    held = new Database(file, { timeout: waitMs });
    held.pragma('journal_mode = MEMORY');
    held.exec('begin exclusive');
    // On a file that may only be read the line above holds nothing and says nothing. What this one changes is never written.
    held.pragma('user_version = 1');
  } catch (cause) {
    held?.close();
    if (isSqliteError(cause, 'SQLITE_BUSY')) return null;
    throw new DatabaseUnusable(
      `The file that is locked beside the database cannot be used: ${file} (${messageOf(cause)}). Give the server's user write access to it; it holds no data.`,
      { cause },
    );
  }
  const holder = held;
  return () => void holder.close();
}
