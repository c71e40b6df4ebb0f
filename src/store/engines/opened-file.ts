/** A database file that is open: what its owner and its guests have in common. */
import type Database from 'better-sqlite3';

export interface OpenedFile {
  readonly database: Database.Database;
  /** False for a guest beside the server that owns the file. */
  readonly isOwned: boolean;
  /** Lets others come, now that the database is ready. */
  readonly admit: () => void;
  /** Gives up whatever is held. */
  readonly release: () => void;
}

export type Configure = (database: Database.Database) => void;
