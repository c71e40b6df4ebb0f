/** The log that storage.c writes: every change of the database's files and every acknowledgement, in the order in which they happened. */
import { existsSync, readFileSync } from 'node:fs';

/** As storage.c numbers them, from 1. */
const KINDS = ['create', 'write', 'truncate', 'sync', 'unlink', 'mark', 'fault'] as const;
const FILES = ['main', 'wal', 'journal', 'folder', 'marks'] as const;
export const DATABASE_FILES = ['main', 'wal', 'journal'] as const;

export type DatabaseFile = (typeof DATABASE_FILES)[number];

/** One call that succeeded, or for `fault` one that was made to fail. */
export interface StorageCall {
  readonly kind: (typeof KINDS)[number];
  readonly file: (typeof FILES)[number];
  /** Of a write; the new size of a truncation. */
  readonly offset: number;
  readonly bytes: Buffer;
}

const HEADER_BYTES = 24;

/** Empty where no call was logged yet. A record that the end of its process cut off is not read. */
export function readStorageLog(path: string): readonly StorageCall[] {
  const text = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const calls: StorageCall[] = [];
  for (let at = 0; at + HEADER_BYTES <= text.length; ) {
    const length = Number(text.readBigUInt64LE(at + 16));
    const end = at + HEADER_BYTES + length;
    if (end > text.length) break;
    calls.push({
      kind: named(KINDS, text.readUInt8(at)),
      file: named(FILES, text.readUInt8(at + 1)),
      offset: Number(text.readBigUInt64LE(at + 8)),
      bytes: text.subarray(at + HEADER_BYTES, end),
    });
    at = end;
  }
  return calls;
}

function named<Name extends string>(names: readonly Name[], number: number): Name {
  const name = names[number - 1];
  if (name === undefined) throw new Error(`the storage log holds the unknown number ${number}`);
  return name;
}
