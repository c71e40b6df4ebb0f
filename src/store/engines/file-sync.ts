/** Making files and the entries of folders durable. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** The content of a file, whose connections must be closed: closing it here would drop their locks. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

/** The names of what was made, moved or removed in a folder. */
export function syncFolder(path: string): void {
  sync(path, 'r');
}

function sync(path: string, flags: string): void {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
