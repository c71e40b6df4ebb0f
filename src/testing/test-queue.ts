/**
 * A queue for tests: the state machine, the API, the client and the worker that production uses, in this process, in
 * memory, and in a time that passes only when the test says so.
 */
import { DEFAULT_TENANT } from '../auth/authenticate.ts';
import { parseTenantId } from '../auth/principal.ts';
import type { LeaseQueue } from '../client/client.ts';
import { type Duration, durationMs } from '../client/duration.ts';
import { LeaseQueueError } from '../client/errors.ts';
import type { JobEventKind, JobState } from '../client/generated/graphql.ts';
import type { Task, TaskInput } from '../client/task.ts';
import type { TenantId } from '../domain/job.ts';
import type { Handler, HandlerOptions, Middleware } from '../worker/registration.ts';
import { noJob, submittedJob } from './expectations.ts';
import type { RequestFault } from './faults.ts';
import { openParts, type QueueParts } from './queue-parts.ts';
import type { Run, TestJob } from './runner.ts';

export interface TestQueueOptions {
  /** When it begins; 2026-01-01T00:00:00Z where absent. */
  readonly now?: Date | string | number;
  /** Whose queue it is; `default` where absent. */
  readonly tenant?: string;
  /** The same seed gives the same ids, tokens and jitter; 1 where absent. */
  readonly seed?: number;
  /**
   * `manual`, where absent: jobs run in `drain`, `runOne`, and in workers that the test starts.
   * `inline`: a job that has a handler runs before its submission resolves, or while `advance` passes the time at which it is due.
   */
  readonly mode?: 'manual' | 'inline';
}

export interface JobsWanted {
  readonly task?: Task | string;
  readonly state?: JobState;
  readonly queue?: string;
}

/** What a payload may be expected to hold. */
export type Partially<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: Partially<Value[Name]> }
    : Value;

const NOW_MS = Date.UTC(2026, 0, 1);

/** Throws BAD_SETTINGS. */
export async function createTestQueue({ now = NOW_MS, tenant = DEFAULT_TENANT, seed = 1, mode = 'manual' }: TestQueueOptions = {}): Promise<TestQueue> {
  const owner = parseTenantId(tenant);
  const nowMs = new Date(now).getTime();
  if (owner === null) throw badSettings('The tenant has to be 1 to 64 characters of a-z, 0-9 and -.');
  if (!Number.isFinite(nowMs)) throw badSettings('`now` is no instant: use a Date, milliseconds, or text such as 2026-03-01T00:00:00Z.');
  return new TestQueue(await openParts({ tenant: owner, nowMs, seed, isInline: mode === 'inline' }), owner);
}

export class TestQueue implements AsyncDisposable {
  /** For the code under test, also for workers that it starts: the client that production uses, with the queue's time and chance. */
  readonly lq: LeaseQueue;
  readonly #parts: QueueParts;
  readonly #tenant: TenantId;

  constructor(parts: QueueParts, tenant: TenantId) {
    this.lq = parts.lq;
    this.#parts = parts;
    this.#tenant = tenant;
  }

