/** The compiled command, and how long it takes to start beside Node alone. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { compileInto } from '../support/built-package.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const root = join(import.meta.dirname, '../..');
/** Where the packages are found, and nobody looks. */
const place = join(root, 'node_modules/.cache/leasequeue-start-up');
const main = join(place, 'dist/cli/main.cjs');
const ROUNDS = { least: 15, most: 100 } as const;

beforeAll(() => {
  mkdirSync(place, { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  compileInto(join(place, 'dist'));
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

function msOf(words: readonly string[]): number {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, words, { env: { NODE_COMPILE_CACHE: join(place, 'cache'), XDG_CONFIG_HOME: place } });
  expect(status).toBe(0);
  return performance.now() - startMs;
}

test.each(['--version', '--help', 'context list', 'job get --help'])('%s takes at most twice as long as Node alone', (line) => {
  // Side by side, and the best of each: what else the machine does makes only some of them slow. A busy one needs more rounds.
  let [bare, ours] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS.most && (round < ROUNDS.least || ours > 2 * bare); round += 1) {
    bare = Math.min(bare, msOf(['-e', '0']));
    ours = Math.min(ours, msOf([main, ...line.split(' ')]));
  }
  expect(ours / bare, `${ours.toFixed(1)} ms beside ${bare.toFixed(1)} ms`).toBeLessThanOrEqual(2);
});

test('the compiled command opens a database, too', () => {
  using folder = temporaryFolder();
  const env = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
  for (const words of [
    ['keys', 'create', '--name', 'k', '--scopes', 'READ'],
    ['db', 'migrate'],
    ['db', 'check'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words, '--json'], { env, encoding: 'utf8' });
    expect([words[0], status, status === 0 ? '' : stderr]).toEqual([words[0], 0, '']);
  }
});

test('the compiled command serves the console, with the forms that were compressed when it was built', async () => {
  using folder = temporaryFolder();
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') }, { command: [process.execPath, main, 'serve'] });
  const page = await (await fetch(server.url)).text();
  const [script = ''] = /assets\/[\w.-]+\.js/.exec(page) ?? [];
  const { status, headers } = await fetch(`${server.url}/${script}`, { headers: { 'accept-encoding': 'br' } });
  expect([status, headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

// Together they take as long as Node's own start: `node:net` does the asking, without `node:http`.
test('a command that asks a server loads neither `fetch` nor `node:http` nor web cryptography for it', async () => {
  await using app = await startApp();
  using folder = temporaryFolder();
  const hook = folder.file('note.cjs');
  writeFileSync(
    hook,
    "process.on('exit', () => process.stderr.write(process.moduleLoadList.filter((name) => /undici\\/undici|webcrypto|NativeModule (?:net|https?|_http_\\w+)$/.test(name)).join()));",
  );
  const { stderr } = await promisify(execFile)(process.execPath, ['--require', hook, main, 'queue', 'list', '--url', app.url], { env: {} });
  expect(stderr).toContain('NativeModule net');
  expect(stderr).not.toMatch(/undici|webcrypto|NativeModule _?http/);
});
