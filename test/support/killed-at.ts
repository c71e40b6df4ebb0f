/** A process that dies, as by kill -9, in place of its n-th change of a folder: for looking at what a crash leaves. */

const CHANGES = ['renameSync', 'rmSync', 'writeFileSync'] as const;

/** Settings for a process of Node that is to die before this change, the first being 1. */
export function killedAt(change: number): Readonly<Record<string, string>> {
  const source = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = ${change};
    for (const name of ${JSON.stringify(CHANGES)}) {
      const real = fs[name];
      fs[name] = (...words) => ((left -= 1) === 0 ? process.kill(process.pid, 'SIGKILL') : real(...words));
    }
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}
