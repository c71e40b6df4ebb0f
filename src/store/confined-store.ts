/**
 * The repository as the holder of a key sees it that is restricted to some queues: every job of another queue is as
 * good as none, and nothing can be asked of another queue by name. A job never changes its queue.
 */
import { failed, type JobNotFound } from '../domain/failures.ts';
import type { TenantId } from '../domain/job.ts';
import type { BulkAnswer } from './answers.ts';
import { confinedReads, type ConfinedReads, narrowed } from './confined-reads.ts';
import type { JobsTarget } from './requests.ts';
import { type JobStore, QueueForbidden } from './store.ts';

export function confine(store: JobStore, queues: ReadonlySet<string>): JobStore {
  const view = new View(store, queues);
  return { ...confinedReads(store, queues), ...byQueue(store, view), ...byJob(store, view) };
}

interface JobCommand {
  readonly jobId: string;
}
type NotFound = { readonly ok: false; readonly failure: JobNotFound };

function notFound(jobId: string): NotFound {
  return failed({ code: 'JOB_NOT_FOUND', jobId });
}

/** No id begins with it: what it marks is an id of nothing, for whatever the store does with those. */
const UNSEEN = '\0';

class View {
  readonly #store: JobStore;
  readonly #queues: ReadonlySet<string>;

  constructor(store: JobStore, queues: ReadonlySet<string>) {
    this.#store = store;
    this.#queues = queues;
  }

  /** Throws QueueForbidden unless all of them may be named. */
  require(...names: readonly string[]): void {
    if (!names.every((name) => this.#queues.has(name))) throw new QueueForbidden();
  }

  async ifSeen<Answer>(tenant: TenantId, jobId: string, run: () => Promise<Answer>): Promise<Answer | NotFound> {
    return (await this.#sees(tenant, jobId)) ? run() : notFound(jobId);
  }

  /** Runs the commands about jobs that are seen; answers JobNotFound for the others, in the order of the commands. */
  async sift<Command extends JobCommand>(tenant: TenantId, commands: readonly Command[]): Promise<Sifted<Command>> {
    const isSeen = await Promise.all(commands.map(({ jobId }) => this.#sees(tenant, jobId)));
    return {
      seen: commands.filter((_command, index) => isSeen[index]),
      merge(answers) {
        const rest = answers.values();
        return commands.map(({ jobId }, index) => (isSeen[index] === true ? rest.next().value : undefined) ?? notFound(jobId));
      },
    };
  }

  async target(tenant: TenantId, target: JobsTarget): Promise<JobsTarget> {
    if ('filter' in target) return { filter: narrowed(target.filter, this.#queues) };
    const isSeen = await Promise.all(target.ids.map((id) => this.#sees(tenant, id)));
    return { ids: target.ids.map((id, index) => (isSeen[index] === true ? id : UNSEEN + id)) };
  }

  async #sees(tenant: TenantId, id: string): Promise<boolean> {
    const job = await this.#store.jobById(tenant, id);
    return job !== null && this.#queues.has(job.queue);
  }
}

interface Sifted<Command> {
  readonly seen: readonly Command[];
  merge<Answer>(answers: readonly Answer[]): readonly (Answer | NotFound)[];
}

function withoutMarks(answer: BulkAnswer): BulkAnswer {
  const samples = answer.samples.map((sample) => (sample.jobId.startsWith(UNSEEN) ? { ...sample, jobId: sample.jobId.slice(UNSEEN.length) } : sample));
  return { ...answer, samples };
}

type ByQueue = Pick<JobStore, 'submit' | 'claim' | 'bulk' | 'configureQueue' | 'pauseQueue' | 'resumeQueue'>;
type ByJob = Omit<JobStore, keyof ByQueue | keyof ConfinedReads>;

function byQueue(store: JobStore, view: View): ByQueue {
  return {
    submit: async (tenant, caller, requests, ...how) => {
      view.require(...requests.map(({ queue }) => queue));
      return store.submit(tenant, caller, requests, ...how);
    },
    claim: async (tenant, caller, request, signal) => {
      view.require(...request.queues);
      const { seen, merge } = await view.sift(tenant, request.completing);
      const answer = await store.claim(tenant, caller, { ...request, completing: seen }, signal);
      return { ...answer, completed: merge(answer.completed) };
    },
    bulk: async (tenant, caller, request) => withoutMarks(await store.bulk(tenant, caller, { ...request, target: await view.target(tenant, request.target) })),
    configureQueue: async (tenant, caller, request) => {
      view.require(request.name);
      return store.configureQueue(tenant, caller, request);
    },
    pauseQueue: async (tenant, caller, name, reason) => {
      view.require(name);
      return store.pauseQueue(tenant, caller, name, reason);
    },
    resumeQueue: async (tenant, caller, name) => {
      view.require(name);
      return store.resumeQueue(tenant, caller, name);
    },
  };
}

function byJob(store: JobStore, view: View): ByJob {
  return {
    heartbeat: async (tenant, caller, requests) => {
      const { seen, merge } = await view.sift(tenant, requests);
      const { results, nowMs } = await store.heartbeat(tenant, caller, seen);
      return { results: merge(results), nowMs };
    },
    complete: async (tenant, caller, requests) => {
      const { seen, merge } = await view.sift(tenant, requests);
      return merge(await store.complete(tenant, caller, seen));
    },
    release: async (tenant, caller, requests) => {
      const { seen, merge } = await view.sift(tenant, requests);
      return merge(await store.release(tenant, caller, seen));
    },
    fail: (tenant, caller, request) => view.ifSeen(tenant, request.jobId, () => store.fail(tenant, caller, request)),
    cancel: (tenant, caller, request) => view.ifSeen(tenant, request.jobId, () => store.cancel(tenant, caller, request)),
    redrive: (tenant, caller, request) => view.ifSeen(tenant, request.jobId, () => store.redrive(tenant, caller, request)),
    reschedule: (tenant, caller, request) => view.ifSeen(tenant, request.jobId, () => store.reschedule(tenant, caller, request)),
  };
}
