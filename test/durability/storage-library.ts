/** The preload library of these tests, compiled when they start, and the environment that makes a process use it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/store.ts';
import type { DatabaseFile } from './storage-log.ts';

const SOURCE = fileURLToPath(new URL('storage.c', import.meta.url));

/** A call that fails: the `first` of its kind, counted from 1, and where `whileFile` is given all later ones as long as that file exists. */
export interface Fault {
  readonly call: 'sync' | 'write';
  /** `any` is each of the three, the folder aside. */
  readonly file: DatabaseFile | 'folder' | 'any';
  readonly first: number;
  readonly errno: number;
  readonly whileFile?: string;
}

export interface Watch {
  readonly database: string;
  readonly log: string;
  readonly fault?: Fault;
}

export interface StorageLibrary {
  /** Environment variables for a process whose database is watched. */
  environment(watch: Watch): Readonly<Record<string, string>>;
  [Symbol.dispose](): void;
}

/** Why these tests cannot run on this machine; null where they can. Where changes are judged, that is a failure. */
export function whyNotHere(): string | null {
  const reason = missing();
  if (reason === null) return null;
  const message = `NOT RUN: durability is not proved on this machine, because ${reason}.`;
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') throw new Error(message);
  process.stderr.write(`${message}\n`);
  return message;
}

function missing(): string | null {
  if (process.platform !== 'linux') return 'a library can be preloaded in this way on Linux only';
  return spawnSync('cc', ['--version']).status === 0 ? null : 'there is no C compiler named cc';
}

export function compileStorageLibrary(): StorageLibrary {
  const folder = temporaryFolder();
  const library = folder.file('storage.so');
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, SOURCE, '-lpthread'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`storage.c does not compile: ${stderr}`);
  return {
    environment: ({ database, log, fault }) => ({
      LD_PRELOAD: library,
      STORAGE_DATABASE: database,
      STORAGE_LOG: log,
      ...(fault !== undefined && { STORAGE_FAULT: `${fault.call}:${fault.file}:${fault.first}:${fault.errno}` }),
      ...(fault?.whileFile !== undefined && { STORAGE_FAULT_FILE: fault.whileFile }),
    }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
