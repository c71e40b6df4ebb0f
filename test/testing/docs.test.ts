/** The examples of the page about testing, run as they stand there. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/store.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const page = readFileSync(pathOf('docs/testing.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```/gm)].map(([, name = '', text = '']) => ({ name, text }));
const tests = examples.map(({ name }) => name).filter((name) => name.endsWith('.test.ts'));

/** The package's names stand for its sources. */
function local(text: string): string {
  return text.replaceAll(/'leasequeue\/(\w+)'/g, (_name, entry: string) => `'${pathOf(`src/${entry}/index.ts`)}'`);
}

function run(args: readonly string[]): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
  return { status, printed: stdout + stderr };
}

describe('the page about testing', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    symlinkSync(pathOf('node_modules'), folder.file('node_modules'));
    writeFileSync(folder.file('package.json'), '{ "type": "module" }');
    writeFileSync(folder.file('tsconfig.json'), JSON.stringify({ extends: pathOf('tsconfig.json'), include: ['*.ts'] }));
    for (const { name, text } of examples) writeFileSync(folder.file(name), local(text));
  });
  afterAll(() => folder[Symbol.dispose]());

  test('has examples', () => {
    expect(tests).toEqual(['first.test.ts', 'long.test.ts', 'worker.test.ts', 'faults.test.ts']);
    expect(page.match(/^```ts/gm)).toHaveLength(examples.length);
  });

  test('has examples whose types are right', { timeout: 60_000 }, () => {
    expect(run([pathOf('node_modules/typescript/bin/tsc'), '--project', folder.path])).toEqual({ status: 0, printed: '' });
  });

  test.each(tests)('has an example %s that passes as written', (name) => {
    const { status, printed } = run(['--test', '--test-reporter=tap', folder.file(name)]);
    expect(printed).toContain('# fail 0');
    expect(status).toBe(0);
  });
});
