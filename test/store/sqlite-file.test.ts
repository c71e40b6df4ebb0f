import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { ALICE, openTestStore, submitOne, temporaryFolder } from '../support/store.ts';

/** https://www.sqlite.org/fileformat2.html#walformat */
const LOG_HEADER_BYTES = 32;

/** Opens the store in a process of its own, without the rights of an administrator, and answers what it said. */
function openElsewhere(path: string): string {
  const script = `
    const { openSqlite } = await import(process.argv[1]);
    try { openSqlite({ path: process.argv[2] }).close(); console.log('opened'); } catch (error) { console.log(error.name + ': ' + error.message); }`;
  const engine = fileURLToPath(new URL('../../src/store/engines/sqlite.ts', import.meta.url));
  const isRoot = process.getuid?.() === 0;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, engine, path], {
    encoding: 'utf8',
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  return stdout + stderr;
}

async function messageOf(path: string): Promise<string> {
  const { store } = await openTestStore({ path }).catch((error: Error) => {
    expect(error.name).toBe('DatabaseUnusable');
    return { store: error.message };
  });
  if (typeof store === 'string') return store;
  await store.close();
  return 'opened';
}

describe('the database file', () => {
  test('is created where there is none', async () => {
    using folder = temporaryFolder();
    expect(await messageOf(folder.file('new.db'))).toBe('opened');
    expect(existsSync(folder.file('new.db'))).toBe(true);
  });

  test('a missing folder is named', async () => {
    using folder = temporaryFolder();
    expect(await messageOf(`${folder.path}/missing/x.db`)).toMatch(/folder of the database does not exist: .*missing/);
  });

  test('a folder in the place of the file is named', async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file('x.db'));
    expect(await messageOf(folder.file('x.db'))).toMatch(/is not a file/);
  });

  test('a folder that cannot be written to is named, with the reason why it must be (B65)', () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file('locked'));
    chmodSync(folder.path, 0o755);
    chmodSync(folder.file('locked'), 0o555);
    expect(openElsewhere(`${folder.path}/locked/x.db`)).toMatch(
      /^DatabaseUnusable: The folder of the database cannot be written to: .*locked.*files that SQLite keeps beside/,
    );
  });

  test('a file that cannot be written to is named', async () => {
    using folder = temporaryFolder();
    await messageOf(folder.file('x.db'));
    chmodSync(folder.path, 0o777);
    chmodSync(folder.file('x.db'), 0o444);
    expect(openElsewhere(folder.file('x.db'))).toMatch(/^DatabaseUnusable: The database file cannot be written to/);
  });

  test.each([
    ['is not a SQLite database', (path: string) => writeFileSync(path, Buffer.alloc(8192, 'x'))],
    ['is a text', (path: string) => writeFileSync(path, 'hello')],
    ['was cut off', (path: string) => truncateSync(path, 10_001)],
    ['was cut to whole pages', (path: string) => truncateSync(path, 8192)],
    ['has a page of zeros', (path: string) => overwrite(path, 8192, Buffer.alloc(4096))],
    ['has a damaged header', (path: string) => overwrite(path, 0, Buffer.from('broken!!'))],
  ])('a file that %s is refused and left as it is', async (_what, damage) => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store } = await openTestStore({ path });
    await submitOne(store, ALICE);
    await store.close();
    damage(path);
    const before = readFileSync(path);
    expect(await messageOf(path)).toMatch(/damaged/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each([
    ['a new file', 0, 2_048],
    ['a file with the pages of earlier versions', 4_096, 4_096],
  ])('%s tells of its log in bytes, whatever its pages', async (_what, made, pageBytes) => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    if (made > 0) {
      const raw = new Database(path);
      raw.pragma(`page_size = ${made}`);
      raw.pragma('journal_mode = WAL');
      raw.close();
    }
    const { store } = await openTestStore({ path });
    await submitOne(store, ALICE);
    await vi.waitFor(() => expect(store.logFigures().bytes).toBe(statSync(`${path}-wal`).size - LOG_HEADER_BYTES));
    await store.close();
    const closed = new Database(path, { readonly: true });
    expect(closed.pragma('page_size', { simple: true })).toBe(pageBytes);
    closed.close();
  });

  test('a file of a newer version is refused and left as it is', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    await messageOf(path);
    const raw = new Database(path);
    raw.prepare(`insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2030-01-01T00:00:00.000Z')`).run();
    raw.close();
    const before = readFileSync(path);
    expect(await messageOf(path)).toMatch(/newer version of LeaseQueue .*999-from-the-future/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a second owner is refused until the first has closed it', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store } = await openTestStore({ path });
    expect(await messageOf(path)).toMatch(/Another LeaseQueue server is using this database/);
    chmodSync(folder.path, 0o777);
    chmodSync(path, 0o666);
    for (const lock of ['owner', 'gate']) chmodSync(`${path}-${lock}`, 0o666);
    expect(openElsewhere(path)).toMatch(/^DatabaseUnusable: Another LeaseQueue server is using this database/);
    await store.close();
    expect(await messageOf(path)).toBe('opened');
  });

  test('has one owner, by whatever name it is opened', async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file('elsewhere'));
    const { store } = await openTestStore({ path: folder.file('x.db') });
    symlinkSync(folder.file('x.db'), folder.file('elsewhere/link.db'));
    expect(await messageOf(folder.file('elsewhere/link.db'))).toMatch(/Another LeaseQueue server is using this database/);
    await store.close();
    expect(await messageOf(folder.file('elsewhere/link.db'))).toBe('opened');
    expect(readdirSync(folder.file('elsewhere'))).toEqual(['link.db']);
  });

  test.each(['owner', 'gate'])('a lock that this user cannot take is no lock, and is named: %s', async (lock) => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    await messageOf(path);
    chmodSync(folder.path, 0o777);
    for (const suffix of ['', '-owner', '-gate']) chmodSync(path + suffix, 0o666);
    chmodSync(`${path}-${lock}`, 0o444);
    expect(openElsewhere(path)).toMatch(new RegExp(`^DatabaseUnusable: The file that is locked beside the database cannot be used: .*x\\.db-${lock} `));
  });

  test('has the settings that durability rests on, read back', async () => {
    using folder = temporaryFolder();
    const statements: string[] = [];
    const { store } = await openTestStore({ path: folder.file('x.db'), onStatement: (text) => statements.push(text) });
    await submitOne(store, ALICE);
    expect(statements).toContain('PRAGMA synchronous = FULL');
    expect(statements).toContain('PRAGMA journal_mode = WAL');
    expect(statements).toContain('PRAGMA foreign_keys = ON');
    await store.close();
  });

  test('every transaction that writes took the write lock first (B86)', async () => {
    const statements: string[] = [];
    const { store } = await openTestStore({ onStatement: (text) => statements.push(text) });
    await submitOne(store, ALICE);
    await store.probe();
    expect(statements.filter((text) => /^begin/i.test(text)).every((text) => text === 'begin immediate')).toBe(true);
    expect(statements.filter((text) => text === 'begin immediate').length).toBeGreaterThan(1);
    await store.close();
  });
});

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}
