/** How long a claim and a submission take, one at a time, where as many jobs are put in as are taken out. */
import type { Figures } from '../row.ts';
import { latencies } from '../statistics.ts';
import { CLAIM, COMPLETE, SUBMIT_MANY } from './documents.ts';
import { GraphqlClient, must, type Typed } from './graphql-client.ts';

export interface DepthLoad {
  readonly url: string;
  /** Batches go to these in turn. */
  readonly places: readonly Place[];
  readonly batches: number;
  /** Jobs of one batch. */
  readonly size: number;
}

export interface Place {
  readonly queue: string;
  readonly tenant?: string;
}

interface Leases {
  readonly leases: readonly { readonly leaseToken: string; readonly job: { readonly id: string } }[];
}

/** Each batch is submitted, claimed and completed. */
export async function depthLoad({
  url,
  places,
  batches,
  size,
}: DepthLoad): Promise<{ readonly submit: Figures; readonly claim: Figures; readonly cycle: Figures }> {
  const client = new GraphqlClient(url);
  const samples: { readonly submitMs: number[]; readonly claimMs: number[] } = { submitMs: [], claimMs: [] };
  const startedMs = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    const place = places[batch % places.length];
    if (place === undefined) throw new Error('no place to submit to');
    const times = await cycle(client, place, size);
    samples.submitMs.push(times.submitMs);
    samples.claimMs.push(times.claimMs);
  }
  const perSecond = (batches * size * 1_000) / (performance.now() - startedMs);
  client.close();
  return { submit: latencies(samples.submitMs), claim: latencies(samples.claimMs), cycle: { jobsPerSecond: perSecond } };
}

async function cycle(client: GraphqlClient, { queue, tenant }: Place, size: number): Promise<{ readonly submitMs: number; readonly claimMs: number }> {
  const call = <Result>(field: string, document: string, input: object): Promise<Result> => client.call<Result>(field, document, { input }, tenant);
  const jobs = Array.from({ length: size }, () => ({ queue, task: 'noop' }));
  const startedMs = performance.now();
  await call('submitJobs', SUBMIT_MANY, { jobs });
  const submittedMs = performance.now();
  const { leases } = await call<Leases>('claimJobs', CLAIM, { queues: [queue], workerId: 'depth', max: size });
  const claimedMs = performance.now();
  if (leases.length !== size) throw new Error(`a claim of ${size} got ${leases.length}`);
  const completing = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
  const { results } = await call<{ readonly results: readonly Typed[] }>('completeJobs', COMPLETE, { jobs: completing });
  for (const result of results) must('CompleteJobSuccess', result);
  return { submitMs: submittedMs - startedMs, claimMs: claimedMs - submittedMs };
}

export interface Seeding {
  readonly url: string;
  readonly places: readonly Place[];
}

const SEED_BATCH = 500;

/** One job in each place, which stays there. */
export async function seedPlaces({ url, places }: Seeding): Promise<void> {
  const client = new GraphqlClient(url);
  const byTenant = Map.groupBy(places, ({ tenant }) => tenant);
  for (const [tenant, own] of byTenant) {
    for (let from = 0; from < own.length; from += SEED_BATCH) {
      const jobs = own.slice(from, from + SEED_BATCH).map(({ queue }) => ({ queue, task: 'stays', start: { inSeconds: 86_400 } }));
      await client.call('submitJobs', SUBMIT_MANY, { input: { jobs } }, tenant);
    }
  }
  client.close();
}
