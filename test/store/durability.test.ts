import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { createJobStore } from '../../src/store/create-store.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openSqlite } from '../../src/store/engines/sqlite.ts';
import type { StoreFault } from '../../src/store/store.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { ALICE, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, temporaryFolder, TEST_RETENTION } from '../support/store.ts';

const PAGE = { after: null, before: null, limit: 100, fromEnd: false };

function faultOf(promise: Promise<unknown>): Promise<StoreFault> {
  return promise.then(
    () => {
      throw new Error('no fault');
    },
    (error: StoreFault) => error,
  );
}

/** Makes the next insert of an event of this kind fail, as a fault in the middle of a transaction would. */
async function planted(engine: Awaited<ReturnType<typeof openTestStore>>['engine'], kind: string): Promise<() => Promise<void>> {
  await sql
    .raw(`create temp trigger planted before insert on main.events when new.kind = '${kind}' begin select raise(abort, 'planted'); end`)
    .execute(acrossTenants(engine.db));
  return async () => void (await sql`drop trigger planted`.execute(engine.db));
}

describe('a transaction that fails', () => {
  test('leaves nothing of a claim behind (B59)', async () => {
    const { store, engine } = await openTestStore();
    const id = await submitOne(store, ALICE);
    const mend = await planted(engine, 'CLAIMED');
    await expect(store.claim(ALICE, CALLER, claimOf())).rejects.toThrow('planted');
    expect(await store.jobById(ALICE, id)).toMatchObject({ state: 'queued', attempt: 0, fence: 0, lease: null });
    expect((await store.queueStats(ALICE, 'q')).counts).toMatchObject({ queued: 1, running: 0 });
    await mend();
    expect((await claimOne(store, ALICE)).job).toMatchObject({ id, attempt: 1 });
    await store.close();
  });

  test('burns no idempotency key (B41)', async () => {
    const { store, engine } = await openTestStore();
    const keyed = submission({ idempotencyKey: 'k1' });
    const mend = await planted(engine, 'SUBMITTED');
    await expect(store.submit(ALICE, CALLER, [keyed], false)).rejects.toThrow('planted');
    await mend();
    const [second] = await store.submit(ALICE, CALLER, [keyed], false);
    const [third] = await store.submit(ALICE, CALLER, [keyed], false);
    expect([second, third]).toMatchObject([
      { ok: true, value: { deduplicated: false } },
      { ok: true, value: { deduplicated: true } },
    ]);
    await store.close();
  });

  test('announces nothing: no event, no wake-up, no report (B116)', async () => {
    const { store, engine } = await openTestStore();
    const news: string[] = [];
    store.onCommit(({ events }) => news.push(...events.map(({ kind }) => kind)));
    store.onLogGrown((tenant) => news.push(tenant));
    await planted(engine, 'SUBMITTED');
    await expect(store.submit(ALICE, CALLER, [submission()], false)).rejects.toThrow('planted');
    expect(news).toEqual([]);
    expect((await store.eventsAfter(ALICE, null, {}, 10)).events).toEqual([]);
    await store.close();
  });

  test('does not touch the operations that shared its commit', async () => {
    const { store, engine } = await openTestStore();
    const doomed = await submitOne(store, ALICE, { queue: 'doomed' });
    await planted(engine, 'CANCELLED');
    const outcomes = await Promise.allSettled([
      submitOne(store, ALICE),
      store.cancel(ALICE, CALLER, { jobId: doomed, reason: null, force: false }),
      submitOne(store, ALICE),
      claimOne(store, ALICE),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await store.stats(ALICE)).counts).toMatchObject({ queued: 2, running: 1, cancelled: 0 });
    await store.close();
  });
});

