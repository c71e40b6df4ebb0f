/** SQLite: the dialect that takes the write lock at once, the statement cache, and what its errors mean. */
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import type { LogFigures } from '../housekeeping.ts';
import type { Tables } from '../tables.ts';
import { guarded } from '../tenant-guard.ts';
import { DatabaseUnusable, type Engine, type ErrorClass } from './engine.ts';
import { readsIn } from './side-reads.ts';
import { SideThread } from './side-thread.ts';
import type { OpenedFile } from './opened-file.ts';
import { openFile, openFileBriefly } from './sqlite-file.ts';
import { StatementCache } from './statement-cache.ts';
import { Turn } from './turn.ts';
import { LOG_BYTES_KEPT, WriteAheadLog } from './write-ahead-log.ts';
import { WritingDialect } from './writing-dialect.ts';

interface ImmediateParts {
  readonly isInTransaction: () => boolean;
  /** At the connection. */
  readonly turn: Turn;
}

class ImmediateDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean;
  readonly #turn: Turn;

  constructor(config: SqliteDialectConfig, { isInTransaction, turn }: ImmediateParts) {
    super(config);
    [this.#isInTransaction, this.#turn] = [isInTransaction, turn];
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turn.take();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#turn.end();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // SQLite rolls back by itself on a full disk or a failed write; a second rollback would hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isInTransaction()) await super.rollbackTransaction(connection);
  }
}

class AtomicSchemaAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect implements Dialect {
  readonly #config: SqliteDialectConfig;
  readonly #parts: ImmediateParts;

