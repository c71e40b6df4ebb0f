/**
 * The write path: whatever arrives while a commit is being synced joins the next one, and claims that wait for what a
 * commit brings join that commit itself. Nobody waits for company, a single operation commits at once. Inside an
 * operation nothing is awaited but its own transaction.
 */
import type { Kysely } from 'kysely';
import type { Clock } from '../runtime/clock.ts';
import { nextTurn, settled } from '../runtime/turn.ts';
import type { TenantId } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Engine } from './engines/engine.ts';
import { NewRows } from './new-rows.ts';
import { Session } from './statements.ts';
import { StoreFault } from './store.ts';
import { type ReadyJob, Tally } from './tally.ts';
import type { Tables } from './tables.ts';
import type { QueueRow } from './rows.ts';
import type { KnownTenant } from './tenant-rows.ts';

export interface Tx {
  /** For statements that are rare or differ each time. */
  readonly db: Kysely<Tables>;
  /** For statements that are built once. */
  readonly session: Session;
  readonly tally: Tally;
  readonly newRows: NewRows;
  /** Queues that this transaction has read, so that a batch reads each once. */
  readonly queueRows: Map<string, QueueRow | null>;
  /** Tenants that this transaction has read. */
  readonly tenants: Map<TenantId, KnownTenant>;
}
/** May run a second time after a rollback: it must change nothing but the database. */
export type Operation<Result> = (tx: Tx, nowMs: number) => Promise<Result>;

export interface OperationTraits {
  /** Jobs that it may touch. 1 where absent. */
  readonly weight?: number;
  /** It reads no jobs but by their idempotency keys and the request ids of calls, no events and no attempts, so that what the operations before it made need not be written yet. */
  readonly isSubmission?: boolean;
}

interface Entry {
  readonly weight: number;
  readonly isSubmission: boolean;
  readonly operation: Operation<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriterParts {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The part of each tenant's log that this process writes. */
  readonly epoch: string;
  /**
   * Told of jobs before their commit. True where somebody who waits was woken: what it asks for at once joins the commit.
   * Told again where the transaction has to be repeated.
   */
  readonly onReady: (jobs: readonly ReadyJob[]) => boolean;
  readonly onCommitted: (tally: Tally, operations: number, durationMs: number) => void;
  readonly onFatal: (error: Error) => void;
  /** Jobs that one commit touches at most, unless a single operation needs more. Absent: `GROUP_WEIGHT_MAX`. */
  readonly groupWeightMax?: number | undefined;
}

/** Jobs that one commit touches at most, unless a single operation needs more: a longer one would hold up the event loop. */
const GROUP_WEIGHT_MAX = 256;
/** Between two tries to take the write lock from another process. */
const BUSY_RETRY_MS = 20;

export class Writer {
  readonly #parts: WriterParts;
  #pending: Entry[] = [];
  #draining: Promise<void> | null = null;
  /** Why new operations are not taken. */
  #refusal: StoreFault | null = null;
  /** Set once the database failed: nothing that waits may run any more either. */
  #failure: StoreFault | null = null;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Runs the operation in a transaction and answers once it is durable. */
  write<Result>(operation: Operation<Result>, { weight = 1, isSubmission = false }: OperationTraits = {}): Promise<Result> {
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ weight, isSubmission, operation, resolve: resolve as (result: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Takes no further operation and ends when the last one is durable. */
  async stop(): Promise<void> {
    this.#refusal ??= new StoreFault('stopping', 'The server is stopping. Nothing was changed.', { outcomeUnknown: false });
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      await nextTurn();
      await this.#commit(this.#pending.splice(0, groupSize(this.#pending, this.#weightMax)));
    }
    this.#draining = null;
  }

  get #weightMax(): number {
    return this.#parts.groupWeightMax ?? GROUP_WEIGHT_MAX;
  }

