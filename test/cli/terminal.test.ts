/** The command line on a real terminal, which `script` of util-linux makes. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { commandShim } from '../support/command-shim.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
commandShim(folder.path);
const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

async function onTerminal(line: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('script', ['-qec', `stty cols 40 rows 10; leasequeue ${line}`, '/dev/null'], {
    env: { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: folder.file('home'), TERM: 'xterm', ...env },
  });
  return stdout.split('\r\n');
}

describe.runIf(hasTerminals)('on a terminal', () => {
  test('a table has a bold head, and is cut at the width', async () => {
    const [head = '', ...rows] = await onTerminal('config show');
    expect(head).toBe('\x1b[1mSETTING                           VALUE\x1b[22m');
    expect(rows).toContain(`contextsFile                      ${folder.path.slice(0, 5)}…`);
    expect(rows.every((row) => row.length <= 40)).toBe(true);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect((await onTerminal('config show', env))[0]).toMatch(/^SETTING/);
  });

  test('JSON is whole', async () => {
    expect((await onTerminal('config show --json')).join('\n')).toContain(folder.path);
  });
});

test.skipIf(hasTerminals)('DID NOT RUN: there is no `script` of util-linux here to make a terminal', () => {});
