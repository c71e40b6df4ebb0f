/** The page about the client and the worker: each of its programs compiles, and those that end by themselves run as written. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltPackage, buildPackage, writeFiles } from '../support/built-package.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/sdk.md', root), 'utf8');
const PROGRAM = /^```ts\n([^]*?)^```$/gm;
const programs = [...page.matchAll(PROGRAM)].map(([, text = ''], index) => ({ name: `snippet-${index + 1}.ts`, text }));
const started = programs.filter(({ text }) => !text.includes('export '));
/** Of the tour, whose worker works until it is stopped. */
const tour = [...readFileSync(new URL('README.md', root), 'utf8').matchAll(PROGRAM)].map(([, text = ''], index) => ({ name: `readme-${index + 1}.ts`, text }));
const all = [...programs, ...tour];

describe('docs/sdk.md', () => {
  const folder = temporaryFolder();
  let built: BuiltPackage;
  let server: ServerProcess;
  beforeAll(async () => {
    built = buildPackage();
    writeFiles(built.project, Object.fromEntries(all.map(({ name, text }) => [name, text])));
    for (const name of ['zod', '@types', 'undici-types'])
      symlinkSync(fileURLToPath(new URL(`node_modules/${name}`, root)), `${built.project}/node_modules/${name}`);
    server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
  }, 120_000);
  afterAll(async () => {
    await server.end('SIGTERM');
    built[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  test('has programs that compile', () => {
    const compilerOptions = {
      target: 'es2024',
      lib: ['es2024', 'dom'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
    };
    writeFiles(built.project, { 'tsconfig.json': JSON.stringify({ compilerOptions, files: all.map(({ name }) => name) }) });
    expect(programs.length).toBeGreaterThan(5);
    expect(built.tsc('--project', 'tsconfig.json')).toBe('');
  });

  test.each(started)('$name runs to its end', async ({ name }) => {
    const env = { PATH: process.env['PATH'] ?? '', LEASEQUEUE_URL: server.url };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], { cwd: built.project, env });
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  });
});
