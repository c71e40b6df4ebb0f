/** A producer and worker over HTTP that remembers what it was told, and what it asked for without being told. */
import { ask } from '../support/server-process.ts';

/** `code` of the error; `unreachable` where there was no answer at all. */
export interface Refusal {
  readonly code: string;
  readonly outcomeUnknown: boolean;
}

interface Told {
  readonly id: string;
  readonly state: string;
}

interface Lease {
  readonly leaseToken: string;
  readonly job: Told;
}

const mutation = (field: string, input: string, success: string): string =>
  `mutation($input: ${input}!) { ${field}(input: $input) { ... on ${success} { job { id state } } } }`;
const SUBMIT = mutation('submitJob', 'SubmitJobInput', 'SubmitJobSuccess');
const COMPLETE = mutation('completeJob', 'CompleteJobInput', 'CompleteJobSuccess');
const FAIL = mutation('failJob', 'FailJobInput', 'FailJobSuccess');
const CANCEL = mutation('cancelJob', 'CancelJobInput', 'CancelJobSuccess');
const CLAIM = 'mutation($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { leaseToken job { id state } } } }';

export class Client {
  readonly #url: string;
  /** By job: the states that it may be in, given the last answer about it and what was asked since. */
  readonly acknowledged = new Map<string, readonly string[]>();
  readonly refusals: Refusal[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Whether the server still answers as far as this client knows. */
  get isServed(): boolean {
    return this.refusals.length === 0;
  }

  async submit(): Promise<Told | null> {
    return this.#change(SUBMIT, { task: 't', payload: { text: 'x'.repeat(200) } }, null);
  }

  async cancel({ id }: Told): Promise<Told | null> {
    return this.#change(CANCEL, { id }, { id, state: 'CANCELLED' });
  }

  async complete({ leaseToken, job }: Lease): Promise<Told | null> {
    return this.#change(COMPLETE, { jobId: job.id, leaseToken, result: { ok: true } }, { ...job, state: 'COMPLETED' });
  }

  async fail({ leaseToken, job }: Lease): Promise<Told | null> {
    return this.#change(FAIL, { jobId: job.id, leaseToken, error: { message: 'no' } }, { ...job, state: 'RETRY' });
  }

  async claim(max: number): Promise<readonly Lease[]> {
    // An unanswered claim may have leased any job that waits.
    for (const [id, states] of this.acknowledged) if (states.includes('QUEUED')) this.acknowledged.set(id, [...states, 'RUNNING']);
    const answered = await this.#ask(CLAIM, { workerId: 'w', max, leaseSeconds: 600 });
    const leases = (answered?.['leases'] ?? []) as readonly Lease[];
    for (const { job } of leases) this.acknowledged.set(job.id, [job.state]);
    return leases;
  }

  async #change(query: string, input: Record<string, unknown>, wanted: Told | null): Promise<Told | null> {
    if (wanted !== null) this.acknowledged.set(wanted.id, [...(this.acknowledged.get(wanted.id) ?? []), wanted.state]);
    const answered = await this.#ask(query, input);
    const job = (answered?.['job'] ?? null) as Told | null;
    if (job !== null) this.acknowledged.set(job.id, [job.state]);
    return job;
  }

  async #ask(query: string, input: Record<string, unknown>): Promise<Record<string, unknown> | null> {
    try {
      const { data, errors } = await ask(this.#url, query, { input });
      for (const { extensions } of errors ?? []) {
        this.refusals.push({ code: String(extensions['code']), outcomeUnknown: extensions['outcomeUnknown'] === true });
      }
      return errors === undefined ? (Object.values(data ?? {})[0] ?? null) : null;
    } catch {
      this.refusals.push({ code: 'unreachable', outcomeUnknown: true });
      return null;
    }
  }
}
