/** How long the compiled command takes to start, beside Node alone. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** Where the packages are found, and nobody looks. */
const place = join(root, 'node_modules/.cache/leasequeue-start-up');
const main = join(place, 'dist/cli/main.js');
const ROUNDS = 15;

beforeAll(() => {
  mkdirSync(place, { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', join(root, 'tsconfig.build.json'), '--outDir', join(place, 'dist')]);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function msOf(words: readonly string[]): number {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, words, { env: { NODE_COMPILE_CACHE: join(place, 'cache'), XDG_CONFIG_HOME: place } });
  expect(status).toBe(0);
  return performance.now() - startMs;
}

test.each([
  ['--version', 2],
  ['--help', 2],
  // The parser is loaded too, and the machine may be busy: one module of the server would cost more.
  ['context list', 2.5],
])('%s takes at most %d times as long as Node alone', (line, ratioMax) => {
  // Side by side, and the best of each: what else the machine does makes only some of them slow.
  const rounds = Array.from({ length: ROUNDS }, () => ({ bare: msOf(['-e', '0']), ours: msOf([main, ...line.split(' ')]) }));
  const bare = Math.min(...rounds.map((round) => round.bare));
  const ours = Math.min(...rounds.map((round) => round.ours));
  expect(ours / bare, `${ours.toFixed(1)} ms beside ${bare.toFixed(1)} ms`).toBeLessThanOrEqual(ratioMax);
});
