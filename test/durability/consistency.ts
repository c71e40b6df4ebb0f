/** What must hold in a store at any time, whatever was done to it: rows follow from events, counters, workers and usage from rows. */
import { isDeepStrictEqual } from 'node:util';
import { replay } from '../../src/domain/events.ts';
import type { Job, JobState, TenantId } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { recountedUsage } from '../support/recounted-usage.ts';
import { replayedRow } from '../support/replayed-row.ts';

const EVERYTHING = 1_000;
export const READ_WHOLE = { after: null, before: null, limit: EVERYTHING, fromEnd: false };

/** What does not agree, in words; empty where everything does. */
export async function inconsistencies(store: LeaseRepository, owner: TenantId): Promise<readonly string[]> {
  const jobs = (await store.jobs(owner, {}, 'oldest_first', READ_WHOLE)).rows.map(({ row }) => row);
  return [
    ...(await againstEvents(store, owner, jobs)),
    ...(await againstCounters(store, jobs)),
    ...(await againstWorkers(store, owner, jobs)),
    ...(await againstUsage(store, owner, jobs)),
  ];
}

async function againstUsage(store: LeaseRepository, owner: TenantId, jobs: readonly Job[]): Promise<readonly string[]> {
  const agrees = isDeepStrictEqual(await store.usage(owner), await recountedUsage(store, owner, jobs));
  return agrees ? [] : [`the usage of tenant ${owner} is not what its jobs and queues say`];
}

async function againstEvents(store: LeaseRepository, owner: TenantId, jobs: readonly Job[]): Promise<readonly string[]> {
  const { events } = await store.eventsAfter(owner, null, {}, EVERYTHING);
  const byJob = Map.groupBy(events, ({ jobId }) => jobId);
  const wrong = jobs.filter((job) => !isDeepStrictEqual(replay(byJob.get(job.id) ?? []), replayedRow(job)));
  const known = new Set(jobs.map(({ id }) => id));
  const orphans = events.filter(({ jobId, kind }) => !known.has(jobId) && kind !== 'PURGED');
  return [...wrong.map(({ id }) => `job ${id} is not what its events say`), ...orphans.map(({ jobId }) => `job ${jobId} is gone, its events are not`)];
}

async function againstCounters(store: LeaseRepository, jobs: readonly Job[]): Promise<readonly string[]> {
  const gauges = await store.gauges(EVERYTHING);
  const counted = (queue: string, state: JobState): number => jobs.filter((job) => job.queue === queue && job.state === state).length;
  const wrong = gauges.filter(({ queue, counts, ready, delayed }) => {
    const states = Object.entries(counts) as readonly (readonly [JobState, number])[];
    return states.some(([state, count]) => count !== counted(queue, state)) || ready + delayed !== counts.queued + counts.retry;
  });
  const missing = new Set(jobs.map(({ queue }) => queue)).difference(new Set(gauges.map(({ queue }) => queue)));
  return [...wrong.map(({ queue }) => queue), ...missing].map((queue) => `the counters of queue ${queue} are not what its jobs say`);
}

async function againstWorkers(store: LeaseRepository, owner: TenantId, jobs: readonly Job[]): Promise<readonly string[]> {
  const workers = await store.workers(owner, 0);
  const held = (id: string): number => jobs.filter(({ lease }) => lease?.workerId === id).length;
  return workers.filter(({ id, runningJobs }) => runningJobs !== held(id)).map(({ id }) => `worker ${id} does not hold what is leased to it`);
}
