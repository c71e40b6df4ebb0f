/** Where a run keeps its files, gone when the run ends, and what has to be there before anything is measured. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCH = fileURLToPath(new URL('.', import.meta.url));
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Workspace {
  readonly folder: string;
  /** A new path for a database, in a folder of its own. */
  newDatabase(): string;
  /** A part that goes earlier. */
  nested(): Workspace;
  [Symbol.dispose](): void;
}

const TMPFS = 0x01021994;

/** Syncing to memory costs nothing, so that figures from there would mean nothing. */
function onDisk(folder: string): boolean {
  return statfsSync(folder).type !== TMPFS;
}

/** `parent`: null takes the temporary folder, or the benchmark's own where that one is in memory. */
export function openWorkspace(parent: string | null): Workspace {
  const workspace = workspaceAt(mkdtempSync(join(parent ?? (onDisk(tmpdir()) ? tmpdir() : BENCH), 'leasequeue-bench-')));
  process.once('exit', () => workspace[Symbol.dispose]());
  return workspace;
}

function workspaceAt(folder: string): Workspace {
  // PostgreSQL, which may have to run as another user, has to get through.
  chmodSync(folder, 0o711);
  return {
    folder,
    nested: () => workspaceAt(mkdtempSync(join(folder, 'part-'))),
    newDatabase: () => join(mkdtempSync(join(folder, 'db-')), 'queue.db'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Compiles the server of a checkout, as it is deployed. */
export function buildServer(checkout = ROOT): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.build.json'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the server in ${checkout} does not compile, so there is nothing to measure:\n${stdout}${stderr}`);
}

/** Installs the other queues, unless they are there. */
export function installPeers(say: (text: string) => void): void {
  if (existsSync(join(BENCH, 'node_modules/.package-lock.json'))) return;
  say('installing the other queues: npm ci --prefix bench');
  const { status } = spawnSync('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the other queues could not be installed (npm ci --prefix bench): run without --peers, or mend what npm says above');
}
