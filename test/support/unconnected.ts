/** A guarded handle without a database behind it: statements can be built on it, and not run. */
import { DummyDriver, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Tables } from '../../src/store/tables.ts';
import { guarded } from '../../src/store/tenant-guard.ts';

export function unconnected(): Kysely<Tables> {
  return guarded({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (handle) => new SqliteIntrospector(handle),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}
