/** The tour of the README, run as written from top to bottom by somebody who has two terminals and the project as it comes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stepsOf } from './protocol/page.ts';
import { checkOut } from './support/checkout.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';
import { ShownOutput } from './support/shown-output.ts';
import { temporaryFolder } from './support/store.ts';
import { PastedShell } from './support/pasted-shell.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const tour = /^## Five minutes\n([^]*?)^## /m.exec(readme)?.[1] ?? '';
const [setUp, ...steps] = stepsOf(tour);
const isOfAnotherTerminal = (commands: string): boolean => commands.startsWith('# the third terminal\n');

/** Of a step that waits for a lease to be over, and of one that compiles. */
const STEP_MS = 60_000;

describe('the tour of the README', () => {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  let server: ServerProcess;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    checkOut(folder.path);
    server = await startServer({ LEASEQUEUE_DATABASE_PATH: home.file('x.db') });
    env = { PATH: process.env['PATH'] ?? '', HOME: home.path, LEASEQUEUE_URL: server.url };
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    folder[Symbol.dispose]();
    home[Symbol.dispose]();
  });

  test('prints what is shown, step by step', { timeout: 180_000 }, async () => {
    await using here = new PastedShell(folder.path, env);
    await using there = new PastedShell(folder.path, env);
    const output = new ShownOutput();
    await here.run(setUp?.commands ?? '', STEP_MS);
    await there.run(setUp?.commands ?? '', STEP_MS);

    const differences: string[] = [];
    for (const { commands, shown, line } of steps) {
      if (isOfAnotherTerminal(commands)) {
        there.type(commands);
        await there.until(() => there.printed !== '', STEP_MS);
        continue;
      }
      await here.run(commands, STEP_MS);
      // A step that ends with a program in the background is over when that has said what is shown.
      const difference = (): string | null => (shown === null ? null : output.difference(shown.text, here.printed));
      if (!(await here.until(() => difference() === null, commands.includes('&\n') ? STEP_MS : 0))) differences.push(`line ${line}: ${difference()}`);
    }
    const followed = steps.find(({ commands }) => isOfAnotherTerminal(commands));
    const difference = output.difference(followed?.shown?.text ?? '', there.printed);
    if (difference !== null) differences.push(`the third terminal: ${difference}`);
    expect(differences).toEqual([]);
    expect(steps.length).toBeGreaterThan(8);
  });

  test('leads to an example whose own tests pass', () => {
    const words = ['--test', '--test-reporter=tap', 'examples/invoices/*.test.ts'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder.path, encoding: 'utf8', env: { PATH: env['PATH'] ?? '' } });
    expect(stdout + stderr).toContain('# fail 0');
    expect(status).toBe(0);
  });
});

describe('what is shown', () => {
  test('fits where only its dots differ, and a named one is the same everywhere', () => {
    const output = new ShownOutput();
    expect(output.difference('01a2…a  done in … ms\n…\nend', '01a2ff done in 3 ms\nmore\nend\n')).toBeNull();
    expect(output.difference('01a2…a', '01a2fe')).toBe('01a2fe is not 01a2…a');
    expect(output.difference('01a2…b', '01a2ff')).toBe('01a2ff is not 01a2…b');
    expect(output.difference('end', 'end\nmore')).toBe('more is not shown');
    expect(output.difference('end\nmore', 'end')).toBe('nothing is not more');
  });
});
