/** Which server a client command asks, and as whom: what goes before what, and what is refused. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConnection } from '../../src/cli/connection.ts';
import { type Context, contextsPath, writeContexts } from '../../src/cli/contexts.ts';
import { CommandFailure } from '../../src/cli/failure.ts';
import { settingsFolder } from '../../src/cli/settings-folder.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let files = 0;
function keyFile(text: string, mode = 0o600): string {
  const path = folder.file(`${(files += 1)}.key`);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}

/** An environment whose file of contexts holds these. */
function withContexts(contexts: Readonly<Record<string, Context>>, current: string | null = null): Record<string, string> {
  const env = { XDG_CONFIG_HOME: folder.file(`home ${(files += 1)}`) };
  writeContexts({ current, byName: new Map(Object.entries(contexts)) }, env);
  return env;
}
const nowhere = { XDG_CONFIG_HOME: folder.file('nothing') };

function failureOf(read: () => unknown): { readonly message: string; readonly exitCode: number } {
  try {
    read();
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('each value comes from the first that has one', () => {
  const keyFiles = { flag: keyFile('of-flag\n'), variable: keyFile('of-variable\r\n'), context: keyFile('of-context') };
  const home = withContexts({ a: { url: 'http://a', tenant: 'ta', apiKeyFile: keyFiles.context }, b: { url: 'http://b' } }, 'a');
  const variables = { ...home, LEASEQUEUE_URL: 'http://v:1/', LEASEQUEUE_TENANT: 'tv', LEASEQUEUE_API_KEY_FILE: keyFiles.variable };

  test('a flag', () => {
    const found = readConnection({ url: 'https://f/base/', tenant: 'tf', apiKeyFile: keyFiles.flag }, variables);
    expect(found).toMatchObject({ url: 'https://f/base', tenant: 'tf', apiKey: 'of-flag' });
    expect(found.origins).toMatchObject({ url: 'flag --url', tenant: 'flag --tenant', apiKey: 'flag --api-key-file' });
  });

  test('then a variable', () => {
    const found = readConnection({}, variables);
    expect(found).toMatchObject({ url: 'http://v:1', tenant: 'tv', apiKey: 'of-variable', context: 'a' });
    expect(found.origins).toMatchObject({ url: 'variable LEASEQUEUE_URL', tenant: 'variable LEASEQUEUE_TENANT', apiKey: 'variable LEASEQUEUE_API_KEY_FILE' });
    expect(readConnection({}, { ...home, LEASEQUEUE_API_KEY: 'itself' }).apiKey).toBe('itself');
  });

  test('then the context: the one that a flag names, or a variable, or the one in use', () => {
    expect(readConnection({}, home)).toMatchObject({ url: 'http://a', tenant: 'ta', apiKey: 'of-context', origins: { url: 'context a', context: 'default' } });
    const b = { url: 'http://b', tenant: null, apiKey: null };
    expect(readConnection({}, { ...home, LEASEQUEUE_CONTEXT: 'b' })).toMatchObject({ ...b, origins: { context: 'variable LEASEQUEUE_CONTEXT' } });
    expect(readConnection({ context: 'b' }, { ...home, LEASEQUEUE_CONTEXT: 'a' })).toMatchObject({ ...b, origins: { context: 'flag --context' } });
  });

  test.each(['http://x', 'http://x/', 'http://x/graphql', 'http://x/graphql/'])('an address is the same with and without what the server adds: %s', (url) => {
    expect(readConnection({ url }, nowhere).url).toBe('http://x');
  });

  test('then the default', () => {
    expect(readConnection({}, nowhere)).toEqual({
      url: 'http://127.0.0.1:8000',
      tenant: null,
      apiKey: null,
      context: null,
      origins: { url: 'default', tenant: 'none', apiKey: 'none', context: 'none' },
      notes: [],
    });
  });

  test('but the key of a context goes to no other server than its own, and a note says so', () => {
    const found = readConnection({ url: 'http://other' }, home);
    expect([found.apiKey, found.origins.apiKey, found.notes]).toEqual([
      null,
      'none',
      [expect.stringMatching(/key of the context a is not sent to http:\/\/other/)],
    ]);
    expect(readConnection({ url: 'http://a/' }, home)).toMatchObject({ apiKey: 'of-context', notes: [] });
    expect(readConnection({ url: 'http://other', apiKeyFile: keyFiles.flag }, home)).toMatchObject({ apiKey: 'of-flag', notes: [] });
  });
});

describe('what is refused, with the name of who said it', () => {
  test.each([
    [{ url: 'ftp://x' }, /--url/],
    [{ url: 'localhost:8000' }, /--url/],
    [{ url: 'http://user:s3cret@x' }, /--url.*without a user/],
    [{ url: 'http://x/?key=s3cret' }, /--url/],
    [{ url: '' }, /--url is empty/],
    [{ tenant: 'A_B' }, /--tenant/],
  ])('a flag %j, with 2', (flags, message) => {
    const failure = failureOf(() => readConnection(flags, nowhere));
    expect([failure.exitCode, failure.message]).toEqual([2, expect.stringMatching(message)]);
    expect(failure.message).not.toContain('s3cret');
  });

  test.each([
    [{ LEASEQUEUE_URL: 'http://user:s3cret@x' }, /LEASEQUEUE_URL/],
    [{ LEASEQUEUE_TENANT: '' }, /LEASEQUEUE_TENANT is empty/],
    [{ LEASEQUEUE_API_KEY: 's3cret key' }, /LEASEQUEUE_API_KEY does not hold/],
    [{ LEASEQUEUE_API_KEY: 's3cret', LEASEQUEUE_API_KEY_FILE: 'x' }, /both set/],
    [{ LEASEQUEUE_API_KEY_FILE: folder.file('none') }, /LEASEQUEUE_API_KEY_FILE.*cannot be read.*ENOENT/],
  ])('a variable %j, with 1', (variables, message) => {
    const failure = failureOf(() => readConnection({}, { ...nowhere, ...variables }));
    expect([failure.exitCode, failure.message]).toEqual([1, expect.stringMatching(message)]);
    expect(failure.message).not.toContain('s3cret');
  });

  test('a context that is not there, with 3', () => {
    expect(failureOf(() => readConnection({ context: 'x' }, nowhere))).toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/"x" \(flag --context\)/) as unknown,
    });
  });

  test.each(['', '[]', '{"contexts":{"a":1}}', '{"contexts":{"../a":{}}}', '{"current":1}', '{"contexts":{"a":{"url":1}}}'])(
    'a file of contexts that is none: %s',
    (text) => {
      const env = withContexts({});
      writeFileSync(contextsPath(env), text);
      expect(failureOf(() => readConnection({}, env))).toMatchObject({ exitCode: 1, message: expect.stringContaining(contextsPath(env)) as unknown });
    },
  );
});

