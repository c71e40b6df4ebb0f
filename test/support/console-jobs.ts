/** Jobs in the states that screens are about, brought there as producers and workers would. */
import { type ClaimJobsMutation, type JobErrorInput, type LeaseQueue, type SubmitJobInput, unwrap } from '../../src/client/index.ts';

export type ClaimedJob = NonNullable<ClaimJobsMutation['claimJobs']>['leases'][number];

export async function submitted(lq: LeaseQueue, input: Partial<SubmitJobInput> = {}): Promise<string> {
  return unwrap(await lq.submitJob({ queue: 'mail', task: 'mail.send', payload: {}, ...input })).job.id;
}

export async function claimed(lq: LeaseQueue, queue: string, workerId = 'worker-1', leaseSeconds = 60): Promise<ClaimedJob> {
  const { leases } = await lq.claimJobs({ queues: [queue], workerId, leaseSeconds });
  const [lease] = leases;
  if (lease === undefined) throw new Error(`nothing to claim in ${queue}`);
  return lease;
}

/** The id of a job that died of this error. */
export async function dead(lq: LeaseQueue, error: JobErrorInput, input: Partial<SubmitJobInput> = {}): Promise<string> {
  const queue = input.queue ?? 'mail';
  await submitted(lq, { ...input, maxAttempts: 1 });
  const { job, leaseToken } = await claimed(lq, queue);
  unwrap(await lq.failJob({ jobId: job.id, leaseToken, error }));
  return job.id;
}
