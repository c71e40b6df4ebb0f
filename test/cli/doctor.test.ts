/** `leasequeue doctor` as a person calls it, on installations with one thing wrong each; and what it says of servers. */
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { serverSymptoms } from '../../src/cli/doctor/server.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { VERSION } from '../../src/runtime/version.ts';
import { startApp } from '../support/app.ts';
import { documentOf, leasequeue } from '../support/command.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ask, startServer } from '../support/server-process.ts';
import { openTestStore, temporaryFolder } from '../support/store.ts';

interface Report {
  readonly healthy: boolean;
  readonly symptoms: readonly { readonly level: string; readonly about: string; readonly found: string; readonly advice: string | null }[];
}

async function doctor(env: Readonly<Record<string, string>>): Promise<Report & { readonly code: number | null }> {
  const result = await leasequeue(['doctor', '--json'], { env });
  return { ...(documentOf(result) as Report), code: result.code };
}

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

async function emptyDatabase(path: string): Promise<void> {
  const { store } = await openTestStore({ path });
  await store.close();
  chmodSync(path, 0o600);
}

describe('doctor', () => {
  test('finds nothing bad where a server runs, and says what it looked at', async () => {
    using folder = temporaryFolder();
    await emptyDatabase(folder.file('x.db'));
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    await ask(server.url, 'mutation { submitJob(input: {task: "t"}) { __typename } }');
    const env = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_URL: server.url };
    const { code, healthy, symptoms } = await doctor(env);
    expect([code, healthy]).toEqual([0, true]);
    expect(symptoms.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(symptoms.map(({ about }) => about)).toEqual([
      'node',
      'settings',
      'folder',
      'disk',
      'space',
      'file',
      'owner',
      'schema',
      'content',
      'server',
      'version',
      'clock',
    ]);
    const told = symptoms.map(({ found }) => found).join('\n');
    for (const part of ['a server runs on the database', '1 job, 1 event', `${server.url} is ready`, `the server is ${VERSION}`]) expect(told).toContain(part);
    const plain = await leasequeue(['doctor'], { env });
    expect([plain.code, plain.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))]).toEqual([0, []]);
    await server.end('SIGTERM');
  });

  test('warns where nothing was started yet', async () => {
    using folder = temporaryFolder();
    const { code, symptoms } = await doctor({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    expect(code).toBe(0);
    expect(symptoms.filter(({ level }) => level === 'warn').map(({ about }) => about)).toContain('database');
  });

  test.each<[string, (path: string) => Promise<unknown> | void, string, RegExp]>([
    ['settings that no server starts with', () => {}, 'settings', /LEASEQUEUE_PROT is not a setting.*LEASEQUEUE_PORT/],
    ['a server that is not there', () => {}, 'server', /nothing answers at http:\/\/127\.0\.0\.1:1 \(/],
    ['a file that others may write', async (path) => (await emptyDatabase(path), chmodSync(path, 0o666)), 'file', /may be written by others \(mode 666\)/],
    [
      'a file that is something else',
      (path) => writeFileSync(path, 'a text of some length\n'.repeat(60), { mode: 0o600 }),
      'content',
      /damaged: file is not a database/,
    ],
    ['a database of a newer version', (path) => changed(path, `insert into kysely_migration values ('999-later', '')`), 'schema', /newer version/],
    [
      'a database that disagrees with itself',
      (path) => changed(path, `insert into queue_counters values ('a', 'q', 1, 0, 0, 0, 0, 0, 1, 0)`),
      'content',
      /counters of each queue equal.*queue q of the tenant a/,
    ],
  ])('ends with 1, and says what to do: %s', async (_what, spoil, about, message) => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    await spoil(path);
    const { code, healthy, symptoms } = await doctor({
      LEASEQUEUE_DATABASE_PATH: path,
      ...(about === 'server' && { LEASEQUEUE_URL: NOWHERE }),
      ...(about === 'settings' && { LEASEQUEUE_PROT: '1' }),
    });
    const bad = symptoms.filter(({ level }) => level === 'bad');
    expect([code, healthy, bad.map((symptom) => symptom.about)]).toEqual([1, false, [about]]);
    expect(bad[0]?.found).toMatch(message);
    expect(bad[0]?.advice).not.toBe('');
  });

  test('names a folder that is not there', async () => {
    using folder = temporaryFolder();
    const { symptoms } = await doctor({ LEASEQUEUE_DATABASE_PATH: folder.file('no/x.db') });
    expect(symptoms.find(({ about }) => about === 'folder')).toMatchObject({ level: 'bad', found: `${folder.file('no')} does not exist` });
  });

  test('never shows a password that is in an address', async () => {
    using folder = temporaryFolder();
    const { stdout, stderr } = await leasequeue(['doctor'], {
      env: { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_URL: 'http://user:hunter2@127.0.0.1:1/x?key=hunter2' },
    });
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stdout).toContain('bad   client    the address of the server (variable LEASEQUEUE_URL)');
  });

  test('shows examples in its help', async () => {
    const { code, stdout } = await leasequeue(['doctor', '--help']);
    expect([code, stdout.match(/^ {2}\$ /gm)?.length]).toEqual([0, 2]);
  });
});

async function changed(path: string, statement: string): Promise<void> {
  await emptyDatabase(path);
  const database = new Database(path);
  database.exec(statement);
  database.close();
}

describe('of a server the doctor says', () => {
  const clock = { nowMs: () => systemClock.nowMs(), after: () => () => {} };

  test('that it is not ready, and why', async () => {
    await using server = await startApp({ spoil: (store) => ({ ...store, probe: () => Promise.reject(new Error('no')) }) });
    expect(await serverSymptoms({ url: server.url, clock })).toMatchObject([
      { level: 'bad', found: expect.stringMatching(/is not ready: the database does not take a write/) as unknown },
    ]);
  });

  test('that the clocks are apart', async () => {
    await using server = await startApp();
    const apart = { ...clock, nowMs: () => systemClock.nowMs() - 60_000 };
    expect((await serverSymptoms({ url: server.url, clock: apart })).at(-1)).toMatchObject({
      level: 'warn',
      about: 'clock',
      found: expect.stringMatching(/(59|60|61) s behind/) as unknown,
    });
  });

  test('that something else answers there, or nothing within three seconds', async () => {
    const silence = { isKept: false, asked: Promise.withResolvers<void>() };
    const other = createServer((_request, response) => (silence.isKept ? silence.asked.resolve() : response.end('hello')));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await serverSymptoms({ url, clock })).toMatchObject([{ level: 'bad', found: expect.stringMatching(/no LeaseQueue server/) as unknown }]);
    silence.isKept = true;
    const manual = new ManualClock();
    const asking = serverSymptoms({ url, clock: manual });
    await silence.asked.promise;
    manual.advance(3_000);
    expect(await asking).toMatchObject([{ level: 'bad', found: `nothing answers at ${url} (no answer within 3 s)` }]);
    other.closeAllConnections();
    other.close();
  });

  test('nothing of an address that is none', async () => {
    expect(await serverSymptoms({ url: 'lq_default_secret', clock })).toMatchObject([{ level: 'bad', found: 'LEASEQUEUE_URL is not an address' }]);
  });
});
