/** The closed list of what differs between databases. Outside this folder nobody asks which one it is. */
import type { CompiledQuery, Kysely } from 'kysely';
import type { ColumnWords } from '../migrations/column-words.ts';
import type { LogFigures } from '../housekeeping.ts';
import type { Tables } from '../tables.ts';

/**
 * What an error of the driver means: `busy`, somebody else writes, try again; `full`, no room, nothing was changed;
 * `fatal`, the database may have lost or damaged something and nothing more may be answered; `other`, a defect.
 */
export type ErrorClass = 'busy' | 'full' | 'fatal' | 'other';

export interface Engine {
  /** False beside a server that owns the database: a guest neither migrates it nor tends its log. */
  readonly isOwner: boolean;
  /** To be called once the database is migrated: who waits to come to it may do so. */
  admit(): void;
  /** For reads whose work is bounded by their answer; they wait while a transaction is open. */
  readonly db: Kysely<Tables>;
  /**
   * For reads that may look at more than they answer. They run beside `db`, hold no commit up, and see every change that
   * is durable when they begin. One that takes longer than `LIMITS.readMsMax` fails with a StoreFault.
   */
  readonly reads: Kysely<Tables>;
  readonly words: ColumnWords;
  /** Runs `work` in a transaction that takes its write lock at once. What `work` throws, or the commit, rolls it back. */
  transaction<Result>(work: (transaction: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Runs a query that was compiled before, with these parameters in place of its own, inside the open transaction given. */
  rows(transaction: Kysely<Tables>, query: CompiledQuery, parameters: readonly unknown[]): readonly unknown[] | Promise<readonly unknown[]>;
  /** The same for a statement without rows: answers how many it changed. */
  change(transaction: Kysely<Tables>, query: CompiledQuery, parameters: readonly unknown[]): number | Promise<number>;
  /** The same for the insert of so many rows: answers the serial keys that they got, which grow, in the order of the rows. */
  insert(transaction: Kysely<Tables>, query: CompiledQuery, parameters: readonly unknown[], count: number): readonly number[] | Promise<readonly number[]>;
  classify(error: unknown): ErrorClass;
  /** Statements prepared so far: none is prepared twice. */
  preparedStatements(): number;
  /** Called after each commit: copies the write-ahead log where it has grown long, beside the commits that follow. */
  keepLogShort(): Promise<void>;
  /** Moves what was written since the last time into the main file, as far as readers let it. */
  checkpoint(): void;
  logFigures(): LogFigures;
  /** Ends every read and connection, and gives up the ownership of the database; after a failed copy of the log only the end of the process does. */
  close(): Promise<void>;
}

/** The database cannot be used as it is; the message says why and what to do, for the person who starts the server. */
export class DatabaseUnusable extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'DatabaseUnusable';
  }
}
