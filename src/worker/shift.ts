/** A worker at work, from its first claim until its last lease is settled, lost or handed back. */
import type { LeaseQueue } from '../client/client.ts';
import type { LeaseQueueError } from '../client/errors.ts';
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import { atTurnEnd } from '../runtime/turn.ts';
import type { CompletedResult } from './claim-request.ts';
import { Claimer } from './claimer.ts';
import { type ClaimedLease, HeldLease } from './held-lease.ts';
import { type Lane, openLanes } from './lanes.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { type Outcome, outcomeOfAbort, perform } from './perform.ts';
import type { Middleware, Registration } from './registration.ts';
import { Settler } from './settler.ts';
import { within } from './within.ts';
import type { WorkerEvent } from './worker-events.ts';

export interface ShiftParts {
  readonly lq: LeaseQueue;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly concurrency: number;
  readonly prefetch: number;
  /** Leases that it takes in all. */
  readonly maxJobs: number;
  readonly waitSeconds: number;
  readonly graceMs: number;
  readonly abortGraceMs: number;
  readonly registrations: readonly Registration[];
  readonly middleware: readonly Middleware[];
  readonly tell: (event: WorkerEvent) => void;
}

export interface ShiftReport {
  /** Why it ended by itself; null where it was stopped. */
  readonly error: LeaseQueueError | null;
  /** Handlers that were told to stop and still run. */
  readonly abandoned: number;
  /** Attempts whose end the server did not hear of, so that their leases lapse. */
  readonly unsettled: number;
}

/** For what is still to be said to the server once nobody works any more. */
const LAST_WORDS_MS = 2_000;

export class Shift {
  readonly #parts: ShiftParts;
  readonly #keeper: LeaseKeeper;
  readonly #claimer: Claimer;
  readonly #settler: Settler;
  readonly #waiting: HeldLease[] = [];
  readonly #running = new Set<HeldLease>();
  /** Settlements on their way. */
  readonly #owed = new Set<Promise<unknown>>();
  readonly #graceOver = Promise.withResolvers<void>();
  readonly #hurry = new AbortController();
  readonly #ended = Promise.withResolvers<ShiftReport>();
  #error: LeaseQueueError | null = null;
  #taken = 0;
  #graceEndsMs = Number.POSITIVE_INFINITY;
  #isStopping = false;
  #onIdle: (() => void) | null = null;

