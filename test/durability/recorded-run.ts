/** One run of the workload in a process of its own, with everything that reached its files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/store.ts';
import type { Outcome } from './producer.ts';
import type { DiskFiles } from './disk.ts';
import { SUFFIXES } from './recovery.ts';
import type { StorageLibrary } from './storage-library.ts';
import { DATABASE_FILES, readStorageLog, type StorageCall } from './storage-log.ts';

const PROCESS = fileURLToPath(new URL('workload-process.ts', import.meta.url));

/** `full` is the product; the others are planted faults: commits that are not synced, and acknowledgements before the commit. */
export type Manner = 'full' | 'normal' | 'early';

export interface RecordedRun {
  readonly calls: readonly StorageCall[];
  /** By number of the acknowledgement. */
  readonly outcomes: readonly Outcome[];
  /** What was really there at the end. */
  readonly files: DiskFiles;
}

export async function recordRun(library: StorageLibrary, manner: Manner): Promise<RecordedRun> {
  using folder = temporaryFolder();
  const database = `${realpathSync(folder.path)}/x.db`;
  const log = folder.file('storage.log');
  const env = { PATH: process.env['PATH'] ?? '', ...library.environment({ database, log }) };
  const child = spawn(process.execPath, [PROCESS, database, manner], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the workload ended with ${code}`);
  const files = DATABASE_FILES.filter((name) => existsSync(database + SUFFIXES[name]));
  return {
    calls: readStorageLog(log),
    outcomes: JSON.parse(output) as readonly Outcome[],
    files: new Map(files.map((name) => [name, readFileSync(database + SUFFIXES[name])])),
  };
}
