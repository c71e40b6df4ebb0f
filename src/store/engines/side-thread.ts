/**
 * The thread beside the writer's: long reads and copying the write-ahead log happen there, so that neither holds up a
 * commit. It starts with its first task, and again after it was lost.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StoreFault } from '../store.ts';
import type { SideMessage, SideSettings, SideTask } from './side-work.ts';

export interface SideThreadParts {
  readonly path: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly onStatement?: ((text: string) => void) | undefined;
}
interface Waiting {
  readonly isRead: boolean;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
  /** Aborted once it is answered. */
  readonly answered: AbortController;
}
type Work = { readonly read: { readonly text: string; readonly parameters: readonly unknown[] } } | { readonly copyLog: true };

/** Mebibytes. The biggest page, 101 jobs of two 64 KiB texts each, needs a quarter of it. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
/** For the task that runs when the thread is asked to end. */
const CLOSE_MS_MAX = 2_000;
/** Beside this file, and named like it where the sources are compiled. */
const SIDE_WORK = new URL(`./side-work${extname(import.meta.url)}`, import.meta.url);

export class SideThread {
  readonly #parts: SideThreadParts;
  readonly #givenUp = new BigInt64Array(new SharedArrayBuffer(8));
  /** In the order of their numbers, which is the order in which they are done. */
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #worker: Worker | null = null;
  #isClosed = false;

  constructor(parts: SideThreadParts) {
    this.#parts = parts;
  }

  /** Rows of a reading statement. Throws a StoreFault `busy` if they are not there within `LIMITS.readMsMax`. */
  async read(text: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#waiting.size >= LIMITS.readsWaitingMax) throw unavailable('Too many reads are waiting.');
    return this.#ask({ read: { text, parameters } });
  }

  /** Copies what it can of the write-ahead log into the database file, and syncs that: it is never given up, for a sync may fail late. */
  async copyLog(): Promise<void> {
    await this.#ask({ copyLog: true });
  }

  /** Ends reads, lets a copy come to its end, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#giveUpReads(this.#lastId, stopping());
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new AbortController();
    worker.once('exit', () => ended.abort());
    worker.postMessage({ id: 0, close: true } satisfies SideTask);
    await this.#parts.clock.sleep(CLOSE_MS_MAX, ended.signal);
    if (!ended.signal.aborted) void worker.terminate();
  }

  #ask(work: Work): Promise<readonly unknown[]> {
    if (this.#isClosed) return Promise.reject(stopping());
    const id = ++this.#lastId;
    const answered = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
    const isRead = 'read' in work;
    this.#waiting.set(id, { isRead, resolve, reject, answered });
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, ...work } satisfies SideTask);
    if (isRead) void this.#expire(id, answered.signal);
    return promise;
  }

  async #expire(id: number, answered: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(LIMITS.readMsMax, answered);
    if (!answered.aborted) this.#giveUpReads(id, unavailable(`The read took longer than ${LIMITS.readMsMax / 1000} seconds and was ended.`));
  }

  /** Every read up to this one was asked for no later, and gets no more time. */
  #giveUpReads(lastId: number, fault: StoreFault): void {
    Atomics.store(this.#givenUp, 0, BigInt(lastId));
    for (const [id, { isRead }] of [...this.#waiting]) if (isRead && id <= lastId) this.#settle(id)?.reject(fault);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.answered.abort();
    return waiting;
  }

  #start(): Worker {
    const { path, onStatement } = this.#parts;
    const workerData: SideSettings = { path, givenUp: this.#givenUp, tellsStatements: onStatement !== undefined };
    const worker = new Worker(SIDE_WORK, { workerData, resourceLimits: MEMORY, execArgv: [], name: 'side' });
    let cause: unknown;
    worker.on('message', (message: SideMessage) => this.#receive(message));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(unavailable('The thread that reads was lost.', cause));
    });
    return worker;
  }

  #receive(message: SideMessage): void {
    if ('statement' in message) return this.#parts.onStatement?.(message.statement);
    const waiting = this.#settle(message.id);
    if ('rows' in message) return waiting?.resolve(message.rows);
    const { message: text, code } = message.failure;
    waiting?.reject(code === null ? new Error(text) : new Database.SqliteError(text, code));
  }
}

function stopping(): StoreFault {
  return new StoreFault('stopping', 'The server is stopping. Nothing was changed.', { outcomeUnknown: false });
}

function unavailable(reason: string, cause?: unknown): StoreFault {
  return new StoreFault('busy', `${reason} Nothing was changed; try again.`, { outcomeUnknown: false, cause });
}
