/**
 * A connection beside the server that owns the file. It commits as durably as the server does, and leaves the
 * write-ahead log to it, also where the server is gone when the guest leaves.
 */
import Database from 'better-sqlite3';
import { DatabaseUnusable } from './engine.ts';
import { isOwned } from './locks.ts';
import { messageOf } from './sqlite-errors.ts';
import type { Configure, OpenedFile } from './opened-file.ts';

/**
 * Null where the owner left meanwhile. To be called at the gate, where no new owner comes.
 *
 * Who comes to a write-ahead log first reads it anew and takes what it finds there for committed; only an owner may,
 * which makes the log durable before. So a guest joins those who have it open already, and then looks whether the owner,
 * which was among them, is still there.
 */
export function openAsGuest(path: string, configure: Configure): OpenedFile | null {
  let anchor: Database.Database | undefined;
  let database: Database.Database | undefined;
  try {
    anchor = openAnchor(path);
    if (!isOwned(path)) {
      anchor.close();
      return null;
    }
    database = new Database(path, { fileMustExist: true });
    configure(database);
  } catch (cause) {
    database?.close();
    anchor?.close();
    if (cause instanceof DatabaseUnusable) throw cause;
    throw new DatabaseUnusable(`The database cannot be opened beside its server: ${path} (${messageOf(cause)}).`, { cause });
  }
  const held = anchor;
  return { database, isOwned: false, admit: () => {}, release: () => void held.close() };
}

/**
 * The last connection to leave copies and removes the log, unless it may only read. This one leaves last, so that the log of
 * a server that failed stays as it is until the next owner has seen to it.
 */
function openAnchor(path: string): Database.Database {
  const anchor = new Database(path, { readonly: true, fileMustExist: true });
  anchor.pragma('schema_version');
  return anchor;
}
