/** What a browser has to load, as it goes over the wire: console.md's figures are promises. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ASSETS, assetContent, PAGE } from '../support/built-files.ts';

const KILOBYTE = 1_000;

const gzippedBytes = (names: readonly string[]): number => names.reduce((sum, name) => sum + gzipSync(assetContent(name), { level: 9 }).length, 0);
const ending = (suffix: string): readonly string[] => ASSETS.filter((name) => name.endsWith(suffix));
/** What the page itself asks for: its script, and what that needs before it can begin. */
const loadedFirst = ASSETS.filter((name) => PAGE.includes(`assets/${name}"`));

test('the first screen needs at most 60 kB of JavaScript', () => {
  const scripts = loadedFirst.filter((name) => name.endsWith('.js'));
  expect(scripts).not.toEqual([]);
  expect(gzippedBytes(scripts)).toBeLessThanOrEqual(60 * KILOBYTE);
});

test('all screens together need at most 110 kB of JavaScript', () => {
  expect(gzippedBytes(ending('.js'))).toBeLessThanOrEqual(110 * KILOBYTE);
});

test('all styles together are at most 12 kB', () => {
  expect(ending('.css')).not.toEqual([]);
  expect(gzippedBytes(ending('.css'))).toBeLessThanOrEqual(12 * KILOBYTE);
});

test('every file has its content in its name, so that a browser may keep it for ever', () => {
  expect(ASSETS.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
});
