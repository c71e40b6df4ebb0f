/** What a tenant uses, counted over its jobs and queues: what the kept figures must equal. */
import type { StoredUsage } from '../../src/domain/access.ts';
import type { Job, TenantId } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';

/** `jobs`: all that the tenant has. */
export async function recountedUsage(store: LeaseRepository, owner: TenantId, jobs: readonly Job[]): Promise<StoredUsage> {
  return {
    waitingJobs: jobs.filter(({ state }) => state === 'queued' || state === 'retry').length,
    queues: (await store.queues(owner, { after: null, before: null, limit: 1_000, fromEnd: false })).rows.length,
    storedBytes: jobs.reduce((sum, job) => sum + bytesOf(job), 0),
  };
}

function bytesOf({ payloadJson, resultJson }: Job): number {
  return Buffer.byteLength(payloadJson) + Buffer.byteLength(resultJson ?? '');
}
