/** Client commands start quickly: what they load is looked at import by import, and has nothing of the server in it. */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NOUNS } from '../../src/cli/program.ts';
import { readSources } from '../support/source.ts';

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
  const program = files.get('src/cli/program.ts')?.text ?? '';
  const [, name = ''] = new RegExp(`\\b${noun}: \\{[^}]*import\\('\\./(commands/[\\w-]+\\.ts)'\\)`).exec(program) ?? [];
  return `src/cli/${name}`;
}

const nounsOf = (kind: string): readonly string[] => Object.keys(NOUNS).filter((noun) => NOUNS[noun]?.kind === kind);

describe('a client command loads nothing of the server', () => {
  test.each(nounsOf('client'))('%s', (noun) => {
    expect(files.has(moduleOf(noun))).toBe(true);
    const { packages, paths } = loadedBy('src/cli/main.ts', moduleOf(noun));
    expect([...packages].filter((name) => HEAVY.some((heavy) => name === heavy || name.startsWith(`${heavy}/`)))).toEqual([]);
    expect([...paths].filter((path) => /^src\/(server|store|graphql|feed)\//.test(path))).toEqual([]);
  });

  test('and the look would see it: a command that opens the database loads it', () => {
    expect(nounsOf('database')).toContain('keys');
    expect([...loadedBy('src/cli/main.ts', moduleOf('keys')).packages]).toEqual(expect.arrayContaining(['kysely', 'better-sqlite3', 'zod']));
  });
});
