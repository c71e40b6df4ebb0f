/** `leasequeue context` and `leasequeue config` as a person calls them. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandOptions, documentOf, leasequeue } from '../support/command.ts';
import { temporaryFolder } from '../support/store.ts';

const KEY = 'lq_acme_s3cret';
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let homes = 0;
function atHome() {
  const home = folder.file(`home${(homes += 1)}`);
  const run = (line: string, { env = {}, ...options }: CommandOptions = {}) =>
    leasequeue(line.split(' '), { env: { XDG_CONFIG_HOME: home, ...env }, cwd: folder.path, ...options });
  return { home, file: (name: string) => `${home}/leasequeue/${name}`, run };
}

function keyFile(name: string, mode = 0o600): string {
  writeFileSync(folder.file(name), `${KEY}\n`);
  chmodSync(folder.file(name), mode);
  return folder.file(name);
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a context', () => {
  test('is set, shown, used and removed, in files that are their owner’s alone', async () => {
    const { home, file, run } = atHome();
    expect(await run('context list')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/no contexts/) as unknown });
    keyFile('prod.key');
    expect(await run('context set prod --url https://jobs.example.com/ --tenant acme --api-key-file prod.key')).toMatchObject({ code: 0, stdout: '' });
    expect([modeOf(`${home}/leasequeue`), modeOf(file('contexts.json')), readdirSync(`${home}/leasequeue`)]).toEqual(['700', '600', ['contexts.json']]);
    await run('context set staging --url http://127.0.0.1:9');
    expect((await run('context use prod')).stderr).toMatch(/ask https:\/\/jobs\.example\.com from now on/);
    const prod = { name: 'prod', current: true, url: 'https://jobs.example.com', tenant: 'acme', apiKeyFile: folder.file('prod.key') };
    expect(documentOf(await run('context list --json'))).toEqual({
      contexts: [prod, { name: 'staging', current: false, url: 'http://127.0.0.1:9', tenant: null, apiKeyFile: null }],
    });
    expect(documentOf(await run('context show --json'))).toEqual({ context: prod });
    expect((await run('context show staging')).stdout).toMatch(/ NAME .*\n +staging {2}http:\/\/127\.0\.0\.1:9 {2}- +-\n$/);
    expect(await run('context remove prod')).toMatchObject({ code: 0, stderr: expect.stringMatching(/None is in use now/) as unknown });
    expect([(await run('context show')).code, (await run('context show prod')).code, existsSync(folder.file('prod.key'))]).toEqual([3, 3, true]);
  });

  test('stores a key that comes by standard input in a file of mode 600, shows it nowhere, and takes it along when it goes', async () => {
    const { file, run } = atHome();
    const made = await run('context set prod --url http://127.0.0.1:9 --api-key-stdin', { input: `${KEY}\n` });
    const printed = [made, await run('context show prod'), await run('context list --json'), await run('config show --context prod --origin')];
    expect([modeOf(file('prod.key')), readFileSync(file('prod.key'), 'utf8')]).toEqual(['600', `${KEY}\n`]);
    expect(printed.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(printed.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('s3cret');
    expect(printed[3]?.stdout).toMatch(/apiKey +\(set\) +context prod\n/);
    await run('context set prod --no-key');
    expect(existsSync(file('prod.key'))).toBe(false);
    await run('context set prod --api-key-stdin', { input: KEY });
    await run('context remove prod');
    expect(existsSync(file('prod.key'))).toBe(false);
  });

  test('keeps what is not changed of it', async () => {
    const { run } = atHome();
    await run('context set a --url http://127.0.0.1:9 --tenant acme');
    await run('context set a --no-tenant');
    await run(`context set a --api-key-file ${keyFile('a.key')}`);
    expect(documentOf(await run('context show a --json'))).toMatchObject({
      context: { url: 'http://127.0.0.1:9', tenant: null, apiKeyFile: folder.file('a.key') },
    });
  });

  test.each([
    ['context set Prod --url http://x', 2, /small letter or digit/],
    ['context set ../x --url http://x', 2, /small letter or digit/],
    ['context set a', 2, /say what to set/],
    ['context set a --url x', 2, /http:\/\/ or https:\/\//],
    ['context set a --api-key-file open.key', 1, /chmod 600 open\.key/],
    ['context set a --api-key-stdin', 1, /standard input holds nothing/],
    ['context set a --api-key lq_s3cret', 2, /never given as a flag.*--api-key-file.*LEASEQUEUE_API_KEY/],
    ['config show --api-key=lq_s3cret', 2, /never given as a flag/],
    ['context use a', 3, /no context "a"/],
    ['context remove a', 3, /no context "a"/],
  ])('is refused, and nothing is written: %s', async (line, code, message) => {
    const { home, run } = atHome();
    keyFile('open.key', 0o644);
    const result = await run(line);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as unknown });
    expect([result.stderr.includes('s3cret'), existsSync(home)]).toEqual([false, false]);
  });
});

describe('config show', () => {
  test('names every setting with where it comes from', async () => {
    const { run } = atHome();
    const env = { LEASEQUEUE_TENANT: 'acme', LEASEQUEUE_API_KEY: KEY, LEASEQUEUE_PORT: '9000' };
    const { code, stdout, stderr } = await run('config show --url http://127.0.0.1:9000 --origin', { env });
    expect([code, stderr, stdout.includes('s3cret')]).toEqual([0, '', false]);
    for (const line of [
      /^url +http:\/\/127\.0\.0\.1:9000 +flag --url$/m,
      /^tenant +acme +variable LEASEQUEUE_TENANT$/m,
      /^apiKey +\(set\) +variable LEASEQUEUE_API_KEY$/m,
      /^LEASEQUEUE_PORT +9000 +variable LEASEQUEUE_PORT$/m,
      /^LEASEQUEUE_HOST +127\.0\.0\.1 +default$/m,
    ])
      expect(stdout).toMatch(line);
  });

  test('names what is wrong, without values that may be secrets, and ends with 1', async () => {
    const { run } = atHome();
    const env = { LEASEQUEUE_PROT: '1', LEASEQUEUE_DATABASE_PATH: 'postgres://u:s3cret@h/d', LEASEQUEUE_URL: 'http://u:s3cret@h' };
    const result = await run('config show --json', { env });
    const shown = documentOf(result) as { server: Record<string, unknown>; problems: readonly string[] };
    expect([result.code, (result.stdout + result.stderr).includes('s3cret')]).toEqual([1, false]);
    expect(shown.problems).toMatchObject(
      [/LEASEQUEUE_URL/, /LEASEQUEUE_PROT .*LEASEQUEUE_PORT/, /LEASEQUEUE_DATABASE_PATH/].map((part) => expect.stringMatching(part)),
    );
    expect(shown.server['LEASEQUEUE_DATABASE_PATH']).toEqual({ value: '(wrong)', origin: 'variable LEASEQUEUE_DATABASE_PATH' });
    expect(result.stderr).toMatch(/^error: some settings are wrong.*\n.*LEASEQUEUE_URL.*\n.*LEASEQUEUE_PROT/);
  });
});