describe('a database that cannot serve', () => {
  test('a full disk refuses the change, says so, and serves again when there is room', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openTestStore({ path: folder.file('x.db') });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(engine.db);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 0}`).execute(engine.db);
    const big = { payloadJson: JSON.stringify({ text: 'x'.repeat(60_000) }) };
    const fault = await faultOf(submitOne(store, ALICE, big).then(() => submitOne(store, ALICE, big)));
    expect(fault).toMatchObject({ name: 'StoreFault', kind: 'full', outcomeUnknown: false });
    await sql`pragma max_page_count = 1000000`.execute(engine.db);
    await submitOne(store, ALICE, big);
    expect((await store.jobs(ALICE, {}, 'newest_first', PAGE)).rows.length).toBe((await store.stats(ALICE)).counts.queued);
    await store.close();
  });

  test('another writer is waited for, without holding up the event loop', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store } = await openTestStore({ path, clock: Object.assign(Object.create(systemClock), systemClock) });
    const other = new Database(path);
    other.exec('begin immediate');
    let isStored = false;
    const submitted = submitOne(store, ALICE).then(() => {
      isStored = true;
    });
    await systemClock.sleep(100);
    expect(isStored).toBe(false);
    other.exec('commit');
    other.close();
    await submitted;
    await store.close();
  });

  test('after five seconds of waiting the caller learns that nothing was changed', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store, clock } = await openTestStore({ path });
    const other = new Database(path);
    other.exec('begin immediate');
    const fault = faultOf(submitOne(store, ALICE));
    await systemClock.sleep(50);
    clock.advance(5_000);
    await systemClock.sleep(50);
    clock.advance(20);
    expect(await fault).toMatchObject({ kind: 'busy', outcomeUnknown: false });
    other.exec('commit');
    other.close();
    await store.close();
  });

  test('damage that shows while it runs stops everything: the outcome is unknown and nothing more is answered', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const { store, engine, fatal } = await openTestStore({ path });
    for (let done = 0; done < 50; done++) await submitOne(store, ALICE);
    engine.checkpoint();
    await sql`pragma cache_size = 0`.execute(engine.db);
    const file = openSync(path, 'r+');
    for (let page = 1; page < fstatSync(file).size / 4096; page++) writeSync(file, Buffer.alloc(4096, 0xee), 0, 4096, page * 4096);
    closeSync(file);
    expect(await faultOf(submitOne(store, ALICE))).toMatchObject({ kind: 'fatal', outcomeUnknown: true });
    expect(await faultOf(store.probe())).toMatchObject({ kind: 'fatal' });
    expect(fatal).toMatchObject([{ kind: 'fatal' }]);
    await engine.close();
  });

  test('a failed sync is as bad as damage', async () => {
    const { store, engine } = await openTestStore();
    expect(engine.classify(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC'))).toBe('fatal');
    await store.close();
  });

  test('a store that was closed refuses with the reason', async () => {
    const { store } = await openTestStore();
    await store.close();
    expect(await faultOf(store.submit(ALICE, CALLER, [submission()], false))).toMatchObject({ kind: 'stopping', outcomeUnknown: false });
  });
});

/** The statement that the manual tells to copy a running server's database with. */
function documentedCopy(to: string): string {
  const manual = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, statement] = /`sqlite3 leasequeue\.db "(.*'backup\.db')"`/.exec(manual) ?? [];
  if (statement === undefined) throw new Error('the manual names no statement for a copy');
  return statement.replace('backup.db', to);
}

/** The program of a process that runs a statement on the file, and stops itself as soon as it has written a mebibyte of the copy. */
const COPYING_HALF_WAY = `
  const { Worker } = require('node:worker_threads');
  const [, path, statement, copy] = process.argv;
  const ready = new Int32Array(new SharedArrayBuffer(4));
  new Worker(\`
    const { statSync, writeSync } = require('node:fs');
    const { workerData: { copy, ready } } = require('node:worker_threads');
    Atomics.store(ready, 0, 1);
    Atomics.notify(ready, 0);
    while ((statSync(copy, { throwIfNoEntry: false })?.size ?? 0) < 2 ** 20);
    writeSync(1, 'half way');
    process.kill(process.pid, 'SIGSTOP');
  \`, { eval: true, workerData: { copy, ready } });
  Atomics.wait(ready, 0, 0);
  new (require('better-sqlite3'))(path, { readonly: true }).exec(statement);`;

describe('a copy taken as documented while the server works', () => {
  test('is whole, holds everything that was acknowledged before it began, and holds up nobody (B64)', async () => {
    using folder = temporaryFolder();
    const { store } = await openTestStore({ path: folder.file('x.db') });
    const big = submission({ payloadJson: JSON.stringify({ text: 'x'.repeat(60_000) }) });
    for (let round = 0; round < 10; round++)
      await store.submit(
        ALICE,
        CALLER,
        Array.from({ length: 50 }, () => big),
        false,
      );
    const before = await submitOne(store, ALICE);
    const to = folder.file('copy.db');
    const copying = spawn(process.execPath, ['-e', COPYING_HALF_WAY, folder.file('x.db'), documentedCopy(to), to], { stdio: ['ignore', 'pipe', 'inherit'] });
    using _ = { [Symbol.dispose]: () => copying.kill('SIGKILL') };
    const over = once(copying, 'exit');
    expect(String((await once(copying.stdout, 'data'))[0])).toBe('half way');
    for (let during = 0; during < 100; during++) await submitOne(store, ALICE);
    expect(copying.exitCode).toBeNull();
    // More than once: the first may be there before it has stopped.
    const goingOn = setInterval(() => copying.kill('SIGCONT'), 10);
    expect(await over).toEqual([0, null]);
    clearInterval(goingOn);
    expect(store.logFigures().bytes).toBeLessThan(64 * 1024 * 1024);
    await store.close();

    const copy = await openTestStore({ path: folder.file('copy.db') });
    expect((await sql<{ integrity_check: string }>`pragma integrity_check`.execute(copy.engine.db)).rows).toEqual([{ integrity_check: 'ok' }]);
    expect(await copy.store.jobById(ALICE, before)).toMatchObject({ state: 'queued' });
    const { counts } = await copy.store.stats(ALICE);
    expect(counts.queued).toBeGreaterThanOrEqual(501);
    const { rows } = await sql<{ jobs: number; events: number }>`
      select (select count(*) from jobs) as jobs, (select count(*) from events) as events`.execute(acrossTenants(copy.engine.db));
    expect(rows).toEqual([{ jobs: counts.queued, events: counts.queued }]);
    await copy.store.close();
  });
});

describe('growth', () => {
  test('the write-ahead log stays bounded while subscribers read, and nobody holds it open (B98)', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openTestStore({ path: folder.file('x.db') });
    const payloadJson = JSON.stringify({ text: 'x'.repeat(60_000) });
    let position = await store.latestPosition(ALICE);
    let largest = 0;
    for (let round = 0; round < 40; round++) {
      const batch = Array.from({ length: 40 }, () => submission({ payloadJson }));
      await store.submit(ALICE, CALLER, batch, false);
      position = (await store.eventsAfter(ALICE, position, {}, 1000)).position;
      largest = Math.max(largest, statSync(folder.file('x.db-wal')).size);
    }
    expect(largest).toBeGreaterThan(16 * 1024 * 1024);
    expect(largest).toBeLessThan(64 * 1024 * 1024);
    const emptied = async () => (await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(engine.db)).rows;
    await expect.poll(emptied).toMatchObject([{ busy: 0 }]);
    expect(statSync(folder.file('x.db-wal')).size).toBe(0);
    await store.close();
  });

  test('the write-ahead log grows while somebody reads from its beginning, and is short again soon after (B98)', async () => {
    using folder = temporaryFolder();
    const { store } = await openTestStore({ path: folder.file('x.db') });
    const payloadJson = JSON.stringify({ text: 'x'.repeat(60_000) });
    const work = () =>
      store.submit(
        ALICE,
        CALLER,
        Array.from({ length: 40 }, () => submission({ payloadJson })),
        false,
      );
    await work();
    const reader = new Database(folder.file('x.db'), { readonly: true });
    const exporting = reader.prepare('select * from jobs').iterate();
    exporting.next();
    for (let round = 0; round < 30; round++) await work();
    expect(store.logFigures().bytes).toBeGreaterThan(64 * 1024 * 1024);
    exporting.return?.();
    reader.close();
    await expect
      .poll(async () => {
        await submitOne(store, ALICE, { payloadJson });
        return store.logFigures().bytes;
      })
      .toBeLessThan(16 * 1024 * 1024);
    expect(statSync(folder.file('x.db-wal')).size).toBeLessThan(64 * 1024 * 1024);
    expect(store.logFigures().checkpoints.background).toBeGreaterThan(0);
    await store.close();
  });

  test('the event log goes on past 32 bits, in whole numbers (B77, B80)', async () => {
    const { store, engine } = await openTestStore();
    await submitOne(store, ALICE);
    await sql`update event_logs set last_seq = 3000000000`.execute(acrossTenants(engine.db));
    await submitOne(store, ALICE);
    const { events, position } = await store.eventsAfter(ALICE, null, {}, 10);
    expect(events.map(({ seq }) => seq)).toEqual([1, 3_000_000_001]);
    expect(position.seq).toBe(3_000_000_001);
    const { rows } = await sql<{
      kind: string;
    }>`select typeof(seq) as kind from events union select typeof(priority) from jobs union select typeof(run_at_ms) from jobs`.execute(
      acrossTenants(engine.db),
    );
    expect(rows).toEqual([{ kind: 'integer' }]);
    await store.close();
  });
});

describe('a store that was restored from a copy', () => {
  test('recognises every place that was handed out after the copy, also when its log has grown past it', async () => {
    using folder = temporaryFolder();
    const original = await openTestStore({ path: folder.file('x.db') });
    await submitOne(original.store, ALICE);
    const shared = await original.store.latestPosition(ALICE);
    const reader = new Database(folder.file('x.db'), { readonly: true });
    await reader.backup(folder.file('copy.db'));
    reader.close();
    for (let done = 0; done < 3; done++) await submitOne(original.store, ALICE);
    const lost = await original.store.latestPosition(ALICE);
    await original.store.close();
    const restarted = await openTestStore({ path: folder.file('x.db'), entropy: seededEntropy({ seed: 2 }) });
    await submitOne(restarted.store, ALICE);
    const lostLater = await restarted.store.latestPosition(ALICE);
    expect((await restarted.store.eventsAfter(ALICE, lost, {}, 10)).gap).toBeNull();
    await restarted.store.close();

    const restored = await openTestStore({ path: folder.file('copy.db'), entropy: seededEntropy({ seed: 3 }) });
    const reasons = async () => {
      const pages = await Promise.all([shared, lost, lostLater].map((position) => restored.store.eventsAfter(ALICE, position, {}, 10)));
      return pages.map(({ gap }) => gap?.reason ?? null);
    };
    expect(await reasons()).toEqual([null, 'store_restored', 'store_restored']);
    for (let done = 0; done < 20; done++) await submitOne(restored.store, ALICE);
    expect(await reasons()).toEqual([null, 'store_restored', 'store_restored']);
    await restored.store.close();
  });
});

test('a last copy of the log that fails is a failure of the database, told to whoever stops it', async () => {
  using folder = temporaryFolder();
  const fatal: Error[] = [];
  const engine = openSqlite({ path: folder.file('x.db') });
  const failing: Engine = {
    ...engine,
    checkpoint: () => {
      throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    },
  };
  const store = await createJobStore({
    engine: failing,
    clock: systemClock,
    entropy: seededEntropy(),
    retention: TEST_RETENTION,
    onFatal: (error) => fatal.push(error),
  });
  await expect(store.close()).rejects.toMatchObject({ name: 'StoreFault', kind: 'fatal' });
  expect(fatal).toHaveLength(1);
});
