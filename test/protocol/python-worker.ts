/** The Python worker as a process of its own, with the handlers that the page shows, beside the file to copy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { lookAt } from '../support/secret-watch.ts';

const FOLDER = fileURLToPath(new URL('../../examples/python', import.meta.url));

export interface PythonWorker extends AsyncDisposable {
  readonly lines: readonly string[];
  /** The first line that it has said, or will say, of this kind; fails where it ends without. */
  said(kind: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): boolean;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Runs a file of handlers, or the worker's own file, with these words. */
export function startPython(file: string, words: readonly string[], settings: Readonly<Record<string, string>>): PythonWorker {
  const env = { PATH: process.env['PATH'] ?? '', PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1', ...settings };
  const child = spawn('python3', [file, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((each) => each());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      lookAt('log', line);
      look();
    });
  }
  const ended = (once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>).then(([code, signal]) => ({ code, signal }));
  const said = (kind: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const lookForIt = (): void => {
        const line = lines.find((each) => kind.test(each));
        if (line === undefined) return;
        waiting.delete(lookForIt);
        resolve(line);
      };
      waiting.add(lookForIt);
      lookForIt();
      void ended.then(() => reject(new Error(`it ended without a line like ${kind.source}:\n${lines.join('\n')}`)));
    });
  return {
    lines,
    said,
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const WORKER_FILE = `${FOLDER}/worker.py`;
