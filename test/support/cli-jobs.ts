/** Jobs as a worker leaves them, for tests of the command line. */
import type { TestApp } from './app.ts';
import { ask } from './server-process.ts';

/** A server in this process, or another one. */
export type Asked = Pick<TestApp, 'submit'> & {
  graphql(
    query: string,
    variables?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly data: any; readonly errors: readonly { readonly message: string }[] }>;
};

export function serverAt(url: string): Asked {
  const graphql: Asked['graphql'] = async (query, variables = {}) => {
    const { data, errors = [] } = await ask(url, query, variables as Record<string, unknown>);
    return { data, errors };
  };
  return {
    graphql,
    async submit(change = {}) {
      const { data } = await graphql('mutation ($job: SubmitJobInput!) { submitJob(input: $job) { ... on SubmitJobSuccess { job { id } } } }', {
        job: { queue: 'q', task: 't', ...change },
      });
      return data.submitJob.job.id as string;
    },
  };
}

export interface Lease {
  readonly id: string;
  readonly token: string;
}

const CLAIM = `mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { leaseToken job { id } } } }`;
const FAIL = 'mutation ($input: FailJobInput!) { failJob(input: $input) { __typename } }';
const COMPLETE = 'mutation ($input: CompleteJobInput!) { completeJob(input: $input) { __typename } }';

function headers(tenant: string): Record<string, string> {
  return { 'x-leasequeue-tenant': tenant };
}

export async function claim(app: Asked, queue: string, max: number, tenant = 'default'): Promise<readonly Lease[]> {
  const { data } = await app.graphql(CLAIM, { input: { queues: [queue], workerId: 'w1', max } }, headers(tenant));
  const leases = data.claimJobs.leases as readonly { readonly leaseToken: string; readonly job: { readonly id: string } }[];
  return leases.map(({ leaseToken, job }) => ({ id: job.id, token: leaseToken }));
}

export async function claimOne(app: Asked, queue: string): Promise<Lease> {
  const [lease] = await claim(app, queue, 1);
  if (lease === undefined) throw new Error(`there is no job in ${queue}`);
  return lease;
}

export async function failJob(app: Asked, { id, token }: Lease, tenant = 'default', error: object = { type: 'Boom', message: 'it broke' }): Promise<void> {
  await app.graphql(FAIL, { input: { jobId: id, leaseToken: token, error, retry: { never: true } } }, headers(tenant));
}

export async function completeJob(app: Asked, { id, token }: Lease, result: unknown = null): Promise<void> {
  await app.graphql(COMPLETE, { input: { jobId: id, leaseToken: token, result } });
}

let queues = 0;

/** In a queue of its own, unless the change says which. */
export async function deadJob(app: Asked, change: { readonly queue?: string; readonly task?: string } = {}, error?: object): Promise<string> {
  const queue = change.queue ?? `dead-${(queues += 1)}`;
  const id = await app.submit({ ...change, queue });
  await failJob(app, await claimOne(app, queue), 'default', error);
  return id;
}

const SUBMIT_MANY = 'mutation ($input: SubmitJobsInput!) { submitJobs(input: $input) { stored } }';

export async function submitMany(app: Asked, queue: string, count: number, tenant = 'default'): Promise<void> {
  for (let left = count; left > 0; left -= 500) {
    const jobs = Array.from({ length: Math.min(500, left) }, (_, index) => ({ queue, task: 't', payload: { index }, maxAttempts: 1 }));
    const { errors } = await app.graphql(SUBMIT_MANY, { input: { jobs } }, headers(tenant));
    if (errors.length > 0) throw new Error(errors[0]?.message);
  }
}

/** So many dead letters in the queue. */
export async function deadLetters(app: Asked, queue: string, count: number, tenant = 'default'): Promise<void> {
  await submitMany(app, queue, count, tenant);
  for (let left = count; left > 0; ) {
    const leases = await claim(app, queue, 100, tenant);
    await Promise.all(leases.map((lease) => failJob(app, lease, tenant)));
    left -= leases.length;
  }
}
