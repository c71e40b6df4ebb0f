/** Secrets and a whole server process: what it prints, what others see of the process, and what is on the disk (B133, B134). */
import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SCOPES } from '../../src/domain/access.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestKey } from '../support/keys.ts';
import { leaveTheWire } from '../support/secret-watch.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { openTestStore, temporaryFolder } from '../support/store.ts';
import { CANARIES, kindsIn, newSecrets } from './canaries.ts';
import { Visit } from './visit.ts';

leaveTheWire('idempotencyKey', 'requestId', 'leaseToken');

/** Two keys, made beside the server before it starts. */
async function keysIn(path: string): Promise<{ readonly key: string; readonly narrowKey: string }> {
  const { store } = await openTestStore({ path });
  const { text: key } = await createTestKey(store, { tenant: 'acme', scopes: SCOPES });
  const { text: narrowKey } = await createTestKey(store, { tenant: 'acme', scopes: SCOPES.filter((scope) => scope !== 'PAYLOADS' && scope !== 'SYSTEM') });
  await store.close();
  return { key, narrowKey };
}

/** What the operating system shows of the process to others. */
function shownOf(pid: number): string {
  return ['cmdline', 'comm', 'status', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1')).join('\n');
}

/** From now on every submission breaks a constraint, which says every secret. */
function breakSubmissions(path: string, words: readonly string[]): void {
  const database = new Database(path);
  database.exec(`create trigger broken before insert on jobs begin select raise(abort, 'no room for ${words.join(' ').replaceAll("'", '')}'); end`);
  database.close();
}

async function visited(server: ServerProcess, keys: { readonly key: string; readonly narrowKey: string }): Promise<Visit> {
  const visit = new Visit({ url: server.url, wsUrl: `${server.url.replace('http', 'ws')}/graphql`, ...keys }, newSecrets());
  await visit.everything();
  await visit.failures();
  await visit.pages();
  return visit;
}

describe.each([
  ['production', { NODE_ENV: 'production' }],
  ['development', { NODE_ENV: 'development' }],
  ['unset', {}],
])('a server with NODE_ENV %s', (_name, environment) => {
  test('lets no secret out of the process, and keeps none of its own on the disk', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const keys = await keysIn(path);
    const settings = { LEASEQUEUE_DATABASE_PATH: path, LEASEQUEUE_AUTH: 'required', LEASEQUEUE_LOG_LEVEL: 'debug', ...environment };
    const server = await startServer(settings);
    onTestFinished(() => void server.kill('SIGKILL'));
    const visit = await visited(server, keys);

    // The words of the trigger are on the disk: what has to be hashed is looked for before.
    const onDisk = () =>
      readdirSync(folder.path)
        .map((name) => readFileSync(folder.file(name), 'latin1'))
        .join('\n');
    const hashed = new Map([...visit.secrets].filter(([, kind]) => kind === 'apiKey' || kind === 'leaseToken'));
    expect(kindsIn(onDisk(), hashed)).toEqual([]);
    expect(onDisk()).toContain(CANARIES.payload);

    breakSubmissions(path, [...visit.secrets.keys()]);
    const submit = JSON.stringify({
      query: `mutation { submitJob(input: {task: "t", idempotencyKey: "k", payload: {card: "${CANARIES.payload}"}}) { __typename } }`,
    });
    const masked = await visit.post('a broken constraint', submit);
    visit.silent('a broken constraint', masked);
    const { errors } = JSON.parse(masked) as { errors: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[] };
    expect(errors).toMatchObject([{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: expect.any(String) } }]);
    visit.silent('what is shown of the process', shownOf(server.pid));
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    visit.silent('what the process printed', server.lines.join('\n'));
    expect([...new Set(visit.leaks)]).toEqual([]);
    const logged = server.lines.filter((line) => line.includes(String(errors[0]?.extensions['requestId'])));
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      { operation: 'submitJob', error: { name: 'SqliteError', code: expect.stringContaining('SQLITE_CONSTRAINT') } },
    ]);
    for (const line of server.lines) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  }, 120_000);
});

test('an open socket leaves no key in memory', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  const { key, narrowKey } = await keysIn(path);
  const options = `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.path}`;
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: path, LEASEQUEUE_AUTH: 'required', NODE_OPTIONS: options });
  onTestFinished(() => void server.kill('SIGKILL'));
  const visit = new Visit({ url: server.url, wsUrl: `${server.url.replace('http', 'ws')}/graphql`, key, narrowKey }, newSecrets());
  const socket = await visit.socket();
  socket.subscribe('1', 'subscription { stats { ready } }');
  await socket.nextOf('1');
  server.kill('SIGUSR2');
  const snapshot = await written(folder.path);
  expect(snapshot).toContain('leasequeue_session');
  expect(snapshot.includes(key)).toBe(false);
  socket.socket.close();
  await server.end('SIGTERM');
}, 60_000);

/** The snapshot, once all of it is there. */
async function written(folder: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const name = readdirSync(folder).find((file) => file.endsWith('.heapsnapshot'));
    const text = name === undefined ? '' : readFileSync(`${folder}/${name}`, 'utf8');
    if (text.trimEnd().endsWith('}')) return text;
    await systemClock.sleep(100);
  }
  throw new Error('no snapshot came');
}
