/** What a command that is interrupted takes away before it ends: the unfinished files that it has made. */
import { rmSync } from 'node:fs';
import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process ends by the signal all the same. */
export async function tidyingUp<Result>(files: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const end = (signal: NodeJS.Signals): void => {
    for (const file of files) rmSync(file, { force: true });
    for (const name of SIGNALS) process.off(name, end);
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.on(name, end);
  try {
    return await work();
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
