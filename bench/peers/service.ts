/** The servers of other queues, on ports of the loopback, with their files in a folder of the run. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { owned } from '../children.ts';
import type { Workspace } from '../workspace.ts';

export interface Service extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string | number>>;
}

/** Null where the machine does not have it. */
export type StartService = (workspace: Workspace) => Promise<Service | null>;

const START_MS_MAX = 20_000;
const STOP_MS_MAX = 10_000;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function listening(child: ChildProcess, name: string, port: number): Promise<void> {
  const deadline = performance.now() + START_MS_MAX;
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`${name} did not listen within ${START_MS_MAX / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `signal`: what asks this server to stop at once, but in order. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exited;
  clearTimeout(timer);
}

export function startRedis(appendfsync: 'always' | 'everysec'): StartService {
  return async ({ folder }) => {
    if (!isInstalled('redis-server')) return null;
    const directory = join(folder, `redis-${appendfsync}`);
    mkdirSync(directory);
    const port = await freePort();
    const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '', '--appendonly', 'yes', '--appendfsync', appendfsync];
    const child = owned(spawn('redis-server', settings, { stdio: 'ignore' }));
    await listening(child, 'redis-server', port);
    return { settings: { port }, [Symbol.asyncDispose]: () => stop(child, 'SIGTERM') };
  };
}

export const startPostgres: StartService = async ({ folder }) => {
  if (!isInstalled('postgres') || !isInstalled('initdb')) return null;
  const directory = join(folder, 'postgres');
  mkdirSync(directory);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(directory, NOBODY, NOBODY);
  const who = { cwd: directory, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
  const made = spawnSync('initdb', ['-D', join(directory, 'data'), '-U', 'bench', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'], {
    ...who,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: directory, fsync: 'on', synchronous_commit: 'on', max_connections: 200 };
  const named = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = owned(spawn('postgres', ['-D', join(directory, 'data'), ...named], { ...who, stdio: 'ignore' }));
  await listening(child, 'postgres', port);
  // PostgreSQL: SIGINT ends what is open and stops; SIGTERM would wait for every client.
  return { settings: { url: `postgres://bench@127.0.0.1:${port}/postgres` }, [Symbol.asyncDispose]: () => stop(child, 'SIGINT') };
};

/** In the process of its user: a database file is all it needs. */
export const noServer: StartService = async (workspace) => ({ settings: { file: workspace.newDatabase() }, [Symbol.asyncDispose]: async () => {} });
