/** The real server on a file of its own whose storage fails at a chosen call, and what is there afterwards. */
import { copyFileSync, realpathSync } from 'node:fs';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { openTestStore, temporaryFolder } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';
import { Client, type Refusal } from './client.ts';
import { inconsistencies } from './consistency.ts';
import type { Fault, StorageLibrary } from './storage-library.ts';
import { readStorageLog } from './storage-log.ts';

/** Of a caller who names no tenant. */
const OWNER = tenant('default');

type Moment = 'start' | 'work' | 'stop';

export interface Ordeal {
  /** Calls that were made to fail. */
  readonly hits: number;
  /** When the first of them was; null where none was. */
  readonly moment: Moment | null;
  /** Null where it did not even start. */
  readonly exitCode: number | null;
  readonly refusals: readonly Refusal[];
  readonly acknowledged: number;
  /** Acknowledged work that is not there after a restart, and whatever else is wrong then. */
  readonly wrong: readonly string[];
}

/** An empty database of this version, so that a fault hits the work and not the migration. */
export async function prepareDatabase(path: string): Promise<void> {
  const { store } = await openTestStore({ path });
  await store.close();
}

/** Starts the server, lets a client work until all is done or the server is gone, and looks at what a restart finds. */
export async function suffer(library: StorageLibrary, prepared: string, fault: Fault, work: (client: Client) => Promise<void>): Promise<Ordeal> {
  using folder = temporaryFolder();
  const database = `${realpathSync(folder.path)}/x.db`;
  const log = folder.file('storage.log');
  const hits = (): number => readStorageLog(log).filter(({ kind }) => kind === 'fault').length;
  copyFileSync(prepared, database);
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: database, ...library.environment({ database, log, fault }) }).catch(() => null);
  const hitsAtStart = hits();
  const client = new Client(server?.url ?? '');
  if (server !== null) await work(client);
  const hitsAtWork = hits();
  const exitCode = server === null ? null : await exitOf(server, hitsAtWork > 0 && fault.whileFile === undefined);
  const moment = hitsAtStart > 0 ? 'start' : hitsAtWork > 0 ? 'work' : hits() > 0 ? 'stop' : null;
  const { refusals, acknowledged } = client;
  return { hits: hits(), moment, exitCode, refusals, acknowledged: acknowledged.size, wrong: await wrongAfterRestart(database, client) };
}

/** One that has to end by itself is not told to. */
async function exitOf(server: ServerProcess, endsByItself: boolean): Promise<number | null> {
  const { code } = await (endsByItself ? server.ended : server.end('SIGTERM'));
  return code;
}

async function wrongAfterRestart(path: string, client: Client): Promise<readonly string[]> {
  const { store, engine } = await openTestStore({ path });
  const wrong = [...(await inconsistencies(engine))];
  for (const [id, states] of client.acknowledged) {
    const state = (await store.jobById(OWNER, id))?.state.toUpperCase() ?? 'gone';
    if (!states.includes(state)) wrong.push(`job ${id} is ${state}, though its last answer allows only ${states.join(' or ')}`);
  }
  await store.close();
  return wrong;
}
