/** A fresh clone, in which nothing was built: the commands of the README bring the console with them. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkOut } from '../support/checkout.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

let [clone, home] = [temporaryFolder(), temporaryFolder()];
beforeEach(() => {
  [clone, home] = [temporaryFolder(), temporaryFolder()];
  checkOut(clone.path);
});
afterEach(() => {
  clone[Symbol.dispose]();
  home[Symbol.dispose]();
});

const BUILDER = 'deploy/console-if-older.mjs';
const build = (): string => execFileSync(process.execPath, [clone.file(BUILDER)], { encoding: 'utf8' });

describe('in a fresh clone', { timeout: 60_000 }, () => {
  test.each([
    ['npm start', () => ['npm', '--prefix', clone.path, 'start'] as const],
    ['npm run demo', () => ['npm', '--prefix', clone.path, 'run', 'demo'] as const],
    ['leasequeue serve', () => [process.execPath, clone.file('src/cli/main.ts'), 'serve'] as const],
  ])('%s shows the console', async (_name, command) => {
    expect(existsSync(clone.file('dist'))).toBe(false);
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: home.file('x.db'), HOME: home.path, TMPDIR: home.path }, { command: command() });
    const page = await fetch(server.url);
    const [script = ''] = /assets\/[\w.-]+\.js/.exec(await page.text()) ?? [];
    expect([page.status, (await fetch(`${server.url}/${script}`)).status]).toEqual([200, 200]);
    await server.end('SIGTERM');
  });

  test('the build takes place where a source is newer, and only then', () => {
    const page = clone.file('dist/console/index.html');
    build();
    writeFileSync(page, 'as it was built');
    const isBuiltAgain = (): boolean => {
      build();
      return readFileSync(page, 'utf8') !== 'as it was built';
    };
    expect(isBuiltAgain()).toBe(false);
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(clone.file('src/console/main.tsx'), later, later);
    expect(isBuiltAgain()).toBe(true);
  });
});
