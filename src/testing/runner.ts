/** Runs the jobs that are due with the handlers of a test, and tells what came of each. */
import type { LeaseQueue } from '../client/client.ts';
import type { Middleware } from '../worker/registration.ts';
import type { Faults } from './faults.ts';
import type { Program } from './program.ts';
import { type Begun, type Registered, Shift } from './shift.ts';
import type { Timeline } from './timeline.ts';

export type TestJob = NonNullable<Awaited<ReturnType<LeaseQueue['job']>>>;

/**
 * - `completed`, `released`, `cancelled`: so it was reported.
 * - `retry`, `dead`: it failed, and there is another attempt to come, or none.
 * - `lease-lost`: the lease was over before it could be reported.
 * - `crashed`: it was never reported, and the lease is still there.
 */
export type RunOutcome = 'completed' | 'retry' | 'dead' | 'released' | 'cancelled' | 'lease-lost' | 'crashed';

/** One attempt that was run. */
export interface Run {
  /** As it is now. */
  readonly job: TestJob;
  readonly outcome: RunOutcome;
  readonly fence: number;
  /** What the handler threw; null where it threw nothing. */
  readonly error: unknown;
}

export interface RunnerParts {
  /** For looking at what is there. */
  readonly lq: LeaseQueue;
  readonly timeline: Timeline;
  readonly startProgram: () => Program;
  readonly crashesNow: () => boolean;
  readonly faults: Pick<Faults, 'isRepeatOwed' | 'forget'>;
}

/** More at one moment is a job that submits itself for ever. */
const JOBS_MAX = 10_000;

export class Runner {
  readonly #parts: RunnerParts;
  readonly #registered: Registered[] = [];
  readonly #middleware: Middleware[] = [];
  #shifts = 0;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** The latest handler of a task is the one that counts. */
  register(registered: Registered): void {
    const known = this.#registered.findIndex(({ task }) => task.name === registered.task.name);
    this.#registered.splice(known === -1 ? this.#registered.length : known, 1, registered);
  }

  use(middleware: Middleware): void {
    this.#middleware.push(middleware);
  }

  /** Until nothing is left that is due and has a handler. */
  async drain(): Promise<readonly Run[]> {
    const runs: Run[] = [];
    for (;;) {
      const ran = await this.run(JOBS_MAX);
      if (ran.length === 0) return runs;
      runs.push(...ran);
      if (runs.length >= JOBS_MAX) throw new Error(`${runs.length} jobs have run and there may be more: does a job submit itself for ever?`);
    }
  }

  /** So many at most, one after another. */
  async run(jobsMax: number): Promise<readonly Run[]> {
    const { timeline, startProgram } = this.#parts;
    await timeline.rest();
    const queues = this.#registered.length === 0 ? [] : await this.#queuesWithWork();
    if (queues.length === 0) return [];
    this.#shifts += 1;
    const rest = { program: startProgram(), workerId: `test-worker-${this.#shifts}`, queues, registered: this.#registered, middleware: this.#middleware };
    const shift = new Shift({ ...this.#parts, ...rest, jobsMax });
    return Promise.all((await shift.work()).map((begun) => this.#runOf(begun)));
  }

  async #queuesWithWork(): Promise<readonly string[]> {
    const names: string[] = [];
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const page: Awaited<ReturnType<LeaseQueue['queues']>> = await this.#parts.lq.queues({ first: 100, ...(after !== null && { after }) });
      names.push(...page.nodes.filter(({ paused, stats }) => !paused && stats.ready > 0).map(({ name }) => name));
      [after, hasMore] = [page.pageInfo.endCursor ?? null, page.pageInfo.hasNextPage];
    }
    return names.slice(0, 100);
  }

  async #runOf({ jobId, fence, error }: Begun): Promise<Run> {
    const job = await this.#parts.lq.job({ id: jobId }, { attempts: 100 });
    if (job === null) throw new Error(`Job ${jobId} ran and is gone: did the handler purge it?`);
    return { job, outcome: outcomeOf(job, fence), fence, error };
  }
}

function outcomeOf({ state, attempts }: TestJob, fence: number): RunOutcome {
  switch (attempts.nodes.find((attempt) => attempt.fence === fence)?.outcome) {
    case 'COMPLETED':
      return 'completed';
    case 'FAILED':
      return state === 'DEAD' ? 'dead' : 'retry';
    case 'RELEASED':
      return 'released';
    case 'CANCELLED':
      return 'cancelled';
    case 'LEASE_EXPIRED':
    case 'REVOKED':
      return 'lease-lost';
    default:
      return 'crashed';
  }
}
