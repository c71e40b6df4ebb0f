/** Somebody who uses the server as it is meant, while others do not: a producer, a worker and a subscriber in one. */
import { connectSocket, type TestSocket } from '../support/sockets.ts';

const HEADERS = { 'content-type': 'application/json', 'x-leasequeue-tenant': 'honest' };
const PATIENCE_MS = 20_000;
const SUBMIT = 'mutation { submitJob(input: {queue: "q", task: "t"}) { ... on SubmitJobSuccess { job { id } } } }';
const CLAIM = 'mutation { claimJobs(input: {queues: ["q"], workerId: "w"}) { leases { leaseToken job { id } } } }';
const COMPLETE = 'mutation ($id: ID!, $token: String!) { completeJob(input: {jobId: $id, leaseToken: $token}) { __typename } }';
const FOLLOW = 'subscription { jobEvents { ... on JobEventBatch { events { kind jobId } } } }';

export class HonestClient {
  readonly #url: string;
  readonly #socket: TestSocket;
  readonly #events: string[] = [];
  /** How long each request took. */
  readonly tookMs: number[] = [];

  private constructor(url: string, socket: TestSocket) {
    this.#url = url;
    this.#socket = socket;
  }

  static async connect(url: string): Promise<HonestClient> {
    const socket = await connectSocket(`${url.replace('http', 'ws')}/graphql`, { 'x-leasequeue-tenant': 'honest' });
    socket.subscribe('1', FOLLOW);
    await socket.next();
    return new HonestClient(url, socket);
  }

  /** A job from its submission to its end; throws where anything of it is not as it should be. Events have arrived as well. */
  async round(): Promise<void> {
    const { id } = (await this.#ask(SUBMIT)).submitJob.job;
    const [lease, ...others] = (await this.#ask(CLAIM)).claimJobs.leases;
    if (lease?.job.id !== id || others.length > 0) throw new Error(`claimed ${lease?.job.id} rather than ${id}`);
    const { __typename: outcome } = (await this.#ask(COMPLETE, { id, token: lease.leaseToken })).completeJob;
    if (outcome !== 'CompleteJobSuccess') throw new Error(`completed as ${outcome}`);
    const expected = ['SUBMITTED', 'CLAIMED', 'COMPLETED'].map((kind) => `${kind} ${id}`);
    while (this.#events.length < expected.length) {
      const { type, payload } = await Promise.race([this.#socket.next(), this.#socket.closed.then(({ code }) => ({ type: `the end ${code}`, payload: null }))]);
      if (type !== 'next') throw new Error(`the subscription got ${type}`);
      this.#events.push(...(payload.data.jobEvents.events as { kind: string; jobId: string }[]).map(({ kind, jobId }) => `${kind} ${jobId}`));
    }
    const seen = this.#events.splice(0);
    if (seen.join() !== expected.join()) throw new Error(`saw ${seen.join()} rather than ${expected.join()}`);
  }

  async close(): Promise<void> {
    this.#socket.socket.close();
    await this.#socket.closed;
  }

  // biome-ignore lint: answers are looked into by the caller, whose expectations are their types
  async #ask(query: string, variables: object = {}): Promise<any> {
    const startedAtMs = performance.now();
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: HEADERS,
      signal: AbortSignal.timeout(PATIENCE_MS),
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
    this.tookMs.push(performance.now() - startedAtMs);
    if (response.status !== 200 || errors !== undefined) throw new Error(`${response.status} ${JSON.stringify(errors)}`);
    return data;
  }
}
