/** Builds the console once before the tests, where it is not built or older than its sources. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../deploy/console-if-older.mjs', import.meta.url))], { stdio: 'inherit' });
}
