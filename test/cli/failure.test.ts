/** How commands end where something is wrong: one line, with what to do, and the exit code that the table says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { explainedFailure } from '../../src/cli/client-failure.ts';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/failure.ts';
import { type ErrorFacts, LeaseQueueError } from '../../src/client/errors.ts';
import { leasequeue } from '../support/command.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

test('every exit code has a meaning, on the page of commands and in the documentation', () => {
  expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  expect(Object.values(EXIT)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 130, 143]);
  const pages = ['schema/commands.md', 'docs/cli.md'].map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  for (const [name, code] of Object.entries(EXIT)) expect(pages[0]).toContain(`| ${code} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`);
  for (const code of Object.values(EXIT)) expect(pages[1]).toMatch(new RegExp(`^\\|.*\\b${code}\\b`, 'm'));
});

test.each<[Partial<ErrorFacts>, number, string]>([
  [{ code: 'JOB_NOT_FOUND', message: 'no such job' }, 3, 'no such job'],
  [{ code: 'FORBIDDEN', message: 'no' }, 4, 'no'],
  [{ code: 'LEASE_LOST', message: 'lost' }, 5, 'lost'],
  [{ code: 'UNREACHABLE', message: 'gone' }, 6, 'gone'],
  [{ code: 'INTERNAL_SERVER_ERROR', message: 'masked', isOutcomeUnknown: true, requestId: 'r1' }, 6, "masked The server's log has it as r1."],
  [{ code: 'BAD_USER_INPUT', message: 'wrong', issues: [{ path: ['jobs', 0], message: 'too long' }] }, 2, 'wrong\njobs.0: too long'],
])('an error of the client %j ends the command with %d', (facts, exitCode, message) => {
  expect(explainedFailure(new LeaseQueueError(facts as ErrorFacts))).toMatchObject({ name: 'CommandFailure', exitCode, message });
  const other = new Error('other');
  expect(explainedFailure(other)).toBe(other);
});

describe('an error', () => {
  // A file where the folder should be.
  const env = { XDG_CONFIG_HOME: folder.file('home') };
  mkdirSync(env.XDG_CONFIG_HOME);
  writeFileSync(`${env.XDG_CONFIG_HOME}/leasequeue`, '');
  const words = ['context', 'set', 'a', '--url', 'http://127.0.0.1:9'];

  test('is one line, without a stack', async () => {
    const { code, stdout, stderr } = await leasequeue(words, { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*contexts\.json cannot be written: .*It is as it was\.\n$/);
  });

  test('has its stack where the log level is debug', async () => {
    const { stderr } = await leasequeue(words, { env: { ...env, LEASEQUEUE_LOG_LEVEL: 'debug' } });
    expect(stderr).toMatch(/^error: .*\n.*CommandFailure.*\n {4}at /);
  });

  test('of what does not exist is wrong usage, also with a flag for help', async () => {
    for (const asked of [['kyes'], ['help', 'kyes'], ['kyes', '--help']]) {
      expect(await leasequeue(asked)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/unknown command 'kyes'.*keys/s) as unknown });
    }
  });

  test('says nothing to the terminal that it repeats', async () => {
    const { code, stderr } = await leasequeue(['context', 'show', 'a\x1b[31m\u009b1m']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^[\x20-\x7e]+\n$/);
    expect((await leasequeue(['--\x1b[31m'])).stderr).not.toContain('\x1b');
  });

  test('of a key on the command line does not repeat it; what is another program’s own is not looked at', async () => {
    expect(await leasequeue(['context', 'list', '--api-key', 'lq_s3cret'])).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('s3cret') as unknown,
    });
    expect(await leasequeue(['__complete', '--', 'x', '--api-key', 'y'])).toMatchObject({ code: 0 });
  });
});
