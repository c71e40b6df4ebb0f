/** The worker: takes jobs of its tasks from their queues and runs their handlers, until it is stopped. */
import type { LeaseQueue } from '../client/client.ts';
import { type Duration, durationMs } from '../client/duration.ts';
import type { Task } from '../client/task.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  badSettings,
  checkCount,
  type Handler,
  type HandlerOptions,
  type JobContext,
  type Middleware,
  type Registration,
  registrationOf,
} from './registration.ts';
import { Shift, type ShiftReport } from './shift.ts';
import { untilSignals } from './signals.ts';
import type { Tell, WorkerEvent } from './worker-events.ts';

export interface WorkerOptions {
  /** In order of preference: an earlier queue is emptied first. 1 to 100; `default` where absent. */
  readonly queues?: readonly string[];
  /** Handlers that run at the same time; 1 where absent. */
  readonly concurrency?: number;
  /** Jobs that wait here, leased and kept alive, so that a free slot has work at once; 0 where absent. */
  readonly prefetch?: number;
  /** For people who look at who holds a lease, 1 to 128 visible characters. Absent: made up. */
  readonly workerId?: string;
  /** Length of leases of tasks that name none, 5 s to 1 h; `60s` where absent. Heartbeats keep them alive for as long as a handler runs. */
  readonly lease?: Duration;
  /** How long a claim waits at the server for work, up to 30 s and to a third of the lease; `20s` where absent. */
  readonly wait?: Duration;
  /** How long handlers may go on after a stop; `25s` where absent. */
  readonly grace?: Duration;
  /** How long a handler whose signal was aborted may take to return; `5s` where absent. */
  readonly abortGrace?: Duration;
  /** Attempts that it begins at most; once the last of them has ended, it stops. Absent: as many as there are. */
  readonly maxJobs?: number;
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: (event: WorkerEvent) => void;
  /** Absent: the client's. */
  readonly clock?: Clock;
  /** Absent: the client's. */
  readonly chance?: Chance;
}

export interface RunReport extends ShiftReport {
  /** What stopped it; null where it stopped otherwise. */
  readonly signal: 'SIGTERM' | 'SIGINT' | null;
}

const DEFAULTS = { concurrency: 1, prefetch: 0, lease: '60s', wait: '20s', grace: '25s', abortGrace: '5s' } as const;

export class Worker {
  readonly #lq: LeaseQueue;
  readonly #options: WorkerOptions;
  readonly #registrations: Registration[] = [];
  readonly #middleware: Middleware[] = [];
  #shift: Shift | null = null;

  /** Throws BAD_SETTINGS. */
  constructor(lq: LeaseQueue, options: WorkerOptions = {}) {
    checkCount('`concurrency`', options.concurrency ?? DEFAULTS.concurrency, 1);
    checkCount('`prefetch`', options.prefetch ?? DEFAULTS.prefetch, 0);
    if (options.maxJobs !== undefined) checkCount('`maxJobs`', options.maxJobs, 1);
    if (options.queues?.length === 0) throw badSettings('`queues` names no queue.');
    for (const duration of [options.lease, options.wait, options.grace, options.abortGrace]) if (duration !== undefined) durationMs(duration);
    this.#lq = lq;
    this.#options = options;
  }

  /** Does the jobs of a task. */
  on<Definition extends Task>(task: Definition, handler: Handler<Definition>, options: HandlerOptions = {}): this {
    if (this.#registrations.some((registration) => registration.task === null || registration.task.name === task.name))
      throw badSettings(`There is a handler for ${task.name} already.`);
    return this.#register(task, handler, options);
  }

  /** Does every job of the queues, whatever its task. It is then the only handler. */
  onAny(handler: (context: JobContext<Readonly<Record<string, unknown>>>) => unknown, options: Pick<HandlerOptions, 'timeout'> = {}): this {
    if (this.#registrations.length > 0) throw badSettings('A handler for every task stands alone.');
    return this.#register(null, handler, options);
  }

  /** Puts something around every handler that is called from now on; the first is the outermost. */
  use(middleware: Middleware): this {
    this.#middleware.push(middleware);
    return this;
  }

  /** Begins to work, and returns at once. */
  start(): void {
    if (this.#shift !== null) throw badSettings('The worker was started before.');
    if (this.#registrations.length === 0) throw badSettings('The worker has no handler.');
    this.#shift = new Shift(this.#shiftParts());
    this.#shift.begin();
  }

  /** Resolves when it is over, however that came. */
  get ended(): Promise<ShiftReport> {
    if (this.#shift === null) throw badSettings('The worker was not started.');
    return this.#shift.ended;
  }

  /**
   * Claims nothing more and keeps the leases alive while handlers end, for the grace; then aborts their signals, waits for
   * the abort grace, and hands back what is left. Resolves when all is done. A second call changes nothing.
   */
  async stop(): Promise<ShiftReport> {
    if (this.#shift === null) throw badSettings('The worker was not started.');
    return this.#shift.stop();
  }

  /** Stops with no grace, or ends the one that runs: the signals of all jobs abort now. Their handlers still have the abort grace. */
  async stopSoon(): Promise<ShiftReport> {
    this.#shift?.endGrace();
    return this.stop();
  }

  /** Stops without waiting for handlers: their signals abort, and their jobs are handed back a turn of the event loop later. */
  async stopNow(): Promise<ShiftReport> {
    this.#shift?.hurry();
    return this.stop();
  }

  /**
   * Works until SIGTERM or SIGINT, then stops as `stop` does; a second signal stops at once. Where handlers are left that
   * do not return, or a second signal came, the process ends with 128 + the signal's number; else the promise resolves, and
   * the program ends as it likes. Rejects where the server refuses the worker for good, once it has stopped.
   */
  async run(): Promise<RunReport> {
    this.start();
    const shift = this.#shift as Shift;
    const signals = untilSignals({ first: () => void shift.stop(), second: () => shift.hurry() });
    const report = await shift.ended;
    signals.release();
    if (signals.count() > 1 || (report.abandoned > 0 && signals.first() !== null)) signals.exit();
    if (report.error !== null) throw report.error;
    return { ...report, signal: signals.first() };
  }

  #register(task: Task | null, handler: Registration['handler'], options: HandlerOptions): this {
    if (this.#shift !== null) throw badSettings('Handlers are named before the worker starts.');
    this.#registrations.push(registrationOf(task, handler, options, this.#options.lease ?? DEFAULTS.lease));
    return this;
  }

  #shiftParts(): ConstructorParameters<typeof Shift>[0] {
    const { clock = this.#lq.clock, chance = this.#lq.chance, concurrency = DEFAULTS.concurrency, prefetch = DEFAULTS.prefetch } = this.#options;
    const { maxJobs = Number.POSITIVE_INFINITY, queues = ['default'], workerId = `worker-${chance.word().slice(0, 12)}` } = this.#options;
    const waitSeconds = Math.min(LIMITS.waitSecondsMax, Math.floor(durationMs(this.#options.wait ?? DEFAULTS.wait) / 1_000));
    const [graceMs, abortGraceMs] = [durationMs(this.#options.grace ?? DEFAULTS.grace), durationMs(this.#options.abortGrace ?? DEFAULTS.abortGrace)];
    const rest = { lq: this.#lq, middleware: this.#middleware, registrations: this.#registrations, tell: this.#tell };
    return { clock, chance, concurrency, prefetch, maxJobs, queues, workerId, waitSeconds: Math.max(1, waitSeconds), graceMs, abortGraceMs, ...rest };
  }

  readonly #tell: Tell = (event) => {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A log that fails must not cost a lease.
    }
  };
}
