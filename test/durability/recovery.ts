/** What SQLite makes of the files that a power cut left behind. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { DiskFiles, DiskState } from './disk.ts';
import { DATABASE_FILES, type DatabaseFile } from './storage-log.ts';

/** How SQLite names the files of a database. */
export const SUFFIXES: Readonly<Record<DatabaseFile, string>> = { main: '', wal: '-wal', journal: '-journal' };

/** `content` is a digest of every row of every table: equal contents are equal stores. */
export type Recovered = { readonly isSound: true; readonly content: string } | { readonly isSound: false; readonly damage: string };

/** In memory where the system has such a place: tens of thousands of databases are opened. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Where crashed disks of one run are opened. */
export class RecoveryBench {
  readonly #folder = mkdtempSync(join(BASE, 'leasequeue-crash-'));
  readonly #known = new Map<string, Recovered>();

  /** Where the files are put: the path of the database. */
  readonly path = join(this.#folder, 'x.db');

  /** Puts the files there, and nothing else. */
  place(files: DiskFiles): void {
    for (const name of DATABASE_FILES) {
      const content = files.get(name);
      if (content === undefined) rmSync(this.path + SUFFIXES[name], { force: true });
      else writeFileSync(this.path + SUFFIXES[name], content);
    }
    rmSync(`${this.path}-shm`, { force: true });
  }

  /** Different disks that were opened. */
  get opened(): number {
    return this.#known.size;
  }

  /** Opens the disk as the server does, which repairs what a crash left unfinished, and looks at everything in it. Each one once. */
  recover({ files, key }: DiskState): Recovered {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.place(files);
    const recovered = recoveredAt(this.path);
    this.#known.set(key, recovered);
    return recovered;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function recoveredAt(path: string): Recovered {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    const verdict = database.pragma('integrity_check', { simple: true });
    return verdict === 'ok' ? { isSound: true, content: contentOf(database) } : { isSound: false, damage: String(verdict) };
  } catch (error) {
    return { isSound: false, damage: String(error) };
  } finally {
    database.close();
  }
}

/** Knows no table by name, so that it goes on being complete when the tables change. */
function contentOf(database: Database.Database): string {
  const hash = createHash('sha1');
  const objects = database.prepare('select type, name, sql from sqlite_schema order by name').all() as readonly { type: string; name: string }[];
  hash.update(JSON.stringify(objects));
  for (const { type, name } of objects) {
    if (type === 'table') hash.update(JSON.stringify([name, ...database.prepare(`select * from "${name}"`).raw().all()]));
  }
  return hash.digest('base64');
}
