/** What errors of the driver say. */
import Database from 'better-sqlite3';

/** Prefixes of SQLite's result codes, https://www.sqlite.org/rescode.html */
export function isSqliteError(error: unknown, codePrefix: string): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith(codePrefix);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
