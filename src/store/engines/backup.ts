/** A verified copy of a database under a name of its own: it is there whole, or not at all. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnusable } from './engine.ts';
import { syncFile, syncFolder } from './file-sync.ts';
import { copyInto } from './snapshot.ts';
import { messageOf } from './sqlite-errors.ts';

/** Looks at the copy and throws where it is not sound. */
export type Verify = (file: string) => Promise<void>;

export interface BackupParts {
  readonly path: string;
  readonly target: string;
  /** The copy until it is whole, in the folder of the target. */
  readonly partial: string;
  /** Whether a file that is there already may go for it. */
  readonly replaces: boolean;
  readonly verify: Verify;
}

/**
 * Copies what is committed, beside a server or without one. Holds everything that was acknowledged before. Throws
 * `DatabaseUnusable` where it cannot, and leaves nothing behind then.
 */
export async function backUp({ path, target, partial, replaces, verify }: BackupParts): Promise<void> {
  await writeCopy(path, partial, verify);
  try {
    if (!replaces && existsSync(target)) throw new DatabaseUnusable(`Something came to be at ${target} meanwhile, and was not touched. No backup was made.`);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** The file is new, for its owner alone, verified and synced. */
export async function writeCopy(path: string, file: string, verify: Verify): Promise<void> {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    await copyInto(path, file);
    await verify(file);
    syncFile(file);
  } catch (cause) {
    rmSync(file, { force: true });
    rmSync(`${file}-journal`, { force: true });
    if (cause instanceof DatabaseUnusable) throw cause;
    throw new DatabaseUnusable(`${path} could not be copied to ${file} (${messageOf(cause)}). The unfinished copy was removed, and nothing else was changed.`, {
      cause,
    });
  }
}
