/**
 * Puts a backup in the place of a database that nobody uses. The old files are kept under another name; whenever it is
 * interrupted, a note says so and repeating it brings it to its end.
 */
import { chmodSync, chownSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Verify, writeCopy } from './backup.ts';
import { DatabaseUnusable } from './engine.ts';
import { syncFile, syncFolder } from './file-sync.ts';
import { forgetRestore, interruptedRestore, noteRestore } from './half-restored.ts';
import { takeGate, takeOwnership } from './locks.ts';

export interface RestoreParts {
  readonly path: string;
  readonly backup: string;
  /** Ends the name of what is moved away. */
  readonly stamp: string;
  readonly verify: Verify;
}
/** Parts of one database. The database itself goes first: whoever opened it without its log would begin another log. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/** What a restore would move away, and whereto. */
export function asideOf(path: string, stamp: string): { readonly files: readonly string[]; readonly aside: string } {
  const file = realPath(path);
  return { files: SUFFIXES.map((suffix) => `${file}${suffix}`).filter((name) => existsSync(name)), aside: `${file}.before-restore-${stamp}` };
}

/** Answers with the name that the old database has now; null where there was none. Throws `DatabaseUnusable` where it cannot. */
export async function restore({ path, backup, stamp, verify }: RestoreParts): Promise<string | null> {
  const file = realPath(path);
  const copy = `${file}.restoring-${stamp}`;
  await writeCopy(backup, copy, verify);
  try {
    giveToOwner(file, copy);
    syncFile(copy);
    return alone(file, () => exchange(file, copy, asideOf(file, stamp).aside));
  } finally {
    rmSync(copy, { force: true });
  }
}

/** A link is another name, and the files beside the database have its real one. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Who restores may be another user than the server's, which has to be able to write it. */
function giveToOwner(file: string, copy: string): void {
  const before = existsSync(file) ? statSync(file) : null;
  if (before !== null) chmodSync(copy, before.mode & 0o777);
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = before ?? statSync(dirname(file));
  chownSync(copy, uid, gid);
}

function alone<Result>(file: string, work: () => Result): Result {
  const leave = takeGate(file);
  try {
    const release = takeOwnership(file);
    if (release === null) throw new DatabaseUnusable(`A server runs on this database: ${file}. Nothing was changed. Stop it first.`);
    try {
      return work();
    } finally {
      release();
    }
  } finally {
    leave();
  }
}

function exchange(file: string, copy: string, newAside: string): string | null {
  const aside = unfinished(file) ?? newAside;
  noteRestore(file, aside);
  for (const suffix of SUFFIXES) if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`);
  renameSync(copy, file);
  syncFolder(dirname(file));
  forgetRestore(file);
  return existsSync(aside) ? aside : null;
}

/** Where an interrupted restore was moving the old files to; null where none was, or the new database is in its place already. */
function unfinished(file: string): string | null {
  const aside = interruptedRestore(file);
  return aside !== null && existsSync(aside) && existsSync(file) ? null : aside;
}
