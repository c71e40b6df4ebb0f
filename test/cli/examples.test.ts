/** The examples of every command: there are two, they are lines that parse, and they do what the help says on a real server. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examplesOf } from '../../src/cli/examples.ts';
import { leasequeue } from '../support/command.ts';
import { commandShim } from '../support/command-shim.ts';
import { fullName, leavesOf, wholeProgram } from '../../schema/command-tree.ts';
import { createExampleServer, type ExampleServer } from '../support/example-server.ts';
import { temporaryFolder } from '../support/store.ts';

const commands = leavesOf(await wholeProgram());
const cases = commands.flatMap((command) => examplesOf(command).map(({ line, exitCode }) => ({ name: fullName(command), line, exitCode })));

const folder = temporaryFolder();
let server: ExampleServer;
beforeAll(async () => {
  server = await createExampleServer(folder.file('examples.db'));
  mkdirSync(folder.file('bin'));
  commandShim(folder.file('bin'));
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

describe('every command', () => {
  test.each(commands.map((command) => [fullName(command), command] as const))(
    '%s has two examples, at the end of its help, which ask for it',
    async (name, command) => {
      const lines = examplesOf(command).map(({ line }) => line);
      expect(lines.length).toBeGreaterThanOrEqual(2);
      const { stdout, code } = await leasequeue([...name.split(' '), '--help']);
      expect([code, (await leasequeue(['help', ...name.split(' ')])).stdout]).toEqual([0, stdout]);
      expect(stdout).toContain(`Examples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`);
      for (const line of lines) expect(line).toContain(`leasequeue ${name}`);
    },
  );
});

describe('an example parses', () => {
  /** Each call of `leasequeue` in the line, as the words that the shell makes of it. */
  function callsIn(line: string): readonly (readonly string[])[] {
    const place = folder.file('parse');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    const script = join(place, 'note.mjs');
    writeFileSync(script, `import { appendFileSync } from 'node:fs';\nappendFileSync(process.env.NOTES, JSON.stringify(process.argv.slice(2)) + '\\n');\n`);
    commandShim(place, script);
    const notes = join(place, 'notes');
    for (const name of ['prod.key', 'staging.key', 'jobs.jsonl']) writeFileSync(join(place, name), 'x');
    spawnSync('sh', ['-c', line], { cwd: place, env: { ...server.env, PATH: `${place}:${process.env['PATH'] ?? ''}`, NOTES: notes } });
    return readFileSync(notes, 'utf8')
      .trim()
      .split('\n')
      .map((call) => JSON.parse(call) as readonly string[]);
  }

  function withoutDeeds(command: Command): void {
    command.action(() => {});
    command.commands.forEach(withoutDeeds);
  }

  test.each(cases)('$line', async ({ line }) => {
    for (const words of callsIn(line)) {
      const program = await wholeProgram();
      leavesOf(program).forEach(withoutDeeds);
      await expect(program.parseAsync(words, { from: 'user' })).resolves.toBeDefined();
    }
  });
});

/** What runs until it is told to stop. */
const isServer = ({ name }: { readonly name: string }): boolean => name === 'serve';

describe('an example of a server works', () => {
  test.each(cases.filter(isServer))('$line', async ({ line }) => {
    const place = folder.file('serve');
    mkdirSync(place, { recursive: true });
    const child = spawn('sh', ['-c', `exec ${line}`], {
      cwd: place,
      env: { PATH: `${folder.file('bin')}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    for await (const text of child.stdout.setEncoding('utf8')) if (String(text).includes('LeaseQueue is ready')) child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

describe('an example works', () => {
  test.each(cases.filter((each) => !isServer(each)))('$line', async ({ line, exitCode }) => {
    const place = folder.file('work');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    const variables = await server.prepare(place);
    const env = { ...variables, PATH: `${folder.file('bin')}:${process.env['PATH'] ?? ''}` };
    const done = await new Promise<{ code: number; said: string }>((resolve) => {
      execFile('sh', ['-c', line], { cwd: place, env, timeout: 20_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: stdout + stderr });
      });
    });
    expect(done.code, done.said).toBe(exitCode);
  });
});
