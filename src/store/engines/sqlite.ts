/** SQLite: the dialect that takes the write lock at once, the statement cache, and what its errors mean. */
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import type { Tables } from '../tables.ts';
import { DatabaseUnusable, type Engine, type ErrorClass } from './engine.ts';
import { openFile, type OpenedFile } from './sqlite-file.ts';

/** Pages of 4 KiB in the write-ahead log before a commit checkpoints: rarer checkpoints keep commits even; bounded at 32 MiB. */
const CHECKPOINT_PAGES = 8_000;
/** Distinct statements are few: the cache never forgets in practice, and is bounded all the same. */
const STATEMENTS_MAX = 2_000;

class ImmediateDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, isInTransaction: () => boolean) {
    super(config);
    this.#isInTransaction = isInTransaction;
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
  readonly #isInTransaction: () => boolean;

  constructor(config: SqliteDialectConfig, isInTransaction: () => boolean) {
    super(config);
    this.#config = config;
    this.#isInTransaction = isInTransaction;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#isInTransaction);
  }

  override createAdapter(): DialectAdapter {
    return new AtomicSchemaAdapter();
  }
}

/**
 * SQLite built with STAT4 plans a statement anew at every run whose parameters it looked at while planning: around 10 µs
 * each time, several times the run itself. Behind an operator it does not look at them.
 * https://www.sqlite.org/c3ref/prepare.html
 */
function withOpaqueParameters(text: string): string {
  return text.replaceAll(' limit ?', ' limit (? + 0)').replaceAll(/ (=|<|<=|>|>=|!=) \?/g, ' $1 +?');
}

/** Keeps prepared statements: preparing costs twice what running does. */
class StatementCache {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  prepared = 0;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  prepare(text: string): Database.Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#database.prepare(withOpaqueParameters(text));
    this.prepared += 1;
    this.#statements.set(text, statement);
    return statement;
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
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // Longer waits happen outside the driver, where they do not hold up the event loop.
  database.pragma('busy_timeout = 5');
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${CHECKPOINT_PAGES * 4096}`);
  database.pragma('cache_size = -65536');
  if (database.pragma('synchronous', { simple: true }) !== 2)
    throw new DatabaseUnusable('SQLite did not accept synchronous=FULL, without which acknowledged work could be lost.');
}

/** Where the database is; `:memory:` keeps it in this process alone. */
export interface SqliteOptions {
  readonly path: string;
  /** Called with each statement as it runs, values filled in: for looking at the database's work, never for logs. */
  readonly onStatement?: (text: string) => void;
}

/** Opens the file, creating it where there is none, and takes ownership of it. Throws `DatabaseUnusable` with the reason. */
export function openSqlite({ path, onStatement }: SqliteOptions): Engine {
  return engineOf(openFile(path, configure, onStatement));
}

function engineOf({ database, release }: OpenedFile): Engine {
  const cache = new StatementCache(database);
  const prepare = (text: string): never => cache.prepare(text) as never;
  const dialect = new ImmediateDialect({ database: { prepare, close: () => database.close() } }, () => database.inTransaction);
  const db = new Kysely<Tables>({ dialect });
  return {
    db,
    words: { serialKey: 'integer primary key', integer: 'integer', plainEnd: ' strict', clusteredEnd: ' strict, without rowid' },
    // The one connection holds the open transaction, and whoever opened it holds the connection.
    rows: (_transaction, { sql }, parameters) => cache.prepare(sql).all(...parameters),
    change: (_transaction, { sql }, parameters) => cache.prepare(sql).run(...parameters).changes,
    // A `returning` clause would double the cost of an insert.
    insert: (_transaction, { sql }, parameters) => Number(cache.prepare(sql).run(...parameters).lastInsertRowid),
    classify,
    preparedStatements: () => cache.prepared,
    checkpoint: () => {
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    async close() {
      await db.destroy();
      if (database.open) database.close();
      release();
    },
  };
}
