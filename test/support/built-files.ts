/** What the build of the console has made, as it lies on the disk. */
import { readdirSync, readFileSync } from 'node:fs';

const BUILT = new URL('../../dist/console/', import.meta.url);

export const PAGE = readFileSync(new URL('index.html', BUILT), 'utf8');
/** Without the compressed forms. */
export const ASSETS: readonly string[] = readdirSync(new URL('assets/', BUILT)).filter((name) => !/\.(br|gz)$/.test(name));

export function assetContent(name: string): Buffer {
  return readFileSync(new URL(`assets/${name}`, BUILT));
}
