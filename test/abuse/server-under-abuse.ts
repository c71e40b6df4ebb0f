/** The server under abuse as its test sees it: where it listens, what it holds, what it has said, and its end. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Holdings } from './server.ts';

export interface ServerUnderAbuse extends AsyncDisposable {
  readonly url: string;
  /** Of its log, and whatever else it wrote. */
  readonly lines: readonly string[];
  /** False once the process has ended, by itself. */
  readonly isRunning: () => boolean;
  readonly holdings: () => Promise<Holdings>;
}

export async function startServerUnderAbuse(): Promise<ServerUnderAbuse> {
  const folder = mkdtempSync(join(tmpdir(), 'leasequeue-abuse-'));
  const child = fork(new URL('server.ts', import.meta.url), [folder], {
    execArgv: ['--max-semi-space-size=8'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    lines,
    isRunning,
    async holdings() {
      const answered = once(child, 'message') as Promise<[Holdings]>;
      child.send('holdings');
      return (await answered)[0];
    },
    async [Symbol.asyncDispose]() {
      const exited = isRunning() ? once(child, 'exit') : null;
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
