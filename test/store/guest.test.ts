/** Commands beside the server that owns the database: what they commit is durable, and its log stays the server's alone. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { QUOTAS } from '../../src/domain/access.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { createJobStore } from '../../src/store/create-store.ts';
import { takeGate } from '../../src/store/engines/locks.ts';
import { openAsGuest } from '../../src/store/engines/sqlite-guest.ts';
import { openSqliteBriefly } from '../../src/store/engines/sqlite.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { createTestKey } from '../support/keys.ts';
import { ask, startServer } from '../support/server-process.ts';
import { ALICE, CALLER, openTestStore, submission, temporaryFolder, TEST_RETENTION } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

function visit(path: string): Promise<LeaseRepository> {
  const engine = openSqliteBriefly({ path });
  return createJobStore({ engine, clock: systemClock, entropy: systemEntropy, retention: TEST_RETENTION, onFatal: () => {} });
}

async function makeKey(path: string): Promise<string> {
  const guest = await visit(path);
  const { id } = await createTestKey(guest, { tenant: 'alice' });
  await guest.close();
  return id;
}

/** Names the log as it began this time; each start over draws it anew. */
function saltsOf(path: string): string {
  const salts = Buffer.alloc(8);
  const file = openSync(`${path}-wal`, 'r');
  readSync(file, salts, 0, 8, 16);
  closeSync(file);
  return salts.toString('hex');
}

/** Read by another process: closing a file gives up every lock that this one has on it. */
const bytesOf = (path: string): Buffer => execFileSync('cat', [path], { maxBuffer: 2 ** 30 });
const keyIds = async (store: LeaseRepository): Promise<readonly string[]> => (await store.keys(ALICE)).map(({ id }) => id).toSorted();

function integrity(path: string): unknown {
  const database = new Database(path, { readonly: true });
  const verdict = database.pragma('integrity_check', { simple: true });
  database.close();
  return verdict;
}

describe('a guest', () => {
  test('and the owner see at once what the other committed, also where the guest starts the log over', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store, engine } = await openTestStore({ path });
    const batch = Array.from({ length: 40 }, () => submission({ payloadJson: JSON.stringify({ text: 'x'.repeat(60_000) }) }));
    const made: string[] = [];
    let startedOver = 0;
    let largest = 0;
    for (let round = 0; round < 24; round++) {
      await store.submit(ALICE, CALLER, batch, false);
      if (round % 4 === 3) engine.checkpoint();
      const [version, before] = [await store.accessVersion(), saltsOf(path)];
      made.push(await makeKey(path));
      if (saltsOf(path) !== before) startedOver += 1;
      expect(await store.accessVersion()).toBe(version + 1);
      expect(await keyIds(store)).toEqual(made.toSorted());
      largest = Math.max(largest, store.logFigures().bytes);
      await store.submit(ALICE, CALLER, batch.slice(0, 1), false);
    }
    expect(startedOver).toBeGreaterThan(0);
    expect(largest).toBeLessThan(64 * 1024 * 1024);
    expect((await store.stats(ALICE)).counts.queued).toBe(24 * 41);
    await store.close();
    expect([existsSync(`${path}-wal`), integrity(path)]).toEqual([false, 'ok']);
    const again = await openTestStore({ path });
    expect(await keyIds(again.store)).toEqual(made.toSorted());
    await again.store.close();
  });

  test('waits for the write lock', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store } = await openTestStore({ path });
    const guest = await visit(path);
    const other = new Database(path);
    other.exec('begin immediate');
    let isMade = false;
    const making = createTestKey(guest, { tenant: 'alice' }).then(() => (isMade = true));
    await systemClock.sleep(100);
    expect(isMade).toBe(false);
    other.exec('commit');
    other.close();
    await making;
    await guest.close();
    expect(await keyIds(store)).toHaveLength(1);
    await store.close();
  });

  test('that is the last to leave, because the server was killed, leaves database and log as they are', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: path });
    await ask(server.url, 'mutation { submitJob(input: {task: "t"}) { __typename } }');
    const guest = await visit(path);
    await server.end('SIGKILL');
    const { id } = await createTestKey(guest, { tenant: 'alice' });
    const before = [bytesOf(path), bytesOf(`${path}-wal`)];
    await guest.close();
    expect([bytesOf(path).equals(before[0] ?? Buffer.alloc(0)), bytesOf(`${path}-wal`).equals(before[1] ?? Buffer.alloc(0))]).toEqual([true, true]);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const { store } = await openTestStore({ path });
    expect(await keyIds(store)).toEqual([id]);
    expect((await store.stats(tenant('default'))).counts.queued).toBe(1);
    await store.close();
  });

  test('does not become one where the owner has left: the log might never have reached the disk', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: path });
    await server.end('SIGKILL');
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    const configured: unknown[] = [];
    expect(openAsGuest(path, (database) => configured.push(database))).toBeNull();
    expect([readFileSync(path), readFileSync(`${path}-wal`), configured]).toEqual([...before, []]);
  });
});

describe('a command where no server runs', () => {
  test('owns the database while it works, leaves everything in the one file, and a server that starts meanwhile waits for it', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const command = await visit(path);
    const { id } = await createTestKey(command, { tenant: 'alice' });
    let isUp = false;
    const starting = startServer({ LEASEQUEUE_DATABASE_PATH: path }).then((server) => {
      isUp = true;
      return server;
    });
    await systemClock.sleep(1_000);
    expect(isUp).toBe(false);
    await command.close();
    const server = await starting;
    const guest = await visit(path);
    expect(await keyIds(guest)).toEqual([id]);
    await guest.close();
    await server.end('SIGTERM');
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

test('a process that hangs at the gate is waited for, and then named', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  await (await visit(path)).close();
  const leave = takeGate(path);
  expect(() => openSqliteBriefly({ path })).toThrow(/a command is, and has been coming to it for 5 seconds: .*x\.db\. Nothing was changed/);
  leave();
  await (await visit(path)).close();
});

const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } } } }';

describe('a server under load with one guest after another', () => {
  test('loses nothing that it or they acknowledged, when it is killed and started anew', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: path });
    const submitted: string[] = [];
    let isOver = false;
    const load = async (): Promise<void> => {
      const input = { task: 't', payload: { text: 'x'.repeat(60_000) } };
      while (!isOver) {
        const { data } = await ask(server.url, SUBMIT, { input });
        submitted.push((data?.['submitJob']?.['job'] as { id: string }).id);
      }
    };
    const loads = Array.from({ length: 4 }, load);
    const [made, salts]: [string[], Set<string>] = [[], new Set()];
    while (made.length < 40 || (salts.size < 3 && made.length < QUOTAS.maxApiKeys.default)) {
      made.push(await makeKey(path));
      salts.add(saltsOf(path));
      await systemClock.sleep(20);
    }
    isOver = true;
    await Promise.all(loads);
    expect(salts.size).toBeGreaterThanOrEqual(3);
    expect(server.lines.filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes('authentication is off'))).toEqual([]);
    await server.end('SIGKILL');

    const { store } = await openTestStore({ path });
    expect(await keyIds(store)).toEqual(made.toSorted());
    const found = await Promise.all(submitted.map((id) => store.jobById(tenant('default'), id)));
    expect(found.filter((job) => job === null)).toEqual([]);
    expect((await store.stats(tenant('default'))).counts.queued).toBe(submitted.length);
    await store.close();
    expect(integrity(path)).toBe('ok');
  }, 60_000);
});
