/** Client commands start quickly: what they load is looked at import by import and in the running process, and has nothing of the server in it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runsServer, SERVER_NODE_MAJOR_MIN } from '../../src/cli/node-version.ts';
import { NOUNS } from '../../src/cli/nouns.ts';
import { leasequeue } from '../support/command.ts';
import { fullName, leavesOf, wholeProgram } from '../../schema/command-tree.ts';
import { readSources } from '../support/source.ts';
import { temporaryFolder } from '../support/store.ts';

const HEAVY = ['kysely', 'better-sqlite3', 'graphql', 'zod'];
/** What reaches the server's rules on purpose, when it is asked for. */
const ON_DEMAND = ['src/cli/server-settings.ts'];

const files = new Map(readSources('src').map((file) => [file.path, file]));

interface Loaded {
  readonly packages: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** Everything that these files load, at once or later, the commands of other nouns and what is on demand aside. */
function loadedBy(...entries: readonly string[]): Loaded {
  const [packages, paths] = [new Set<string>(), new Set<string>()];
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (paths.has(path) || ON_DEMAND.includes(path) || (path.startsWith('src/cli/commands/') && !entries.includes(path))) continue;
    paths.add(path);
    for (const { specifier, values } of files.get(path)?.imports ?? []) {
      if (values.length === 0) continue;
      if (specifier.startsWith('.')) open.push(posix.join(posix.dirname(path), specifier));
      else packages.add(specifier);
    }
  }
  return { packages, paths };
}

/** The module that a noun is loaded from, as the source of its definition says. */
function moduleOf(noun: string): string {
  const nouns = files.get('src/cli/nouns.ts')?.text ?? '';
  const [, name = ''] = new RegExp(`\\b${noun}: \\{[^}]*import\\('\\./(commands/[\\w-]+\\.ts)'\\)`).exec(nouns) ?? [];
  return `src/cli/${name}`;
}

const nounsOf = (kind: string): readonly string[] => Object.keys(NOUNS).filter((noun) => NOUNS[noun]?.kind === kind);

test('what loads the server needs the newer Node', () => {
  expect(['22.12.0', '23.11.1', `${SERVER_NODE_MAJOR_MIN}.0.0`, '26.0.0'].map(runsServer)).toEqual([false, false, true, true]);
});

describe('a client command loads nothing of the server', () => {
  test.each(nounsOf('client'))('%s', (noun) => {
    expect(files.has(moduleOf(noun))).toBe(true);
    const { packages, paths } = loadedBy('src/cli/main.ts', moduleOf(noun));
    expect([...packages].filter((name) => HEAVY.some((heavy) => name === heavy || name.startsWith(`${heavy}/`)))).toEqual([]);
    expect([...paths].filter((path) => /^src\/(server|store|graphql|feed)\//.test(path))).toEqual([]);
  });

  test('and the look would see it: a command that opens the database loads it', () => {
    expect(nounsOf('server')).toContain('keys');
    expect([...loadedBy('src/cli/main.ts', moduleOf('keys')).packages]).toEqual(expect.arrayContaining(['kysely', 'better-sqlite3', 'zod']));
  });
});

describe('in the running process, packages of packages included, nothing of the server is loaded by', () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  const hook = folder.file('note-modules.mjs');
  const notes = folder.file('modules');
  const NOTE = `import { registerHooks } from 'node:module';
    import { appendFileSync } from 'node:fs';
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(notes)}, url + '\\n'); return next(url, context); } });`;
  writeFileSync(hook, NOTE);

  async function modulesOf(words: readonly string[]): Promise<readonly string[]> {
    writeFileSync(notes, '');
    const { code } = await leasequeue(words, { env: { NODE_OPTIONS: `--import ${hook}` } });
    expect([code, existsSync(notes)]).toEqual([0, true]);
    return readFileSync(notes, 'utf8').split('\n');
  }
  const packagesIn = (urls: readonly string[]): readonly string[] => urls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '');

  const nouns = nounsOf('client');
  const helps = wholeProgram().then((program) => leavesOf(program).map(fullName));
  test('the help of any client command', async () => {
    for (const name of (await helps).filter((each) => nouns.includes(each.split(' ')[0] ?? ''))) {
      const packages = packagesIn(await modulesOf([...name.split(' '), '--help']));
      expect([name, packages.includes('commander'), HEAVY.filter((heavy) => packages.includes(heavy))]).toEqual([name, true, []]);
    }
  });

  test.each([
    [['context', 'list']],
    [['completion', 'bash']],
    [['__complete', '--', 'context', 'use', '']],
    [['__complete', '--', 'keys', 'create', '--queues', '']],
  ])('%j', async (words) => {
    const packages = packagesIn(await modulesOf(words));
    expect(HEAVY.filter((heavy) => packages.includes(heavy))).toEqual([]);
  });

  test('and it would be seen: the settings of the server are checked with zod', async () => {
    expect(packagesIn(await modulesOf(['config', 'show']))).toContain('zod');
  });
});