describe('the file of a key', () => {
  const read = (apiKeyFile: string) => readConnection({ apiKeyFile }, nowhere);

  test.each([0o644, 0o640, 0o604, 0o660])('that others may read, with mode %o, is refused with the command that helps', (mode) => {
    const path = keyFile('s3cret\n', mode);
    expect(failureOf(() => read(path)).message).toMatch(new RegExp(`chmod 600 ${path}$`));
  });

  test.each(['', '\n', 'one\ntwo\n', 's3cret with blanks', 's3cret\n\n', 's3crét'])('that holds %j is refused without a word of it', (text) => {
    expect(failureOf(() => read(keyFile(text))).message).toMatch(/holds nothing|alone in one line/);
  });

  test('that is a folder or a pipe is refused at once', () => {
    mkdirSync(folder.file('folder'), { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', folder.file('pipe')]);
    for (const name of ['folder', 'pipe']) expect(failureOf(() => read(folder.file(name))).message).toMatch(/is not a regular file/);
  });
});

test('the folder is that of the platform, and a relative one in the environment counts as none', () => {
  expect(settingsFolder({ XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/leasequeue');
  expect(settingsFolder({ XDG_CONFIG_HOME: 'x' }, 'linux')).toBe(settingsFolder({}, 'linux'));
  expect(settingsFolder({}, 'linux')).toMatch(/\/\.config\/leasequeue$/);
  expect(settingsFolder({ APPDATA: join('C:', 'x') }, 'win32')).toBe(join('C:', 'x', 'leasequeue'));
});
