/**
 * Keeps the write-ahead log short. The side thread copies it into the database file while commits go on, but never
 * gets to the end of it; what little is left the writing connection copies between two commits, after which the next
 * one starts the log over. Where commits are faster than the copy, they wait for it.
 */
import Database from 'better-sqlite3';
import type { Clock } from '../../runtime/clock.ts';
import { nextTurn } from '../../runtime/turn.ts';
import type { LogFigures } from '../housekeeping.ts';
import type { Turn } from './turn.ts';

const MEBIBYTE = 1_048_576;
/** A longer log is copied: rarely enough that a page written often is copied once. */
const COPIED_FROM = 32 * MEBIBYTE;
/** What the writing connection copies itself at most, in a few milliseconds, most of them for the sync. */
const REST_MAX = 4 * MEBIBYTE;
/**
 * In a log of this length, written faster than it is copied, it takes over whatever is left. What is missing to the 64 MiB
 * that are promised is for the commits until then.
 */
const TAKEN_OVER_FROM = 48 * MEBIBYTE;
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
  /** At the writing connection. */
  readonly turn: Turn;
}

export class WriteAheadLog {
  readonly #parts: WriteAheadLogParts;
  readonly #look: Database.Statement<[], readonly [busy: number, log: number, checkpointed: number]>;
  readonly #checkpoints = { background: 0, writer: 0 };
  readonly #frameBytes: number;
  /** Beside the writer. */
  #copying: Promise<void> | null = null;
  #isTakingOver = false;
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
      if (log > TAKEN_OVER_FROM) await this.#takeOver(log);
      else if (this.#copying === null) await (log - checkpointed <= REST_MAX ? this.#copyHere(log) : this.#copyBeside(checkpointed));
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

  /** False where another copy is under way. */
  async #copyHere(log: number): Promise<boolean> {
    const { database, clock } = this.#parts;
    this.#tried = { log, atMs: clock.monotonicMs() };
    // The answers to the commit go out first.
    await nextTurn();
    if (!database.open || database.inTransaction || !this.#isSound) return true;
    this.#checkpoints.writer += 1;
    return database.pragma('wal_checkpoint(PASSIVE)', { simple: true }) === 0;
  }

  /** Between two commits, which wait for the thread too while it copies, and not where a long read keeps it from that. */
  async #takeOver(log: number): Promise<void> {
    if (this.#isTakingOver) return;
    this.#isTakingOver = true;
    const { turn } = this.#parts;
    const copying = this.#copying;
    await turn.take();
    try {
      if ((await this.#copyHere(log)) || copying === null) return;
      await Promise.allSettled([copying]);
      await this.#copyHere(log);
    } finally {
      turn.end();
      this.#isTakingOver = false;
    }
  }

  async #copyBeside(from: number): Promise<void> {
    this.#copying = this.#parts.copy();
    this.#checkpoints.background += 1;
    try {
      await this.#copying;
    } finally {
      this.#copying = null;
      const { log, checkpointed } = this.#state();
      this.#tried = checkpointed > from ? { log: 0, atMs: 0 } : { log, atMs: this.#parts.clock.monotonicMs() };
    }
  }

  #state(): LogState {
    const [, log, checkpointed] = (this.#parts.database.open ? this.#look.get() : undefined) ?? [0, 0, 0];
    return { log: log * this.#frameBytes, checkpointed: checkpointed * this.#frameBytes };
  }
}
