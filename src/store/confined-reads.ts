/** What a key that is restricted to some queues may read: rows of those queues, and figures of those queues alone. */
import type { Job, TenantId } from '../domain/job.ts';
import type { JobStateCounts, Queue, QueueStats, Stats, Throughput } from './answers.ts';
import { pageOf } from './queries/page.ts';
import { WORKER_SEEN_MS } from './queries/queues.ts';
import type { JobFilter, PageRequest } from './requests.ts';
import type { JobStore } from './store.ts';

export type ConfinedReads = Pick<
  JobStore,
  | 'jobById'
  | 'jobByIdempotencyKey'
  | 'jobs'
  | 'countJobs'
  | 'deadLetterGroups'
  | 'deadLetterGroup'
  | 'attempts'
  | 'timeline'
  | 'eventsAfter'
  | 'latestPosition'
  | 'queue'
  | 'queues'
  | 'troubledQueues'
  | 'queueStats'
  | 'statsOfQueues'
  | 'series'
  | 'stats'
  | 'workers'
  | 'nowMs'
>;

/** No job and no queue has it as its name. */
const NOTHING = '';

export function confinedReads(store: JobStore, queues: ReadonlySet<string>): ConfinedReads {
  const seen = (job: Job | null): Job | null => (job !== null && queues.has(job.queue) ? job : null);
  const own = (names: readonly string[] | undefined): readonly string[] => (names === undefined ? [...queues] : names.filter((name) => queues.has(name)));
  const allQueues = async (tenant: TenantId): Promise<readonly Queue[]> => {
    const found = await Promise.all([...queues].toSorted().map((name) => store.queue(tenant, name)));
    return found.filter((queue) => queue !== null);
  };
  const workers: JobStore['workers'] = (tenant, seenSinceMs, selection) => store.workers(tenant, seenSinceMs, { ...selection, queues: [...queues] });
  return {
    jobById: async (tenant, id) => seen(await store.jobById(tenant, id)),
    jobByIdempotencyKey: async (tenant, queue, key) => (queues.has(queue) ? store.jobByIdempotencyKey(tenant, queue, key) : null),
    jobs: (tenant, filter, order, page, lookThroughMax) => store.jobs(tenant, confined(filter, queues), order, page, lookThroughMax),
    countJobs: (tenant, filter, lookThroughMax) => store.countJobs(tenant, confined(filter, queues), lookThroughMax),
    deadLetterGroups: (tenant, filter, order, page) => store.deadLetterGroups(tenant, narrowed(filter, queues), order, page),
    deadLetterGroup: async (tenant, id) => {
      const group = await store.deadLetterGroup(tenant, id);
      return group !== null && queues.has(group.queue) ? group : null;
    },
    attempts: (tenant, job, page) => store.attempts(tenant, job, page),
    timeline: async (tenant, jobId, after, limit) => {
      const isSeen = seen(await store.jobById(tenant, jobId)) !== null;
      return store.timeline(tenant, isSeen ? jobId : NOTHING, after, limit);
    },
    eventsAfter: (tenant, after, filter, limit, isNewestOnly) => store.eventsAfter(tenant, after, narrowed(filter, queues), limit, isNewestOnly),
    latestPosition: (tenant) => store.latestPosition(tenant),
    queue: async (tenant, name) => (queues.has(name) ? store.queue(tenant, name) : null),
    queues: async (tenant, page, namePrefix = '') => {
      const all = await allQueues(tenant);
      return pageOfQueues(
        all.filter(({ name }) => name.startsWith(namePrefix)),
        page,
      );
    },
    troubledQueues: (tenant, limit, among) => store.troubledQueues(tenant, limit, own(among)),
    queueStats: (tenant, name) => store.queueStats(tenant, queues.has(name) ? name : NOTHING),
    statsOfQueues: (tenant, names) =>
      store.statsOfQueues(
        tenant,
        names.map((name) => (queues.has(name) ? name : NOTHING)),
      ),
    series: (tenant, names, period) => store.series(tenant, own(names ?? undefined), period),
    stats: async (tenant) => {
      const nowMs = store.nowMs();
      const parts = await store.statsOfQueues(tenant, [...queues]);
      return { ...sumOf(parts), workers: (await workers(tenant, nowMs - WORKER_SEEN_MS)).length, asOfMs: nowMs };
    },
    workers,
    nowMs: () => store.nowMs(),
  };
}

/** The same filter on these queues alone. */
export function narrowed<Filter extends { readonly queues?: readonly string[] }>(filter: Filter, queues: ReadonlySet<string>): Filter {
  return { ...filter, queues: filter.queues === undefined ? [...queues] : filter.queues.filter((name) => queues.has(name)) };
}

function confined(filter: JobFilter, queues: ReadonlySet<string>): JobFilter {
  return { ...narrowed(filter, queues), isConfined: true };
}

function pageOfQueues(all: readonly Queue[], page: PageRequest) {
  const [after, before] = [page.after?.[0], page.before?.[0]];
  const within = all.filter(({ name }) => (after === undefined || name > String(after)) && (before === undefined || name < String(before)));
  const nearest = (page.fromEnd ? within.toReversed() : within).slice(0, page.limit + 1);
  return pageOf(
    nearest,
    page,
    ({ name }) => [name],
    (queue) => queue,
  );
}

function sumOf(parts: readonly QueueStats[]): Omit<Stats, 'workers' | 'asOfMs'> {
  const oldest = parts.flatMap(({ oldestReadySeconds }) => (oldestReadySeconds === null ? [] : [oldestReadySeconds]));
  return {
    counts: added<keyof JobStateCounts>(parts.map(({ counts }) => counts)),
    ready: parts.reduce((sum, { ready }) => sum + ready, 0),
    oldestReadySeconds: oldest.length === 0 ? null : Math.max(...oldest),
    throughput: added<keyof Throughput>(parts.map(({ throughput }) => throughput)),
  };
}

/** A key names a queue at least, so that there is a first. */
function added<Name extends string>(records: readonly Readonly<Record<Name, number>>[]): Record<Name, number> {
  return records.reduce((sum, record) => {
    const entries = Object.keys(record).map((name) => [name, sum[name as Name] + record[name as Name]]);
    return Object.fromEntries(entries) as Record<Name, number>;
  });
}
