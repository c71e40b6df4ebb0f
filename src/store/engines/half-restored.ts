/** The note beside a database while its files change places. Who finds it knows that the change was interrupted. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnusable } from './engine.ts';
import { syncFile, syncFolder } from './file-sync.ts';

const noteOf = (path: string): string => `${path}-restore`;

/** Durable before anything is moved. `aside`: where the old files go. */
export function noteRestore(path: string, aside: string): void {
  writeFileSync(noteOf(path), `${aside}\n`, { mode: 0o600 });
  syncFile(noteOf(path));
  syncFolder(dirname(path));
}

export function forgetRestore(path: string): void {
  rmSync(noteOf(path), { force: true });
  syncFolder(dirname(path));
}

/** Where the old files of an interrupted restore go; null where none was. */
export function interruptedRestore(path: string): string | null {
  return existsSync(noteOf(path)) ? readFileSync(noteOf(path), 'utf8').trim() : null;
}

/** For whoever would use the files as they are: half of them may be missing. */
export function refuseHalfRestored(path: string): void {
  const aside = interruptedRestore(path);
  if (aside === null) return;
  throw new DatabaseUnusable(
    `A restore of this database was interrupted: ${path}. Repeat it, with the same backup or another one: leasequeue db restore <file> --yes. ` +
      `The files from before are kept as ${aside}, some of them perhaps still in their old place.`,
  );
}
