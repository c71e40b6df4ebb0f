/** The package in the hands of somebody who has nothing but it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { goOn } from '../support/manual-clock.ts';
import { type BuiltPackage, buildPackage, importGraph, writeFiles } from '../support/built-package.ts';

let built: BuiltPackage;
beforeAll(() => {
  built = buildPackage();
}, 120_000);
afterAll(() => built[Symbol.dispose]());

const USES = `
import { defineTask, isFailure, LeaseQueue, LeaseQueueError, unwrap, type FollowedEvent, type StandardSchema } from 'leasequeue/client';

const input: StandardSchema<{ name: string }> = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value: value as { name: string } }) } };
const greet = defineTask({ name: 'greet', input });
const lq = new LeaseQueue({ url: process.argv[2] ?? '' });
const { job } = await lq.submit(greet, { name: 'Ada' });
const result = await lq.cancelJob({ id: job.id });
const cancelled: 'CancelJobSuccess' = unwrap(result).__typename;
const kinds: FollowedEvent['kind'][] = [];
for await (const { kind } of lq.events({ after: (await lq.eventPage({ first: 1 })).nodes[0]?.cursor ?? '' })) if (kinds.push(kind) === 1) break;
console.log(cancelled, isFailure(result), kinds.join(), LeaseQueueError.name);
`;
const COMPILER = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };

function entryOf(name: string): string {
  const { exports } = JSON.parse(readFileSync(join(built.path, 'package.json'), 'utf8')) as { exports: Record<string, { readonly default: string }> };
  return exports[name]?.default ?? '';
}

describe('leasequeue/client', () => {
  test.each([
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext', types: [] }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }],
  ])('has types that hold by themselves where modules are resolved as %s', (name, options) => {
    writeFiles(built.project, {
      [`${name}.ts`]: `declare const process: { readonly argv: readonly string[] };\n${USES}`,
      [`tsconfig.${name}.json`]: JSON.stringify({ compilerOptions: { lib: ['es2022', 'dom'], ...COMPILER, ...options }, files: [`${name}.ts`] }),
    });
    expect(built.tsc('--project', `tsconfig.${name}.json`)).toBe('');
  });

  test('runs', async () => {
    await using server = await startApp();
    using _ = goOn(server.clock);
    writeFiles(built.project, { 'uses.ts': USES });
    const { stdout } = await promisify(execFile)(process.execPath, ['uses.ts', server.url], { cwd: built.project });
    expect(stdout.trim()).toBe('CancelJobSuccess false CANCELLED LeaseQueueError');
  });

  test('needs no package and nothing of Node', () => {
    const { files, foreign } = importGraph(built.path, entryOf('./client'));
    expect(foreign).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});

test('a bundle for a browser finds what stands in place of files that only Node has a use for', () => {
  const { browser } = JSON.parse(readFileSync(join(built.path, 'package.json'), 'utf8')) as { browser: Record<string, string> };
  const paths = Object.entries(browser).flat();
  const inPackage = paths.filter((path) => path.startsWith('./dist/'));
  expect(inPackage.map((path) => existsSync(join(built.path, path)))).toEqual([true, true]);
  // The same for this repository's own bundles.
  expect(paths.filter((path) => path.startsWith('./src/')).map((path) => path.replace('./src/', './dist/').replace(/ts$/, 'js'))).toEqual(inPackage);
});

test('the workers’ entry needs no package and nothing of Node either', () => {
  expect(importGraph(built.path, entryOf('./worker')).foreign).toEqual([]);
});

test('nothing else of the package can be imported, and no test or source is in it', () => {
  writeFiles(built.project, { 'inner.mjs': "await import('leasequeue/dist/client/caller.js');" });
  expect(() => built.run(process.execPath, 'inner.mjs')).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
  expect(
    built
      .run(
        process.execPath,
        '--input-type=module',
        '-e',
        "import('leasequeue/package.json', { with: { type: 'json' } }).then((p) => console.log(p.default.name))",
      )
      .trim(),
  ).toBe('leasequeue');
  expect(existsSync(join(built.path, 'src')) || existsSync(join(built.path, 'test'))).toBe(false);
});
