/** `leasequeue worker` as a process that goes on, and what it says while it does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { lookAt } from './secret-watch.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const NO_SETTINGS = fileURLToPath(new URL('./no-settings', import.meta.url));

export interface WorkerCommand extends AsyncDisposable {
  readonly pid: number;
  /** Of standard error. */
  readonly said: readonly string[];
  /** Lines of standard output. */
  readonly printed: readonly string[];
  /** Ends when a line of standard error fits; answers with it. */
  says(pattern: RegExp, timeoutMs?: number): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

export interface WorkerSurroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts the worker, with its arguments. */
  readonly under?: readonly string[];
}

/** Starts it with these words after `worker`. */
export function startWorker(url: string, words: readonly string[], { env = {}, under = [] }: WorkerSurroundings = {}): WorkerCommand {
  const [program = '', ...args] = [...under, process.execPath, MAIN, 'worker', ...words];
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: NO_SETTINGS, LEASEQUEUE_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, printed] = [linesOf(child.stderr), linesOf(child.stdout)];
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid ?? 0,
    said,
    printed,
    async says(pattern, timeoutMs = 15_000) {
      const find = (): string | undefined => said.find((line) => pattern.test(line));
      await vi.waitFor(() => expect(find() ?? said.join('\n')).toMatch(pattern), { interval: 10, timeout: timeoutMs });
      return find() ?? '';
    },
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      child.kill('SIGINT');
      await ended;
    },
  };
}

function linesOf(stream: ChildProcess['stdout']): readonly string[] {
  const lines: string[] = [];
  if (stream !== null) {
    createInterface({ input: stream }).on('line', (line) => {
      lookAt('log', line);
      lines.push(line);
    });
  }
  return lines;
}
