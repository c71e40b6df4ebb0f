/** A command whose commit the disk does not take acknowledges nothing, and leaves a server beside it unharmed. */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leasequeue } from '../support/command.ts';
import { ask, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { compileStorageLibrary, type Fault, type StorageLibrary, whyNotHere } from './storage-library.ts';

const EIO = 5;
const ENOSPC = 28;
const CREATE = ['keys', 'create', '--scopes', 'WORK', '--name'];

const reason = whyNotHere();

describe.skipIf(reason !== null)(`keys create on storage that fails${reason === null ? '' : ` (${reason})`}`, () => {
  let library: StorageLibrary;
  beforeAll(() => {
    library = compileStorageLibrary();
  });
  afterAll(() => library[Symbol.dispose]());

  function createUnder(path: string, name: string, fault: Fault) {
    return leasequeue([...CREATE, name], {
      env: { LEASEQUEUE_DATABASE_PATH: path, ...library.environment({ database: path, log: `${path}-calls-${name}`, fault }) },
    });
  }

  test('shows no key whose sync or write failed beside a server, which goes on', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: path });
    const submit = () => ask(server.url, 'mutation { submitJob(input: {task: "t"}) { __typename } }');
    await submit();
    const unsynced = await createUnder(path, 'unsynced', { call: 'sync', file: 'wal', first: 1, errno: EIO });
    await submit();
    const unwritten = await createUnder(path, 'unwritten', { call: 'write', file: 'wal', first: 1, errno: EIO });
    await submit();
    const full = await createUnder(path, 'full', { call: 'write', file: 'wal', first: 1, errno: ENOSPC });
    await submit();
    for (const failed of [unsynced, unwritten]) {
      expect(failed).toMatchObject({ code: 6, stdout: '', stderr: expect.stringMatching(/^error: The database failed\. The outcome is unknown/) as unknown });
    }
    expect(full).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/disk of the database is full\. Nothing was changed/) as unknown });
    expect((await leasequeue([...CREATE, 'good'], { env: { LEASEQUEUE_DATABASE_PATH: path } })).code).toBe(0);
    await server.end('SIGKILL');

    const again = await startServer({ LEASEQUEUE_DATABASE_PATH: path });
    const { data } = await ask(again.url, '{ stats { counts { queued } } apiKeys { name } }');
    expect(data).toEqual({ stats: { counts: { queued: 4 } }, apiKeys: [{ name: 'good' }] });
    await again.end('SIGTERM');
    const database = new Database(path, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  }, 60_000);

  test('shows none where no server runs either', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const failed = await createUnder(path, 'unsynced', { call: 'sync', file: 'wal', first: 1, errno: EIO });
    expect(failed.stdout).toBe('');
    expect(failed.code).toBeGreaterThan(0);
    expect((await leasequeue([...CREATE, 'good'], { env: { LEASEQUEUE_DATABASE_PATH: path } })).code).toBe(0);
  });
});
