/** A server under test, in a process of its own, started as a user starts it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { owned } from '../children.ts';
import { GraphqlClient } from '../load/graphql-client.ts';
import { BENCH, ROOT } from '../workspace.ts';

/** What answers the load. `source`: the TypeScript that `npm start` runs. */
export type Program = 'compiled' | 'source' | 'one-a-commit' | 'echo';

const COMPILED = 'dist/server/main.js';
const FILES: Readonly<Record<Program, string>> = {
  compiled: join(ROOT, COMPILED),
  source: join(ROOT, 'src/server/main.ts'),
  'one-a-commit': join(BENCH, 'server/one-a-commit.ts'),
  echo: join(BENCH, 'server/echo.ts'),
};

export interface ServerOptions {
  readonly program: Program;
  /** Another checkout, whose compiled server it is. Absent: this one. */
  readonly checkout?: string;
  readonly database?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Without it the process cannot be asked anything, and holds nothing that a user's would not. */
  readonly probed?: boolean;
}

export interface Usage {
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly cpuMs: number;
}
interface Answers {
  readonly usage: Usage;
  /** After what is garbage has been collected. */
  readonly settledUsage: Usage;
  readonly watchStalls: object;
  /** Since `watchStalls`. */
  readonly stalls: { readonly maxMs: number; readonly p99Ms: number };
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first answer that it is ready. */
  readonly readyMs: number;
  ask<Question extends keyof Answers>(question: Question): Promise<Answers[Question]>;
  /** Resident memory as the system counts it. */
  rssBytes(): number;
  /** Stops in order. Throws where it does not end with 0. */
  stop(): Promise<void>;
}

/** Node arguments for every server of the run, for profiles. */
export const nodeArguments: string[] = [];
/** As in `npm start` and in the image. */
const AS_USERS_START_IT = ['--max-semi-space-size=8'];

const STOP_MS_MAX = 15_000;
const START_MS_MAX = 120_000;

export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const startedMs = performance.now();
  const child = spawnServer(options);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const url = await firstUrl(child, exited);
  await readiness(url, options.program);
  const readyMs = performance.now() - startedMs;
  const pid = child.pid ?? 0;
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= end(child, exited));
  return { url, pid, readyMs, ask: asker(child), rssBytes: () => residentBytes(pid), stop, [Symbol.asyncDispose]: stop };
}

function spawnServer({ program, checkout, database, environment, probed = true }: ServerOptions): ChildProcess {
  const imports = probed && program !== 'echo' ? ['--import', join(BENCH, 'server/probe.mjs')] : [];
  const profiled = program === 'compiled' ? nodeArguments : [];
  const file = checkout === undefined ? FILES[program] : join(checkout, COMPILED);
  const child = spawn(process.execPath, [...AS_USERS_START_IT, ...profiled, ...imports, file], {
    stdio: ['ignore', 'pipe', 'pipe', ...(imports.length > 0 ? (['ipc'] as const) : [])],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LEASEQUEUE_ENVIRONMENT: 'production',
      LEASEQUEUE_AUTH: 'none',
      LEASEQUEUE_PORT: '0',
      ...(database !== undefined && { LEASEQUEUE_DATABASE_PATH: database }),
      ...environment,
    },
  });
  return owned(child);
}

async function firstUrl(child: ChildProcess, exited: Promise<[number | null, NodeJS.Signals | null]>): Promise<string> {
  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (lines.length < 50) lines.push(line);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url !== undefined) found.resolve(url);
    });
  }
  const timer = setTimeout(() => found.reject(new Error(`the server did not start within ${START_MS_MAX / 1_000} s:\n${lines.join('\n')}`)), START_MS_MAX);
  void exited.then(([code, signal]) => found.reject(new Error(`the server ended with ${code ?? signal}:\n${lines.join('\n')}`)));
  try {
    return await found.promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readiness(url: string, program: Program): Promise<void> {
  const client = new GraphqlClient(url);
  const { status } = await client.request(program === 'echo' ? { body: '{}' } : { method: 'GET', path: '/health/ready' });
  client.close();
  if (status !== 200) throw new Error(`the server says that it is not ready: ${status}`);
}

function asker(child: ChildProcess): ServerProcess['ask'] {
  const waiting = new Map<number, (answer: never) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: { id: number; answer: never }) => waiting.get(id)?.(answer));
  return (question) => {
    if (!child.connected) throw new Error('this server was started without a probe');
    asked += 1;
    const id = asked;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      child.send({ id, question });
    });
  };
}

async function end(child: ChildProcess, exited: Promise<[number | null, NodeJS.Signals | null]>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  const [code, signal] = await exited;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`the server ended with ${code ?? signal} instead of 0`);
}

function residentBytes(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) * 1_024;
}
