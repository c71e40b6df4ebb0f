/** One stretch of work: the worker that production uses does jobs one after another, in a program of its own that may die. */
import type { Task } from '../client/task.ts';
import type { Handler, HandlerOptions, Middleware } from '../worker/registration.ts';
import { Worker } from '../worker/worker.ts';
import type { WorkerEvent } from '../worker/worker-events.ts';
import type { Faults } from './faults.ts';
import type { Program } from './program.ts';
import type { Timeline } from './timeline.ts';

/** What a test asked to be done with the jobs of a task. */
export interface Registered {
  readonly task: Task;
  readonly handler: Handler<Task>;
  readonly options: HandlerOptions;
}

export interface ShiftParts {
  readonly program: Program;
  readonly timeline: Pick<Timeline, 'rest' | 'step'>;
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly registered: readonly Registered[];
  readonly middleware: readonly Middleware[];
  /** Asked when a handler has ended: true where the program dies before it can say so. */
  readonly crashesNow: () => boolean;
  readonly faults: Pick<Faults, 'isRepeatOwed' | 'forget'>;
  /** After so many jobs it takes no more. */
  readonly jobsMax: number;
}

/** An attempt that was begun. */
export interface Begun {
  readonly jobId: string;
  readonly fence: number;
  /** What its handler threw; null where it threw nothing. */
  error: unknown;
}

/** A handler may take as long as the test lets pass. */
const GRACE = '3650d';
/** How long the worker, or a handler, may try to reach the server. */
const PATIENCE_MS = 120_000;

const NEVER = new Promise<never>(() => {});

export class Shift {
  readonly #parts: ShiftParts;
  readonly #worker: Worker;
  readonly #begun: Begun[] = [];
  #running = 0;
  #handlerEnded = Promise.withResolvers<void>();
  #isStopped = false;

  constructor(parts: ShiftParts) {
    const { program, workerId, queues, registered, middleware } = parts;
    this.#parts = parts;
    const onEvent = (event: WorkerEvent): void => this.#told(event);
    this.#worker = new Worker(program.lq, { queues, workerId, grace: GRACE, onEvent });
    this.#worker.use((_context, next) => this.#watched(next));
    for (const around of middleware) this.#worker.use(around);
    for (const { task, handler, options } of registered) this.#worker.on(task, handler, options);
  }

  /** Ends when nothing is left that is due, when it has done its jobs, or when its program died. */
  async work(): Promise<readonly Begun[]> {
    const { program } = this.#parts;
    try {
      this.#worker.start();
      await this.#until(() => this.#isStopped || program.waiting > 0);
      this.#stop();
      await this.#until(() => this.#isStopped);
      return this.#begun;
    } finally {
      program.kill();
    }
  }

  /** Waits for handlers as long as they take; lets time pass only for those who have to try again. */
  async #until(isDone: () => boolean): Promise<void> {
    const { program, timeline, faults } = this.#parts;
    for (let patienceMs = PATIENCE_MS; ; ) {
      await timeline.rest();
      const [isBusy, handlerEnded] = [this.#running > 0, this.#handlerEnded.promise];
      if (program.isDead || (!isBusy && isDone())) return;
      const passedMs = !isBusy || faults.isRepeatOwed ? await timeline.step(patienceMs) : 0;
      if (passedMs === 0 && !isBusy) throw new Error(`The worker of the test queue did not get through to it within ${PATIENCE_MS / 1_000} s of its time.`);
      if (passedMs === 0) await handlerEnded;
      patienceMs -= passedMs;
    }
  }

  #told(event: WorkerEvent): void {
    if (event.type === 'job-started') {
      this.#begun.push({ jobId: event.job.id, fence: event.job.fence, error: null });
      if (this.#begun.length >= this.#parts.jobsMax) this.#stop();
    } else if (event.type === 'job-failed') {
      const begun = this.#begun.find(({ jobId, fence }) => jobId === event.job.id && fence === event.job.fence);
      if (begun !== undefined) begun.error = event.error;
    }
  }

  async #watched(next: () => Promise<unknown>): Promise<unknown> {
    this.#running += 1;
    try {
      return await next();
    } finally {
      this.#running -= 1;
      const crashes = this.#parts.crashesNow();
      if (crashes) this.#parts.program.kill();
      this.#parts.faults.forget();
      this.#handlerEnded.resolve();
      this.#handlerEnded = Promise.withResolvers();
      if (crashes) await NEVER;
    }
  }

  #stop(): void {
    if (this.#parts.program.isDead) return;
    void this.#worker.stop().then(() => {
      this.#isStopped = true;
    });
  }
}