  constructor(config: SqliteDialectConfig, parts: ImmediateParts) {
    super(config);
    [this.#config, this.#parts] = [config, parts];
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#parts);
  }

  override createAdapter(): DialectAdapter {
    return new AtomicSchemaAdapter();
  }
}

/** SQLite's result codes, https://www.sqlite.org/rescode.html */
const CLASS_BY_CODE: readonly (readonly [prefix: string, meaning: ErrorClass])[] = [
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR', 'fatal'],
  ['SQLITE_CORRUPT', 'fatal'],
  ['SQLITE_NOTADB', 'fatal'],
  ['SQLITE_CANTOPEN', 'fatal'],
  ['SQLITE_READONLY', 'fatal'],
];

function classify(error: unknown): ErrorClass {
  if (!(error instanceof Database.SqliteError)) return 'other';
  return CLASS_BY_CODE.find(([prefix]) => error.code.startsWith(prefix))?.[1] ?? 'other';
}

function configure(database: Database.Database): void {
  // Of a new file. A commit writes every page that it changes as a whole, and of most it changes little.
  database.pragma('page_size = 2048');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // Longer waits happen outside the driver, where they do not hold up the event loop.
  database.pragma('busy_timeout = 5');
  // A commit that checkpoints holds up those after it, and does not tell that the sync of the database file failed.
  database.pragma('wal_autocheckpoint = 0');
  database.pragma(`journal_size_limit = ${LOG_BYTES_KEPT}`);
  // 16 MiB. Twice as much changed the time of a cycle on 11 million jobs by less than a twentieth.
  database.pragma('cache_size = -16384');
  // What a statement of many rows keeps to undo itself would go to a file from 64 KiB on.
  database.pragma('temp_store = MEMORY');
  if (database.pragma('synchronous', { simple: true }) !== 2)
    throw new DatabaseUnusable('SQLite did not accept synchronous=FULL, without which acknowledged work could be lost.');
}

/** Where the database is; `:memory:` keeps it in this process alone. */
export interface SqliteOptions {
  readonly path: string;
  /** For the time limits of reads. Absent: the system's. */
  readonly clock?: Clock;
  /** Called with each statement as it runs, values filled in: for looking at the database's work, never for logs. */
  readonly onStatement?: (text: string) => void;
}

/** What a database of its own file has beside the writing connection. */
interface Side {
  readonly reads: Kysely<Tables>;
  readonly log: Pick<WriteAheadLog, 'keepShort' | 'empty' | 'figures' | 'isSound'>;
  readonly close: () => Promise<void>;
}

/** Opens the file, creating it where there is none, and takes ownership of it. Throws `DatabaseUnusable` with the reason. */
export function openSqlite({ path, clock = systemClock, onStatement }: SqliteOptions): Engine {
  const file = openFile(path, configure, onStatement);
  return engineOf(file, (db, turn) => (path === ':memory:' ? noSide(db) : sideOf(file.database, turn, { path, clock, onStatement })));
}

/**
 * Opens the file for one command, which must close it soon. Beside a server that owns the file it is a guest: it neither
 * migrates, nor ever copies, shortens or removes the write-ahead log. Throws `DatabaseUnusable` with the reason.
 */
export function openSqliteBriefly({ path, clock = systemClock }: Pick<SqliteOptions, 'path' | 'clock'>): Engine {
  const file = openFileBriefly(path, configure);
  return engineOf(file, (db, turn) => (file.isOwned ? sideOf(file.database, turn, { path, clock }) : noSide(db)));
}

function sideOf(database: Database.Database, turn: Turn, parts: ConstructorParameters<typeof SideThread>[0] & { readonly clock: Clock }): Side {
  const thread = new SideThread(parts);
  const log = new WriteAheadLog({ database, copy: () => thread.copyLog(), clock: parts.clock, turn });
  return { reads: readsIn(thread), log, close: () => thread.close() };
}

const NO_LOG: LogFigures = { bytes: 0, checkpoints: { background: 0, writer: 0 } };

/** A database in memory has no log that another connection sees; the log of another owner is left alone. */
function noSide(db: Kysely<Tables>): Side {
  return { reads: db, log: { keepShort: () => Promise.resolve(), empty: () => {}, figures: () => NO_LOG, isSound: true }, close: () => Promise.resolve() };
}

/** Kysely would build, and wait for, a handle and the statements around a transaction anew each time. `inside` takes no turn of its own. */
function transactionsOf(database: Database.Database, inside: Kysely<Tables>, turn: Turn): Engine['transaction'] {
  const [begin, commit, rollback] = [database.prepare('begin immediate'), database.prepare('commit'), database.prepare('rollback')];
  return async (work) => {
    const waiting = turn.take();
    if (waiting !== null) await waiting;
    try {
      begin.run();
      const result = await work(inside);
      commit.run();
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk or a failed write; a second rollback would hide the reason.
      if (database.inTransaction) rollback.run();
      throw error;
    } finally {
      turn.end();
    }
  };
}

function engineOf({ database, isOwned, admit, release }: OpenedFile, openSide: (db: Kysely<Tables>, turn: Turn) => Side): Engine {
  const cache = new StatementCache(database);
  const prepare = (text: string): never => cache.prepare(text) as never;
  const turn = new Turn();
  const dialect = new ImmediateDialect({ database: { prepare, close: () => database.close() } }, { isInTransaction: () => database.inTransaction, turn });
  const db = guarded(dialect);
  const inside = guarded(new WritingDialect({ database: { prepare, close: () => {} } }));
  const side = openSide(db, turn);
  return {
    isOwner: isOwned,
    admit,
    db,
    reads: side.reads,
    transaction: transactionsOf(database, inside, turn),
    words: { serialKey: 'integer primary key', integer: 'integer', plainEnd: ' strict', clusteredEnd: ' strict, without rowid' },
    // The one connection holds the open transaction, and whoever opened it holds the connection.
    rows: (_transaction, { sql }, parameters) => cache.prepare(sql).all(...parameters),
    change: (_transaction, { sql }, parameters) => cache.prepare(sql).run(...parameters).changes,
    insert(_transaction, { sql }, parameters, count) {
      // A `returning` clause would double the cost. Each row gets the largest number so far and one more.
      const last = Number(cache.prepare(sql).run(...parameters).lastInsertRowid);
      return Array.from({ length: count }, (_, index) => last - count + 1 + index);
    },
    classify,
    preparedStatements: () => cache.prepared,
    keepLogShort: () => side.log.keepShort(),
    checkpoint: () => side.log.empty(),
    logFigures: () => side.log.figures(),
    async close() {
      await side.close();
      if (!side.log.isSound) return;
      await db.destroy();
      if (database.open) database.close();
      release();
    },
  };
}
