/** The real server as a process of its own, as a person starts it, on a free port of the loopback. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly lines: readonly string[];
  /** Sends the signal and answers with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends the signal and does not wait. */
  kill(signal: NodeJS.Signals): boolean;
}

export type Settings = Readonly<Record<string, string>>;

function spawnServer(settings: Settings): ChildProcessByStdio<null, Readable, Readable> {
  const env = { PATH: process.env['PATH'] ?? '', LEASEQUEUE_PORT: '0', ...settings };
  return spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Ends once it listens; throws with what it said where it does not. */
export async function startServer(settings: Settings): Promise<ServerProcess> {
  const child = spawnServer(settings);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url !== undefined) found.resolve(url);
    });
  }
  void exited.then(([code]) => found.reject(new Error(`the server ended with ${code}: ${lines.join('\n')}`)));
  const url = await found.promise;
  return {
    url,
    lines,
    kill: (signal) => child.kill(signal),
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exited;
      return { code, signal: by };
    },
  };
}

/** Runs the server to its end and answers with what it said. */
export async function runServer(settings: Settings): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawnServer(settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

export interface Answer {
  readonly data: Record<string, Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

export async function ask(url: string, query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Answer;
}
