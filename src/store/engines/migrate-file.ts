/** Brings a database file to this version, alone. */
import { migrate, type SchemaVersion, schemaVersion } from '../migrations/index.ts';
import { openSqlite } from './sqlite.ts';

/** The version from before. Throws `DatabaseUnusable`, having changed nothing, where it cannot. */
export async function migrateFile(path: string): Promise<SchemaVersion> {
  const engine = openSqlite({ path });
  try {
    const before = await schemaVersion(engine.db);
    await migrate(engine.db, engine.words);
    engine.checkpoint();
    return before;
  } finally {
    await engine.close();
  }
}
