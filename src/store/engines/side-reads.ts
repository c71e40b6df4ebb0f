/** Queries as everywhere, whose statements run in a thread beside: the text goes there, the rows come back. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from '../tables.ts';
import { guarded } from '../tenant-guard.ts';

/** Answers with the rows of a reading statement. */
interface ReadingThread {
  read(text: string, parameters: readonly unknown[]): Promise<readonly unknown[]>;
}

const onlyReads = (): never => {
  throw new Error('this handle is for single reads: a transaction runs on the writing connection');
};

class SideConnection implements DatabaseConnection {
  readonly #thread: ReadingThread;

  constructor(thread: ReadingThread) {
    this.#thread = thread;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.#thread.read(sql, parameters)) as Row[] };
  }

  streamQuery = onlyReads;
}

class SideDriver implements Driver {
  readonly #connection: SideConnection;

  constructor(thread: ReadingThread) {
    this.#connection = new SideConnection(thread);
  }

  /** All share the one connection: the thread takes its tasks in turn. */
  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }

  init = (): Promise<void> => Promise.resolve();
  releaseConnection = (): Promise<void> => Promise.resolve();
  destroy = (): Promise<void> => Promise.resolve();
  beginTransaction = onlyReads;
  commitTransaction = onlyReads;
  rollbackTransaction = onlyReads;
}

class SideAdapter extends SqliteAdapter {
  // Otherwise reads would wait where no limit counts them.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Which state a statement sees is the thread's own affair. Ended by closing the thread. */
export function readsIn(thread: ReadingThread): Kysely<Tables> {
  return guarded({
    createAdapter: () => new SideAdapter(),
    createDriver: () => new SideDriver(thread),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}
