/** `leasequeue keys` as a person calls it: a process of its own, on a database of its own, alone and beside a server. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKey } from '../../src/auth/api-key.ts';
import { type CommandResult, documentOf, leasequeue } from '../support/command.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { connectSocket, EVENTS } from '../support/sockets.ts';
import { temporaryFolder } from '../support/store.ts';

interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

const KEY = /lq_[a-z0-9-]+_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}/;
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let databases = 0;
/** Runs commands on one new database. */
function onDatabase(name = `${(databases += 1)}.db`) {
  const path = folder.file(name);
  const env = { LEASEQUEUE_DATABASE_PATH: path };
  return { path, env, run: (...words: readonly string[]): Promise<CommandResult> => leasequeue(words, { env }) };
}

function idOf({ stdout }: CommandResult): string {
  const id = parseKey(stdout.trim())?.id;
  if (id === undefined) throw new Error('no key was printed');
  return id;
}

describe('keys create', () => {
  test('makes database, tenant and key where nothing is there, and prints the key alone on standard output', async () => {
    const { path, run } = onDatabase();
    const made = await run('keys', 'create', '--name', 'first', '--tenant', 'acme', '--scopes', 'work, READ,SYSTEM');
    expect([made.code, existsSync(path)]).toEqual([0, true]);
    expect(made.stdout).toMatch(new RegExp(`^${KEY.source}[0-9a-f]{6}\\n$`));
    expect(parseKey(made.stdout.trim())).toMatchObject({ tenant: 'acme' });
    expect(made.stderr).toContain(idOf(made));
    expect(made.stderr).toMatch(/shown this once/);
    expect(made.stderr).not.toMatch(KEY);
    const { apiKeys } = documentOf(await run('keys', 'list', '--tenant', 'acme', '--json')) as { apiKeys: readonly ShownKey[] };
    expect(apiKeys).toMatchObject([{ id: idOf(made), name: 'first', scopes: ['READ', 'WORK', 'SYSTEM'], queues: [], expiresAt: null, revokedAt: null }]);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test('gives what it was asked for as one JSON document, with the words of the API', async () => {
    const { run } = onDatabase();
    const made = await run(...'keys create --name mailer --scopes WORK --queues sms,email,sms --expires-at 2999-01-01T01:00:00+01:00 --json'.split(' '));
    const { apiKey, secret } = documentOf(made) as { apiKey: ShownKey; secret: string };
    expect(parseKey(secret)).toEqual({ tenant: 'default', id: apiKey.id });
    expect(apiKey).toMatchObject({ queues: ['email', 'sms'], scopes: ['WORK'], expiresAt: '2999-01-01T00:00:00.000Z', lastUsedAt: null });
    const later = documentOf(await run(...'keys create --name day --all-scopes --expires-in 24h --json'.split(' '))) as { apiKey: ShownKey };
    expect(later.apiKey['scopes']).toEqual(['READ', 'PAYLOADS', 'SUBMIT', 'WORK', 'OPERATE', 'ADMIN']);
    expect(Date.parse(String(later.apiKey['expiresAt'])) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(Date.parse(String(later.apiKey['expiresAt'])) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
  });

  test('refuses a name that another key has, with 5, until that one is revoked', async () => {
    const { run } = onDatabase();
    const create = () => run('keys', 'create', '--name', 'admin', '--all-scopes');
    const first = await create();
    const second = await create();
    expect([first.code, second.code, second.stdout]).toEqual([0, 5, '']);
    expect(second.stderr).toMatch(/has this name already/);
    expect((await run('keys', 'revoke', idOf(first))).code).toBe(0);
    expect((await create()).code).toBe(0);
  });

  test.each([
    ['neither scopes nor all', ['--name', 'x'], /--scopes.*--all-scopes/],
    ['both', ['--name', 'x', '--scopes', 'READ', '--all-scopes'], /cannot be used with/],
    ['no name', ['--all-scopes'], /--name/],
    ['a name that is too long', ['--name', 'x'.repeat(129), '--all-scopes'], /'--name' must be 1 to 128 characters/],
    ['a scope that is none', ['--name', 'x', '--scopes', 'REED'], /The scopes are READ, PAYLOADS/],
    ['no scope', ['--name', 'x', '--scopes', ''], /--scopes/],
    ['an empty name of a queue', ['--name', 'x', '--scopes', 'WORK', '--queues', ''], /--queues/],
    ['a queue that no name fits', ['--name', 'x', '--scopes', 'WORK', '--queues', 'a b'], /'--queues' must be 1 to 64 characters/],
    ['an administrator of some queues', ['--name', 'x', '--all-scopes', '--queues', 'a'], /'--queues' cannot restrict a key with ADMIN/],
    ['a tenant that cannot be', ['--name', 'x', '--all-scopes', '--tenant', 'A_B'], /--tenant/],
    ['a time without a unit', ['--name', 'x', '--all-scopes', '--expires-in', '90'], /--expires-in/],
    ['an end that is over', ['--name', 'x', '--all-scopes', '--expires-at', '2020-01-01T00:00:00Z'], /'--expires-at' must be in the future/],
    ['an end without a zone', ['--name', 'x', '--all-scopes', '--expires-at', '2999-01-01T00:00:00'], /--expires-at/],
    ['two ends', ['--name', 'x', '--all-scopes', '--expires-in', '1d', '--expires-at', '2999-01-01T00:00:00Z'], /cannot be used with/],
    ['an option that is none', ['--name', 'x', '--all-scopes', '--key', 'y'], /unknown option/],
  ])('is told the right usage on standard error, with 2, and makes nothing: %s', async (_what, words, message) => {
    const { path, run } = onDatabase();
    const { code, stdout, stderr } = await run('keys', 'create', ...words);
    expect([code, stdout, existsSync(path)]).toEqual([2, '', false]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('Usage: leasequeue keys create');
  });

  test('says what became of a key that nobody took, and crashes at no broken pipe', async () => {
    const { env, run } = onDatabase();
    const lost = await leasequeue(['keys', 'create', '--name', 'lost', '--all-scopes'], { env, into: 'true' });
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*could not be shown .*keys revoke [0-9A-Za-z]{16}\n$/) as unknown });
    expect(await leasequeue(['keys', 'list'], { env, into: 'head -0' })).toEqual({ code: 0, stdout: '', stderr: '' });
    const full = await leasequeue(['keys', 'create', '--name', 'full', '--all-scopes'], { env, into: 'cat > /dev/null' });
    expect(full.code).toBe(0);
    expect((await run('keys', 'list')).stdout.split('\n')).toHaveLength(4);
  });
});

describe('keys list and keys revoke', () => {
  test('show a table without secrets, and when a key was revoked', async () => {
    const { run } = onDatabase();
    const made = await run('keys', 'create', '--name', 'mailer', '--scopes', 'WORK,READ', '--queues', 'email');
    const revoked = await run('keys', 'revoke', idOf(made), '--json');
    expect(documentOf(revoked)).toMatchObject({ apiKey: { id: idOf(made), revokedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown } });
    const again = await run('keys', 'revoke', idOf(made));
    expect([again.code, again.stdout]).toEqual([0, '']);
    const [head = '', row = '', ...rest] = (await run('keys', 'list')).stdout.split('\n');
    expect(head.split(/ {2,}/)).toEqual(['ID', 'NAME', 'PREFIX', 'SCOPES', 'QUEUES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED']);
    expect(row.split(/ {2,}/)).toMatchObject([idOf(made), 'mailer', `lq_default_${idOf(made)}`, 'READ,WORK', 'email', /Z$/, '-', '-', /Z$/].map(matching));
    expect([rest, KEY.test(row)]).toEqual([[''], false]);
  });

  test('say with 3 that there is no such key, and no such tenant', async () => {
    const { run } = onDatabase();
    await run('keys', 'create', '--name', 'admin', '--all-scopes');
    expect(await run('keys', 'revoke', 'x'.repeat(16))).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/No key of this tenant/) as unknown,
    });
    expect(await run('keys', 'list', '--tenant', 'other')).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/no tenant other/) as unknown });
  });

  test.each([['list'], ['revoke', 'x'.repeat(16)]])('make no database where there is none: %s', async (...words) => {
    const { path, run } = onDatabase();
    const { code, stderr } = await run('keys', ...words);
    expect([code, existsSync(path)]).toEqual([1, false]);
    expect(stderr).toContain(`There is no database at ${path}`);
  });
});

