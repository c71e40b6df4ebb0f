/** Completion of the command line: the answers, and the scripts in the shells that are installed here. */
import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownNames } from '../../src/cli/known-names.ts';
import { leasequeue } from '../support/command.ts';
import { commandShim } from '../support/command-shim.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ask, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
let server: ServerProcess;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
  const jobs = [
    { queue: 'email', task: 'mail.send' },
    { queue: 'email:bulk', task: 'mail.send' },
    { queue: 'sms', task: 'sms.send' },
  ].map((job) => ({ ...job, payload: {} }));
  await ask(server.url, 'mutation ($jobs: [SubmitJobInput!]!) { submitJobs(input: { jobs: $jobs }) { results { __typename } } }', { jobs });
  commandShim(folder.path);
  env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, LEASEQUEUE_URL: server.url, XDG_CONFIG_HOME: folder.file('home') };
  await leasequeue(['context', 'set', 'local', '--url', server.url], { env });
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder[Symbol.dispose]();
});

const complete = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await leasequeue(['__complete', '--', ...words], { env });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(Boolean);
};

describe('the answer', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['con'], ['context', 'config']],
    [
      ['context', 's'],
      ['show', 'set'],
    ],
    [['help', 'context', 'rem'], ['remove']],
    [['config', 'show', '--o'], ['--origin']],
    [
      ['config', 'show', '--color', 'a'],
      ['auto', 'always'],
    ],
    [['config', 'show', '--color=n'], ['--color=never']],
    [['completion', 'b'], ['bash']],
    [['context', 'use', ''], ['local']],
    [
      ['keys', 'create', '--queues', 'sms,em'],
      ['sms,email', 'sms,email:bulk'],
    ],
    [
      ['keys', 'create', '--queues=em'],
      ['--queues=email', '--queues=email:bulk'],
    ],
    [['context', 'set', 'x', '--', ''], []],
    [['nothing', 'of', 'it'], []],
    [['config', 'show', '--tenant', ''], ['default']],
  ])('for %j', async (words, candidates) => {
    expect(await complete(...words)).toEqual(candidates);
  });

  test('shows no hidden command, and every flag of a verb', async () => {
    expect(await complete('')).not.toContain('__complete');
    expect(await complete('config', 'show', '--')).toEqual(
      expect.arrayContaining(['--url', '--tenant', '--context', '--api-key-file', '--json', '--quiet', '--help']),
    );
  });

  test('has the tasks of the newest jobs, each once', async () => {
    expect(await knownNames('task', { url: server.url })).toEqual(['mail.send', 'sms.send']);
  });

  test('is nothing where the server is not there, or says what is no name, or says nothing', async () => {
    expect(await knownNames('queue', { url: 'http://127.0.0.1:1' })).toEqual([]);
    const nodes = ['ok', '$(touch x)', 'a b', '', 1, null, '\x1b[2J'].map((name) => ({ name }));
    const answers = createServer(
      (request, response) => void (request.url === '/graphql' ? response.end(JSON.stringify({ data: { names: { nodes } } })) : null),
    );
    await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(answers.address() as AddressInfo).port}`;
    expect(await knownNames('queue', { url })).toEqual(['ok']);
    const clock = new ManualClock();
    const silent = knownNames('queue', { url: `${url}/silent` }, clock);
    clock.advance(299);
    expect(await Promise.race([silent, Promise.resolve('still waiting')])).toBe('still waiting');
    clock.advance(1);
    expect(await silent).toEqual([]);
    answers.closeAllConnections();
    await new Promise((resolve) => answers.close(resolve));
  });
});

const run = promisify(execFile);
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).error === undefined;

describe('the script for bash', () => {
  /** Words as bash cuts them, the last one being written. */
  async function candidates(...words: readonly string[]): Promise<string> {
    const quoted = ['leasequeue', ...words].map((word) => `'${word}'`).join(' ');
    const script = `set -u; source <(leasequeue completion bash); COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _leasequeue; echo "\${COMPREPLY[*]-}"`;
    return (await run('bash', ['-c', script], { env, cwd: folder.path })).stdout.trim();
  }

  test.each<[readonly string[], string]>([
    [['conte'], 'context'],
    [['context', 'u'], 'use'],
    [['config', 'show', '--color', ''], 'auto always never'],
    [['config', 'show', '--color', '='], 'auto always never'],
    [['config', 'show', '--color', '=', 'ne'], 'never'],
    [['keys', 'create', '--queues', 'email', ':'], 'bulk'],
    [['keys', 'create', '--queues', 'email', ':', 'b'], 'bulk'],
    [['context', 'use', 'lo'], 'local'],
    [['context', 'use', '$(touch made)'], ''],
  ])('completes %j', async (words, expected) => {
    expect(await candidates(...words)).toBe(expected);
  });

  test('is registered, and speaks for itself where nothing fits', async () => {
    const { stdout } = await run('bash', ['-c', 'source <(leasequeue completion bash); complete -p leasequeue'], { env });
    expect(stdout).toBe('complete -o bashdefault -o default -F _leasequeue leasequeue\n');
  });
});

describe.each(['zsh', 'fish', 'pwsh'])('the script for %s', (shell) => {
  test.runIf(isInstalled(shell))('is one that the shell can read', async () => {
    const name = shell === 'pwsh' ? 'powershell' : shell;
    const { stdout: script } = await leasequeue(['completion', name], { env });
    const words = { zsh: ['-n', '/dev/stdin'], fish: ['--no-execute', '/dev/stdin'], pwsh: ['-NoProfile', '-Command', '-'] }[shell] ?? [];
    const { status, stderr } = spawnSync(shell, words, { input: script, encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
  });

  test.skipIf(isInstalled(shell))(`DID NOT RUN: ${shell} is not installed`, () => {});
});

test('the scripts are printed by the command, and another shell is refused', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) expect((await leasequeue(['completion', shell])).stdout).toContain('leasequeue __complete');
  expect(await leasequeue(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/bash, zsh, fish, powershell/) as unknown });
});