  now(): Date {
    return new Date(this.#parts.clock.nowMs());
  }

  /**
   * Lets time pass, from one moment at which something is due to the next. Ends once everything that was due until then has
   * happened in this process; it does not wait for handlers that wait for something else. `0` lets happen what is due now.
   */
  advance(time: Duration): Promise<void> {
    return this.#parts.timeline.advance(durationMs(time));
  }

  /** Does the jobs of a task in `drain` and `runOne`, and in inline mode. A later handler of the same task takes its place. */
  on<Definition extends Task>(task: Definition, handler: Handler<Definition>, options: HandlerOptions = {}): this {
    this.#parts.runner.register({ task, handler: handler as Handler<Task>, options });
    return this;
  }

  /** Puts something around every handler; the first is the outermost. */
  use(middleware: Middleware): this {
    this.#parts.runner.use(middleware);
    return this;
  }

  /** Runs everything that is due now and has a handler, one job after another, also what becomes due by that. Answers what ran, in order. */
  drain(): Promise<readonly Run[]> {
    return this.#parts.runner.drain();
  }

  /** Runs the next job that is due and has a handler. Throws where there is none. */
  async runOne(): Promise<Run> {
    const [run] = await this.#parts.runner.run(1);
    if (run !== undefined) return run;
    throw new Error('No job is due that has a handler. Submit one, let time pass with `advance`, or name its handler with `on`.');
  }

  /** Null where there is none. */
  job(id: string): Promise<TestJob | null> {
    return this.#parts.watcher.job({ id }, { attempts: 100 });
  }

  /** In the order in which they were submitted. */
  async jobs({ task, state, queue }: JobsWanted = {}): Promise<readonly TestJob[]> {
    const filter = {
      ...(task !== undefined && { tasks: [nameOf(task)] }),
      ...(state !== undefined && { states: [state] }),
      ...(queue !== undefined && { queues: [queue] }),
    };
    const found: TestJob[] = [];
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const page: Awaited<ReturnType<LeaseQueue['jobs']>> = await this.#parts.watcher.jobs({ first: 100, after, filter, orderBy: 'OLDEST_FIRST' });
      for (const { id } of page.nodes) found.push((await this.job(id)) as TestJob);
      [after, hasMore] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
    }
    return found;
  }

  /** What happened to a job, in order. */
  async events(id: string): Promise<readonly JobEventKind[]> {
    const kinds: JobEventKind[] = [];
    for (let page = await this.#timeline(id, null); ; page = await this.#timeline(id, page.position)) {
      kinds.push(...page.events.map(({ kind }) => kind));
      if (!page.hasMore) return kinds;
    }
  }

  #timeline(id: string, after: Parameters<QueueParts['store']['timeline']>[2]): ReturnType<QueueParts['store']['timeline']> {
    return this.#parts.store.timeline(this.#tenant, id, after, 100);
  }

  /** The latest job of the task whose payload holds this. Throws an AssertionError where there is none. */
  async expectSubmitted<Definition extends Task>(
    task: Definition,
    payload: Partially<TaskInput<Definition>> = {} as Partially<TaskInput<Definition>>,
  ): Promise<TestJob> {
    return submittedJob(task.name, await this.jobs({ task }), payload as object);
  }

  /** Throws an AssertionError where a job was submitted, or one of the task. */
  async expectNothingSubmitted(task?: Task): Promise<void> {
    noJob(task === undefined ? '' : ` of ${task.name}`, await this.jobs(task === undefined ? {} : { task }));
  }

  /** Ends the lease of a running job now, as time would after a crash of its worker: the job is there for the next claim. Throws where it does not run. */
  async loseLease(id: string): Promise<void> {
    if (!(await this.#parts.store.lapse(this.#tenant, id))) throw new Error(`Job ${id} does not run: there is no lease to lose.`);
    await this.#parts.timeline.rest();
  }

  /** When the next handler of `drain` or `runOne` has ended, its worker dies before it can say so. The lease runs out with time. */
  crashBeforeAck(): void {
    this.#parts.crashes.planned += 1;
  }

  /**
   * Makes the next request fail, of `lq` or of a worker; with `field` the next one that asks for this field of the API, such
   * as `submitJobs` or `claimJobs`. The client repeats it after a pause, for which time has to pass.
   */
  failNextRequest(fault: RequestFault, field?: string): void {
    this.#parts.faults.plan(fault, field ?? null);
  }

  /** Ends everything that is open. Later calls of the client are refused. */
  close(): Promise<void> {
    return this.#parts.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function nameOf(task: Task | string): string {
  return typeof task === 'string' ? task : task.name;
}

function badSettings(message: string): LeaseQueueError {
  return new LeaseQueueError({ code: 'BAD_SETTINGS', message });
}