function matching(wanted: string | RegExp): unknown {
  return typeof wanted === 'string' ? wanted : expect.stringMatching(wanted);
}

describe('a database that cannot be used is named, with 1 and without a stack', () => {
  const create = ['keys', 'create', '--name', 'x', '--all-scopes'];

  test('a missing folder', async () => {
    const { code, stderr, stdout } = await onDatabase('missing/x.db').run(...create);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: The folder of the database does not exist: .*missing.*\n$/);
  });

  test('a database of a newer version, alone and beside a server', async () => {
    const { path, env, run } = onDatabase();
    await run(...create);
    const write = (statement: string): void => {
      const database = new Database(path);
      database.exec(statement);
      database.close();
    };
    write(`insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2030-01-01T00:00:00.000Z')`);
    const alone = await run(...create);
    write(`delete from kysely_migration where name = '999-from-the-future'`);
    const server = await startServer(env);
    write(`insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2030-01-01T00:00:00.000Z')`);
    const beside = await run(...create);
    write(`delete from kysely_migration where name like '002%' or name like '004%' or name like '999%'`);
    const older = await run(...create);
    await server.end('SIGTERM');
    for (const { code, stderr } of [alone, beside]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: The database was written by a newer version of LeaseQueue \(it has 999-from-the-future.*\n$/);
    }
    expect(older).toMatchObject({ code: 1, stderr: expect.stringMatching(/server of an older version .*002-access/) as unknown });
  });

  test('settings that are wrong or misspelt; those of the server alone do not matter', async () => {
    const { env } = onDatabase();
    const withSettings = (settings: Record<string, string>) => leasequeue(create, { env: { ...env, ...settings } });
    expect(await withSettings({ LEASEQUEUE_DATABASE_PAHT: 'x' })).toMatchObject({ code: 1, stderr: expect.stringMatching(/DATABASE_PATH/) as unknown });
    expect(await withSettings({ LEASEQUEUE_DATABASE_PATH: '' })).toMatchObject({ code: 1, stderr: expect.stringMatching(/is empty/) as unknown });
    expect(await withSettings({ LEASEQUEUE_HOST: '0.0.0.0', LEASEQUEUE_PORT: 'x', LEASEQUEUE_AUTH: 'maybe' })).toMatchObject({ code: 0 });
  });
});

