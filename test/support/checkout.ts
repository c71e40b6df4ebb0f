/** The project as somebody has just got it: its files without what a developer has built, and what `npm ci` brings. */
import { cpSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = ['src', 'schema', 'examples', 'deploy', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'vite.config.ts'];
const NOT_OF_THE_PROJECT = /\/(?:out|__pycache__)$/;

export function checkOut(folder: string): void {
  for (const name of NAMES) cpSync(`${root}${name}`, `${folder}/${name}`, { recursive: true, filter: (path) => !NOT_OF_THE_PROJECT.test(path) });
  symlinkSync(`${root}node_modules`, `${folder}/node_modules`);
}
