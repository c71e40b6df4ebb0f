/** The library that counts a server's syncs and slows them down, compiled where there is a C compiler. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH, type Workspace } from '../workspace.ts';

export interface SyncCounter {
  /** Variables of the server's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Syncs of write-ahead logs so far. */
  count(): number;
}

const libraries = new Map<string, string | null>();

function compile(folder: string): string | null {
  if (process.platform !== 'linux') return null;
  const library = join(folder, 'slow-sync.so');
  const { status } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, join(BENCH, 'server/slow-sync.c'), '-ldl']);
  return status === 0 ? library : null;
}

export const NO_COMPILER = 'no C compiler (cc), or not Linux';

/** Null where there is no compiler. */
export function countSyncs({ folder }: Workspace, delayMs: number): SyncCounter | null {
  if (!libraries.has(folder)) libraries.set(folder, compile(folder));
  const library = libraries.get(folder) ?? null;
  if (library === null) return null;
  const file = join(folder, `syncs-${delayMs}-${libraries.size}-${process.hrtime.bigint()}`);
  writeFileSync(file, Buffer.alloc(8));
  return {
    environment: { LD_PRELOAD: library, BENCH_SYNC_COUNT: file, BENCH_SYNC_DELAY_US: String(delayMs * 1_000) },
    count: () => Number(readFileSync(file).readBigUInt64LE()),
  };
}
