/** A program with a worker of the library in it, as a process of its own, and what it notes of its handlers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '../../src/worker/index.ts';
import { lookAt } from './secret-watch.ts';

const PROGRAM = fileURLToPath(new URL('./stamping-worker.ts', import.meta.url));

/** The payload of its jobs. */
export interface Work {
  readonly ms: number;
  /** The first attempt instead keeps its process from doing anything else for so long. */
  readonly firstBlocksMs?: number;
}

export interface Stamp {
  /** `done`: the handler has ended its work, and gives a result. `aborted`: it was told to stop, and has. */
  readonly what: 'start' | 'done' | 'aborted';
  readonly job: string;
  readonly fence: number;
  readonly attempt: number;
  readonly pid: number;
  /** Microseconds by a clock that all processes share. */
  readonly atUs: number;
}

export type ProgramSettings = Omit<WorkerOptions, 'onEvent' | 'clock' | 'chance'> & {
  readonly url: string;
  /** Where it writes its stamps. */
  readonly notes: string;
};

export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Types of events, `working` at first, and everything that it wrote to standard error. */
  readonly said: readonly string[];
  /** Ends as soon as it has said this; rejects where it ends without. */
  says(what: string): Promise<void>;
  kill(signal: NodeJS.Signals): boolean;
  /** Nobody reads what it says any more. */
  closeOutput(): void;
  stamps(): readonly Stamp[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** `codeFolder`: where compiled code is kept for the next process, which makes its start four times as fast. */
export function startWorkerProcess(settings: ProgramSettings, codeFolder: string): WorkerProcess {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: codeFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const hear = (line: string): void => {
    lookAt('log', line);
    said.push(line.startsWith('{') ? (JSON.parse(line) as { type: string }).type : line);
    for (const listen of listeners) listen();
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', hear);
  const ended: WorkerProcess['ended'] = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    pid: child.pid ?? 0,
    said,
    says: (what) =>
      new Promise((resolve, reject) => {
        const listen = (): void => {
          if (!said.includes(what)) return;
          listeners.delete(listen);
          resolve();
        };
        listeners.add(listen);
        listen();
        void ended.then(({ code, signal }) => reject(new Error(`the worker ended with ${code ?? signal} and never said ${what}: ${said.join('\n')}`)));
      }),
    kill: (signal) => child.kill(signal),
    closeOutput: () => void child.stdout.destroy(),
    stamps: () => stampsOf(settings.notes),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function stampsOf(path: string): readonly Stamp[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Stamp);
}
