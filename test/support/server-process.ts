/** The real server as a process of its own, as a person starts it, on a free port of the loopback. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lookAt, noteAnswer } from './secret-watch.ts';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly lines: readonly string[];
  /** Sends the signal and answers with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** How the process ended, by itself or by a signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends the signal and does not wait. */
  kill(signal: NodeJS.Signals): boolean;
}

export type Settings = Readonly<Record<string, string>>;

export interface Surroundings {
  /** Kibibytes that a file of the process may have; a write beyond fails as a full device does. */
  readonly fileKibibytesMax?: number;
  /** Flags of `leasequeue serve`, which starts it then. */
  readonly serveWith?: readonly string[];
  /** Program and words that start it another way, in a process group of its own, which signals go to: it may have processes before it. */
  readonly command?: readonly [program: string, ...words: readonly string[]];
}

function spawnServer(settings: Settings, { fileKibibytesMax, serveWith, command }: Surroundings = {}): ChildProcessByStdio<null, Readable, Readable> {
  const env = { PATH: process.env['PATH'] ?? '', LEASEQUEUE_PORT: '0', ...settings };
  if (command !== undefined) return spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  if (serveWith !== undefined) return spawn(process.execPath, [COMMAND_LINE, 'serve', ...serveWith], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (fileKibibytesMax === undefined) return spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // A shell counts in blocks of 512 bytes.
  const limited = `ulimit -f ${fileKibibytesMax * 2}; exec "$0" "$@"`;
  return spawn('sh', ['-c', limited, process.execPath, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Ends once it listens; throws with what it said where it does not. */
export async function startServer(settings: Settings, surroundings?: Surroundings): Promise<ServerProcess> {
  const child = spawnServer(settings, surroundings);
  const kill = (signal: NodeJS.Signals): boolean => (surroundings?.command === undefined ? child.kill(signal) : process.kill(-(child.pid ?? 0), signal));
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      lookAt('log', line);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url !== undefined) found.resolve(url);
    });
  }
  void exited.then(([code]) => found.reject(new Error(`the server ended with ${code}: ${lines.join('\n')}`)));
  const url = await found.promise;
  const ended = exited.then(([code, signal]) => ({ code, signal }));
  return {
    url,
    pid: child.pid ?? 0,
    lines,
    kill,
    ended,
    end(signal) {
      kill(signal);
      return ended;
    },
  };
}

/** Runs the server to its end and answers with what it said. */
export async function runServer(settings: Settings): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawnServer(settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  lookAt('log', output);
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
  const text = await response.text();
  noteAnswer(text);
  lookAt('wire', text);
  return JSON.parse(text) as Answer;
}
