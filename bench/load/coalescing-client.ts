/**
 * A client as the library for users works: all calls of one turn of the event loop travel as one request. Plain and
 * small, so that it measures the server and the protocol rather than itself.
 */
import { CLAIM, COMPLETE, HEARTBEAT, SUBMIT_MANY } from './documents.ts';
import { GraphqlClient, must, type Typed } from './graphql-client.ts';

export interface Lease {
  readonly leaseToken: string;
  readonly job: { readonly id: string; readonly payload: { readonly n: number } };
}
interface Completion {
  readonly jobId: string;
  readonly leaseToken: string;
}
/** Of `submitJobs`, `completeJobs` and `heartbeat`. */
const BATCH_MAX = 500;

/** Gathers what is asked for in one turn and asks for it at once. */
class Batch<Item, Result> {
  readonly #ask: (items: readonly Item[]) => Promise<readonly Result[]>;
  #items: Item[] = [];
  #waiting: { resolve(result: Result): void; reject(error: unknown): void }[] = [];

  constructor(ask: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#ask = ask;
  }

  add(item: Item): Promise<Result> {
    if (this.#items.length === 0) setImmediate(() => this.#flush());
    this.#items.push(item);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  #flush(): void {
    while (this.#items.length > 0) {
      const items = this.#items.splice(0, BATCH_MAX);
      const waiting = this.#waiting.splice(0, BATCH_MAX);
      this.#ask(items).then(
        (results) => waiting.forEach(({ resolve }, index) => resolve(results[index] as Result)),
        (error: unknown) => waiting.forEach(({ reject }) => reject(error)),
      );
    }
  }
}

export interface ClientOptions {
  readonly url: string;
  readonly queue: string;
  /** Absent: nobody signs in. */
  readonly key?: string | null;
}

export class CoalescingClient {
  readonly #options: ClientOptions;
  readonly #client: GraphqlClient;
  readonly #submissions: Batch<number, Typed>;
  readonly #completions: Batch<Completion, Typed>;
  readonly #heartbeats: Batch<Completion, Typed>;
  #requests = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#client = new GraphqlClient(options.url, options.key ?? null);
    this.#submissions = new Batch((ns) => this.#submitMany(ns));
    this.#completions = new Batch(async (jobs) => (await this.#call<{ results: readonly Typed[] }>('completeJobs', COMPLETE, { jobs })).results);
    this.#heartbeats = new Batch(async (leases) => (await this.#call<{ results: readonly Typed[] }>('heartbeat', HEARTBEAT, { leases })).results);
  }

  async submit(n: number): Promise<void> {
    must('SubmitJobSuccess', await this.#submissions.add(n));
  }

  async submitMany(ns: readonly number[]): Promise<void> {
    for (const result of await this.#submitMany(ns)) must('SubmitJobSuccess', result);
  }

  async claim(input: { max: number; waitSeconds: number; leaseSeconds: number; workerId: string }, completing: readonly Lease[]): Promise<readonly Lease[]> {
    this.#requests += 1;
    const rest = { queues: [this.#options.queue], requestId: `${input.workerId}-${this.#requests}`, completing: completing.map(completionOf) };
    const { completed, leases } = await this.#call<{ completed: readonly Typed[]; leases: readonly Lease[] }>('claimJobs', CLAIM, { ...input, ...rest });
    for (const result of completed) must('CompleteJobSuccess', result);
    return leases;
  }

  async complete(lease: Lease): Promise<void> {
    must('CompleteJobSuccess', await this.#completions.add(completionOf(lease)));
  }

  async heartbeat(lease: Lease): Promise<void> {
    must('LeaseRenewed', await this.#heartbeats.add(completionOf(lease)));
  }

  close(): void {
    this.#client.close();
  }

  async #submitMany(ns: readonly number[]): Promise<readonly Typed[]> {
    const jobs = ns.map((n) => ({ queue: this.#options.queue, task: 'noop', payload: { n } }));
    return (await this.#call<{ results: readonly Typed[] }>('submitJobs', SUBMIT_MANY, { jobs })).results;
  }

  #call<Result>(field: string, document: string, input: object): Promise<Result> {
    return this.#client.call<Result>(field, document, { input });
  }
}

function completionOf({ job, leaseToken }: Lease): Completion {
  return { jobId: job.id, leaseToken };
}