describe('the help', () => {
  test('is on standard output where it was asked for, and on standard error, with 2, where nothing was', async () => {
    expect(await leasequeue(['--help'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/Usage: leasequeue .*keys/s) as unknown });
    for (const words of [[], ['keys'], ['kyes']]) {
      expect(await leasequeue(words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/Usage: leasequeue/) as unknown });
    }
    expect((await leasequeue(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await leasequeue(['help', 'keys'])).stdout).toMatch(/create .*list .*revoke /s);
  });
});

describe('beside a server that asks for keys', () => {
  const JOBS = '{ jobs { nodes { id } } }';
  const CLAIM = 'mutation { claimJobs(input: {queues: ["q"], workerId: "w", waitSeconds: 30}) { idle leases { leaseToken } } }';
  const { env, run } = onDatabase('server.db');
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ ...env, LEASEQUEUE_AUTH: 'required' });
  });
  afterAll(() => server.end('SIGTERM'));

  const post = (query: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) });

  test('a key works at once, and when it is revoked what it opened ends and it is refused, within a second and a half', async () => {
    const made = await run('keys', 'create', '--name', 'worker', '--all-scopes');
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    expect(await (await post(JOBS, headers)).json()).toEqual({ data: { jobs: { nodes: [] } } });
    const stream = await openEventStream(server.url, EVENTS, {}, headers);
    const socket = await connectSocket(server.url.replace('http', 'ws') + '/graphql', headers);
    socket.subscribe('1', EVENTS);
    await socket.echo();
    const claim = post(CLAIM, headers);
    await stream.next();

    expect((await run('keys', 'revoke', idOf(made))).code).toBe(0);
    const revokedMs = performance.now();
    const [streamed, closed, claimed] = await Promise.all([lastOf(stream), socket.closed, claim.then((response) => response.text())]);
    expect(performance.now() - revokedMs).toBeLessThan(1_500);
    expect((await post(JOBS, headers)).status).toBe(401);
    expect(closed.code).toBe(4403);
    expect(streamed).toBeNull();
    expect(JSON.parse(claimed)).toMatchObject({ errors: [{ path: ['claimJobs'], extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  async function lastOf(stream: { next(): Promise<unknown> }): Promise<unknown> {
    for (;;) if ((await stream.next()) === null) return null;
  }

  test('the list tells when a key was last used, and commands at the same time all come to their turn', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map((name) => run('keys', 'create', '--name', name, '--scopes', 'READ', '--tenant', 'acme')));
    expect(made.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0]);
    const { apiKeys } = documentOf(await run('keys', 'list', '--json', '--tenant', 'acme')) as { apiKeys: readonly ShownKey[] };
    expect(apiKeys.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
    for (const key of made) expect((await post(JOBS, { authorization: `Bearer ${key.stdout.trim()}` })).status).toBe(200);
    expect(server.lines.join('\n')).not.toMatch(KEY);
  });
});
