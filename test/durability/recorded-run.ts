/** One run of the workload in a process of its own, with everything that reached its files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/store.ts';
import type { Outcome } from './producer.ts';
import type { DiskFiles } from './disk.ts';
import { SUFFIXES } from './recovery.ts';
import type { Fault, StorageLibrary } from './storage-library.ts';
import { DATABASE_FILES, readStorageLog, type StorageCall } from './storage-log.ts';

const PROCESS = fileURLToPath(new URL('workload-process.ts', import.meta.url));

/** Exit code of a workload whose storage failed: the server's own. */
const ENDED_BY_FAULT = 74;

/** `full` is the product; the others are planted faults: commits that are not synced, and acknowledgements before the commit. */
export type Manner = 'full' | 'normal' | 'early';

export interface RecordedRun {
  readonly calls: readonly StorageCall[];
  /** By number of the acknowledgement. */
  readonly outcomes: readonly Outcome[];
  /** What was really there at the end. */
  readonly files: DiskFiles;
}

/** One process of the run; the next one goes on with its files. */
export interface Life {
  readonly manner: Manner;
  /** Makes this life end early. */
  readonly fault?: Fault;
}

export async function recordRun(library: StorageLibrary, ...lives: readonly Life[]): Promise<RecordedRun> {
  using folder = temporaryFolder();
  const database = `${realpathSync(folder.path)}/x.db`;
  const log = folder.file('storage.log');
  const outcomes: Outcome[] = [];
  for (const { manner, fault } of lives) {
    const watch = { database, log, ...(fault !== undefined && { fault }) };
    outcomes.push(...(await live(library.environment(watch), [database, manner, String(outcomes.length)], fault === undefined ? 0 : ENDED_BY_FAULT)));
  }
  const files = DATABASE_FILES.filter((name) => existsSync(database + SUFFIXES[name]));
  return { calls: readStorageLog(log), outcomes, files: new Map(files.map((name) => [name, readFileSync(database + SUFFIXES[name])])) };
}

/** Answers what was acknowledged. */
async function live(environment: Readonly<Record<string, string>>, parameters: readonly string[], expectedCode: number): Promise<readonly Outcome[]> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child = spawn(process.execPath, [PROCESS, ...parameters], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== expectedCode) throw new Error(`the workload ended with ${code} instead of ${expectedCode}`);
  return JSON.parse(output) as readonly Outcome[];
}