  constructor(parts: ShiftParts) {
    const { lq, clock, chance, tell, workerId, queues, waitSeconds } = parts;
    this.#parts = parts;
    this.#keeper = new LeaseKeeper({ caller: lq.caller, clock, tell, offer: (due) => this.#claimer.offer(due) });
    this.#settler = new Settler({ lq, clock, chance, keeper: this.#keeper, tell });
    this.#claimer = new Claimer({
      ...{ caller: lq.caller, clock, chance, tell, workerId, queues, waitSeconds, atTurnEnd },
      keeper: () => this.#keeper,
      lanes: () => this.#lanes(),
      take: (leases, sentMs) => this.#take(leases, sentMs),
      refused: (error) => this.#refused(error),
    });
  }

  /** Resolves when it is over. */
  get ended(): Promise<ShiftReport> {
    return this.#ended.promise;
  }

  begin(): void {
    this.#claimer.plan();
  }

  /** Claims nothing more, lets what runs end within the grace, then tells it to, and hands back what is left. */
  stop(): Promise<ShiftReport> {
    if (!this.#isStopping) void this.#stop().then((report) => this.#ended.resolve(report));
    return this.ended;
  }

  /** Handlers are told to stop now, and have the abort grace. */
  endGrace(): void {
    this.#graceEndsMs = this.#parts.clock.monotonicMs();
    this.#graceOver.resolve();
    void this.stop();
  }

  /** Waits for nobody any more: everything that is held is handed back at once. */
  hurry(): void {
    this.#hurry.abort();
    void this.stop();
  }

  #lanes(): readonly Lane[] {
    const { concurrency, prefetch, maxJobs, registrations } = this.#parts;
    const held = [...this.#running, ...this.#waiting];
    const countOf = (registration: Registration): number => held.filter((lease) => lease.registration === registration).length;
    return openLanes(registrations, { countOf, room: Math.min(concurrency + prefetch - held.length, maxJobs - this.#taken) });
  }

  #take(leases: readonly ClaimedLease[], sentMs: number): void {
    this.#taken += leases.length;
    for (const claimed of leases) {
      const registration = this.#parts.registrations.find(({ task }) => task === null || task.name === claimed.job.task);
      if (registration === undefined) throw new Error(`the server gave a job of the task ${claimed.job.task}, which was not asked for`);
      const lease = new HeldLease(claimed, registration, sentMs);
      this.#keeper.add(lease);
      this.#waiting.push(lease);
    }
    if (this.#isStopping) this.#handBack(this.#waiting.splice(0));
    else this.#start();
  }

  #start(): void {
    while (this.#running.size < this.#parts.concurrency) {
      const lease = this.#waiting.shift();
      if (lease === undefined) return;
      // Its lease may be lost while it waited, or before it came: nobody has begun.
      if (this.#keeper.isAlive(lease)) void this.#work(lease);
      else if (!lease.isSettling) this.#owe(this.#settle(lease, outcomeOfAbort(lease) ?? { kind: 'lost' }, 0));
    }
  }

  async #work(lease: HeldLease): Promise<void> {
    const { clock, tell } = this.#parts;
    const startMs = clock.monotonicMs();
    this.#running.add(lease);
    tell({ type: 'job-started', job: lease.job });
    const performed = perform({ ...this.#parts, abort: (held, reason) => this.#keeper.abort(held, reason) }, lease);
    const outcome = await Promise.race([performed, this.#abandoned(lease, performed)]);
    this.#owe(this.#settle(lease, outcome, clock.monotonicMs() - startMs));
    await performed;
    this.#running.delete(lease);
    if (this.#running.size === 0) this.#onIdle?.();
    this.#start();
    this.#claimer.plan();
    this.#stopAfterLast();
  }

  #stopAfterLast(): void {
    if (this.#taken >= this.#parts.maxJobs && this.#running.size + this.#waiting.length === 0) void this.stop();
  }

  /** Resolves when the handler was told to stop, and did not within its time. */
  #abandoned(lease: HeldLease, performed: Promise<unknown>): Promise<Outcome> {
    const { clock, tell, abortGraceMs } = this.#parts;
    return new Promise((resolve) => {
      const wait = async (): Promise<void> => {
        await within(clock, this.#hurry.signal, abortGraceMs, performed);
        if (!this.#running.has(lease)) return;
        // In a hurry nobody had the time to end.
        if (!this.#hurry.signal.aborted) tell({ type: 'handler-stuck', job: lease.job });
        resolve(outcomeOfAbort(lease) ?? { kind: 'lost' });
      };
      lease.signal.addEventListener('abort', () => void wait(), { once: true });
    });
  }

  #settle(lease: HeldLease, outcome: Outcome, tookMs: number): Promise<void> {
    switch (outcome.kind) {
      case 'complete':
        return this.#complete(lease, outcome, tookMs);
      case 'fail':
        return this.#settler.fail(lease, outcome.failing, tookMs);
      case 'release':
        return this.#settler.release(lease, outcome.why, outcome.afterSeconds);
      case 'lost':
        this.#keeper.lose(lease, 'The handler ended after its lease.');
        return Promise.resolve();
    }
  }

  /** With the next claim where one is due, else by itself. */
  #complete(lease: HeldLease, { result, resultBytes }: Extract<Outcome, { readonly kind: 'complete' }>, tookMs: number): Promise<void> {
    lease.isSettling = true;
    return new Promise((resolve) => {
      const answered = (completed: CompletedResult | null): void => {
        if (completed === null) resolve(this.#settler.complete(lease, result, tookMs));
        else resolve(this.#settler.completed(lease, completed, tookMs));
      };
      this.#claimer.finish({ lease, result, resultBytes, answered });
    });
  }

  #owe(settlement: Promise<void>): void {
    this.#owed.add(settlement);
    void settlement.finally(() => this.#owed.delete(settlement));
  }

  #handBack(leases: readonly HeldLease[]): void {
    for (const lease of leases) if (!lease.isSettling) this.#owe(this.#settler.release(lease, 'shutdown'));
  }

  #refused(error: LeaseQueueError): void {
    this.#error = error;
    this.#parts.tell({ type: 'worker-refused', error });
    void this.stop();
  }

  async #stop(): Promise<ShiftReport> {
    const { clock, tell, graceMs, abortGraceMs } = this.#parts;
    const hurry = this.#hurry.signal;
    this.#isStopping = true;
    tell({ type: 'worker-stopping', running: this.#running.size });
    this.#graceEndsMs = Math.min(this.#graceEndsMs, clock.monotonicMs() + graceMs);
    const closed = this.#claimer.close();
    this.#handBack(this.#waiting.splice(0));
    await within(clock, hurry, graceMs, Promise.race([this.#idle(), this.#graceOver.promise]));
    for (const lease of this.#running) this.#keeper.abort(lease, 'shutdown');
    await within(clock, hurry, abortGraceMs, this.#idle());
    this.#handBack([...this.#running]);
    const leftMs = Math.max(LAST_WORDS_MS, this.#graceEndsMs - clock.monotonicMs());
    await within(clock, hurry, leftMs, this.#settled(closed), LAST_WORDS_MS);
    const report = { error: this.#error, abandoned: this.#running.size, unsettled: this.#keeper.size };
    this.#keeper.close();
    tell({ type: 'worker-stopped' });
    return report;
  }

  /** Ends when no handler runs. */
  #idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async #settled(closed: Promise<void>): Promise<void> {
    await closed;
    while (this.#owed.size > 0) await Promise.all(this.#owed);
  }
}
