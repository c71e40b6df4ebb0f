/**
 * Builds the console where what it is made from is newer than what was built, which takes a second; else it takes none. So that
 * `npm start`, the demo and the tests have it in a fresh clone. Where Vite, a development dependency, is not installed, it says so.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'dist/console/index.html');
/** Folders count as well: where a file went, nothing else is newer. */
const SOURCES = ['src/console', 'src/client', 'src/domain', 'src/runtime', 'vite.config.ts', 'package.json', 'package-lock.json'].map((name) =>
  join(root, name),
);

/** When the path, or anything below it, was changed last. */
function changedAtMs(path) {
  const status = statSync(path);
  return Math.max(status.mtimeMs, ...(status.isDirectory() ? readdirSync(path).map((name) => changedAtMs(join(path, name))) : []));
}

function isOlder() {
  return !existsSync(page) || SOURCES.filter(existsSync).some((source) => changedAtMs(source) > statSync(page).mtimeMs);
}

async function loadVite() {
  try {
    return await import('vite');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('The console is not built: Vite, a development dependency, is not installed. `npm ci` brings it.\n');
    return null;
  }
}

if (isOlder()) {
  const vite = await loadVite();
  await vite?.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
}
