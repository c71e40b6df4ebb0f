/** `leasequeue` as a program in a folder that a test puts on its PATH, so that a line of a shell can call it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The real command, or another script with the words behind it. */
export function commandShim(folder: string, script = MAIN): void {
  writeFileSync(join(folder, 'leasequeue'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
}
