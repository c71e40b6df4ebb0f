/**
 * Keeps the write-ahead log short. The side thread copies it into the database file while commits go on, but never
 * gets to the end of it; what little is left the writing connection copies between two commits, after which the next
 * one starts the log over.
 */
import Database from 'better-sqlite3';
import type { Clock } from '../../runtime/clock.ts';
import { nextTurn } from '../../runtime/turn.ts';
import type { LogFigures } from '../housekeeping.ts';

const MEBIBYTE = 1_048_576;
/** A longer log is copied: rarely enough that a page written often is copied once. */
const COPIED_FROM = 16 * MEBIBYTE;
/** What the writing connection copies itself at most, in a few milliseconds, most of them for the sync. */
const REST_MAX = 4 * MEBIBYTE;
/** In a log of this length, written faster than it is copied, it takes over whatever is left. */
const TAKEN_OVER_FROM = 32 * MEBIBYTE;
/** How much longer the log has to be after a copy that did not empty it, because somebody still reads from it. */
const RETRY_BYTES = 2 * MEBIBYTE;
const RETRY_MS = 1_000;

/** Before each page in the log. https://www.sqlite.org/fileformat2.html#walformat */
const FRAME_HEADER_BYTES = 24;
/** The file is cut to this when the log starts over. */
export const LOG_BYTES_KEPT = TAKEN_OVER_FROM;

/** In bytes. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

export interface WriteAheadLogParts {
  readonly database: Database.Database;
  /** Copies beside the writer. */
  readonly copy: () => Promise<void>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

export class WriteAheadLog {
  readonly #parts: WriteAheadLogParts;
  readonly #look: Database.Statement<[], readonly [busy: number, log: number, checkpointed: number]>;
  readonly #checkpoints = { background: 0, writer: 0 };
  readonly #frameBytes: number;
  #isCopying = false;
  #isSound = true;
  #bytes = 0;
  /** Where the log was, and when, at the last copy that did not lead on. */
  #tried = { log: 0, atMs: 0 };

  constructor(parts: WriteAheadLogParts) {
    this.#parts = parts;
    this.#frameBytes = Number(parts.database.pragma('page_size', { simple: true })) + FRAME_HEADER_BYTES;
    // The driver makes code for the objects of a pragma's rows anew each time.
    this.#look = parts.database.prepare<[], [number, number, number]>('pragma wal_checkpoint(noop)').raw();
  }

  /** As of the last commit. */
  figures(): LogFigures {
    return { bytes: this.#bytes, checkpoints: this.#checkpoints };
  }

  /**
   * False once a copy failed. A sync that failed may seem to succeed the second time, so the log is the only place that
   * surely holds the changes: it must be kept, and closing the database would remove it.
   */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** To be called after each commit. Rejects with what the database said where a copy failed. */
  async keepShort(): Promise<void> {
    const { log, checkpointed } = this.#state();
    this.#bytes = log;
    if (log < COPIED_FROM || !this.#isSound || !this.#isDue(log)) return;
    try {
      if (log > TAKEN_OVER_FROM || (log - checkpointed <= REST_MAX && !this.#isCopying)) await this.#copyHere(log);
      else if (!this.#isCopying) await this.#copyBeside(checkpointed);
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_IOERR')) this.#isSound = false;
      throw error;
    }
  }

  /** Empties the log, as far as readers let it. */
  empty(): void {
    if (this.#isSound) this.#parts.database.pragma('wal_checkpoint(TRUNCATE)');
  }

  #isDue(log: number): boolean {
    const { log: triedLog, atMs } = this.#tried;
    return log < triedLog || log >= triedLog + RETRY_BYTES || this.#parts.clock.monotonicMs() >= atMs + RETRY_MS;
  }

  async #copyHere(log: number): Promise<void> {
    const { database, clock } = this.#parts;
    this.#tried = { log, atMs: clock.monotonicMs() };
    // The answers to the commit go out first.
    await nextTurn();
    if (!database.open || database.inTransaction) return;
    this.#checkpoints.writer += 1;
    // Where the side thread is at it this changes nothing and does not wait.
    database.pragma('wal_checkpoint(PASSIVE)');
  }

  async #copyBeside(from: number): Promise<void> {
    this.#isCopying = true;
    this.#checkpoints.background += 1;
    try {
      await this.#parts.copy();
    } finally {
      this.#isCopying = false;
      const { log, checkpointed } = this.#state();
      this.#tried = checkpointed > from ? { log: 0, atMs: 0 } : { log, atMs: this.#parts.clock.monotonicMs() };
    }
  }

  #state(): LogState {
    const [, log, checkpointed] = (this.#parts.database.open ? this.#look.get() : undefined) ?? [0, 0, 0];
    return { log: log * this.#frameBytes, checkpointed: checkpointed * this.#frameBytes };
  }
}
