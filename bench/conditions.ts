/** What a figure is worth nothing without: the machine and the versions it was measured with. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type as systemType } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BENCH, ROOT } from './workspace.ts';

export interface Conditions {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  /** Of the last minute, before the run: a busy machine shows here. */
  readonly loadAverage: number;
  readonly system: string;
  readonly fileSystem: string;
  readonly node: string;
  readonly sqlite: string;
  readonly leasequeue: string;
  readonly commit: string | null;
  /** True where the working tree differs from the commit. */
  readonly modified: boolean;
  /** Versions of the other queues and of their servers. Null where they are not measured. */
  readonly peers: Readonly<Record<string, string>> | null;
}

const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x2fc12fc1: 'zfs',
};

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function sqliteVersion(): string {
  const database = new Database(':memory:');
  const version = String(database.prepare('select sqlite_version()').pluck().get());
  database.close();
  return version;
}

function peerVersions(): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> };
  const servers = ['redis-server', 'postgres'].map((program) => {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    return [program, status === 0 ? stdout.trim() : 'not installed'];
  });
  return { ...dependencies, ...Object.fromEntries(servers) };
}

/** `folder`: where the databases are kept. */
export function readConditions(folder: string, hasPeers: boolean): Conditions {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { type } = statfsSync(folder);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    system: `${systemType()} ${release()}`,
    fileSystem: FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`,
    node: process.versions.node,
    sqlite: sqliteVersion(),
    leasequeue: (manifest as { readonly version: string }).version,
    commit: git('rev-parse', '--short', 'HEAD'),
    modified: git('status', '--porcelain', '--untracked-files=no') !== '',
    peers: hasPeers ? peerVersions() : null,
  };
}