  /** The group grows by those who join it. */
  async #commit(group: Entry[]): Promise<void> {
    if (this.#failure !== null) {
      for (const { reject } of group) reject(this.#failure);
      return;
    }
    const { clock, onCommitted } = this.#parts;
    const startedMs = clock.monotonicMs();
    const committed = await this.#whenFree(() => this.#run(group)).catch((error: unknown) => this.#fail(group, error));
    if (committed === undefined) return;
    group.forEach(({ resolve }, index) => resolve(committed.results[index]));
    onCommitted(committed.tally, group.length, clock.monotonicMs() - startedMs);
  }

  async #run(group: Entry[]): Promise<{ tally: Tally; results: readonly unknown[] }> {
    const { engine, clock, epoch, onReady } = this.#parts;
    return engine.transaction(async (db) => {
      const session = new Session(engine, db);
      const newRows = new NewRows(session);
      const tx: Tx = { db, session, tally: new Tally(session, epoch), newRows, queueRows: new Map(), tenants: new Map() };
      const results: unknown[] = [];
      // The loop reaches those who join, too.
      for (const { operation, isSubmission } of group) {
        if (!isSubmission) await newRows.write();
        results.push(await operation(tx, clock.nowMs()));
        if (results.length === group.length && onReady(tx.tally.takeReady())) group.push(...(await this.#joining(group)));
      }
      await newRows.write();
      await tx.tally.flush(clock.nowMs());
      return { tally: tx.tally, results };
    });
  }

  /** What those who were woken ask for, as far as it fits into the commit of the group. */
  async #joining(group: readonly Entry[]): Promise<readonly Entry[]> {
    await settled();
    const room = this.#weightMax - group.reduce((weight, entry) => weight + entry.weight, 0);
    return this.#pending.splice(0, fitting(this.#pending, room));
  }

  /** What a caller is told of this error. One that means the database cannot be trusted stops the store for good. */
  explain(error: unknown): unknown {
    const meaning = this.#parts.engine.classify(error);
    if (meaning === 'other') return error;
    const fault = faultOf(meaning, error);
    if (meaning === 'fatal') this.#stopForGood(fault);
    return fault;
  }

  /** One operation's defect must not touch its neighbours: each then runs again in a transaction of its own. */
  async #fail(group: readonly Entry[], error: unknown): Promise<void> {
    if (group.length > 1 && this.#parts.engine.classify(error) === 'other') {
      for (const entry of group) await this.#commit([entry]);
      return;
    }
    const answer = this.explain(error);
    for (const { reject } of group) reject(answer);
  }

  #stopForGood(fault: StoreFault): void {
    if (this.#failure !== null) return;
    this.#failure = fault;
    this.#refusal = fault;
    this.#parts.onFatal(fault);
  }

  async #whenFree<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const { clock, engine } = this.#parts;
    const giveUpMs = clock.monotonicMs() + LIMITS.busyWaitMsMax;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (engine.classify(error) !== 'busy' || clock.monotonicMs() >= giveUpMs) throw error;
        await clock.sleep(BUSY_RETRY_MS);
      }
    }
  }
}

/** How many of the waiting operations go into one commit; at least one. */
function groupSize(pending: readonly Entry[], weightMax: number): number {
  return Math.max(1, fitting(pending, weightMax));
}

/** How many of the waiting operations, from the first, weigh no more than this. */
function fitting(pending: readonly Entry[], weightMax: number): number {
  let weight = 0;
  const end = pending.findIndex((entry) => (weight += entry.weight) > weightMax);
  return end === -1 ? pending.length : end;
}

/** What the caller is told when the database, and not the operation, said no. */
function faultOf(meaning: 'busy' | 'full' | 'fatal', cause: unknown): StoreFault {
  switch (meaning) {
    case 'busy':
      return new StoreFault('busy', 'The database is in use by another process. Nothing was changed; try again.', { outcomeUnknown: false, cause });
    case 'full':
      return new StoreFault('full', 'The disk of the database is full. Nothing was changed; try again when there is room.', { outcomeUnknown: false, cause });
    case 'fatal':
      return new StoreFault('fatal', 'The database failed and the server stops. The outcome is unknown.', { outcomeUnknown: true, cause });
    default:
      return meaning satisfies never;
  }
}
