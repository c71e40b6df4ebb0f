/** What lists, counts and bulk operations have to answer, worked out from all jobs of a database by plain filters. */
import { JOB_STATES, type Job, type TenantId } from '../../src/domain/job.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import type { JobFilter, PageRequest } from '../../src/store/requests.ts';
import { jobOf } from '../../src/store/rows.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';

/** A job and its place in the order of submission. */
export interface Placed {
  readonly tenant: TenantId;
  readonly seq: number;
  readonly job: Job;
}

/** All jobs of all tenants, oldest submission first. */
export async function placedJobs({ db }: Engine): Promise<readonly Placed[]> {
  const rows = await acrossTenants(db).selectFrom('jobs').selectAll().orderBy('seq').execute();
  return rows.map((row) => ({ tenant: row.tenant_id, seq: row.seq, job: jobOf(row) }));
}

export function matches({ job }: Placed, filter: JobFilter): boolean {
  const within = (range: JobFilter['createdAt'], atMs: number | null): boolean =>
    range === undefined ||
    ((range.fromMs === null || (atMs !== null && atMs >= range.fromMs)) && (range.toMs === null || (atMs !== null && atMs < range.toMs)));
  return (
    (filter.queues?.includes(job.queue) ?? true) &&
    (filter.states?.includes(job.state) ?? true) &&
    (filter.tasks?.includes(job.task) ?? true) &&
    (filter.workerIds?.includes(job.lease?.workerId ?? '') ?? true) &&
    (filter.concurrencyKeys?.includes(job.concurrencyKey ?? '') ?? true) &&
    (filter.tags ?? []).every(({ key, value }) => job.tags.some((tag) => tag.key === key && tag.value === value)) &&
    within(filter.createdAt, job.createdAtMs) &&
    within(filter.runAt, job.runAtMs) &&
    within(filter.finishedAt, job.finishedAtMs)
  );
}

export interface ExpectedPage {
  readonly ids: readonly string[];
  /** In the direction of reading. */
  readonly hasMore: boolean;
  readonly lookedThrough: number | null;
  readonly cutAt: readonly number[] | null;
}

/** Parts of a list that are read side by side where queues are named. */
const PARTS_MAX = 200;

/** A page in the order of submission. Not of a filter by tags with a bound: how far that looks is another matter. */
export function expectedPage(jobs: readonly Placed[], filter: JobFilter, newestFirst: boolean, request: PageRequest, max: number | null): ExpectedPage {
  const { after, before, limit, fromEnd } = request;
  const sign = newestFirst ? -1 : 1;
  const isPast = (seq: number, key: PageRequest['after']): boolean => (seq - Number(key?.[0])) * sign > 0;
  const { inList, isAll } = listed(jobs, filter);
  const between = inList.filter(({ seq }) => (after === null || isPast(seq, after)) && (before === null || (seq !== before[0] && !isPast(seq, before))));
  const read = between.toSorted((a, b) => (a.seq - b.seq) * sign * (fromEnd ? -1 : 1));
  const isBounded = max !== null && !(isAll && max > limit);
  const looked = isBounded ? read.slice(0, max) : read;
  const found = looked.filter((one) => matches(one, filter));
  const rows = found.slice(0, limit);
  const ids = rows.map(({ job }) => job.id);
  const isFull = found.length > limit;
  const isCut = isBounded && !isFull && read.length > max;
  const last = rows.at(-1);
  const lookedThrough = isFull && last !== undefined ? looked.indexOf(last) + 1 : looked.length;
  return {
    ids: fromEnd ? ids.toReversed() : ids,
    hasMore: isFull || isCut,
    lookedThrough: max === null ? null : isBounded ? lookedThrough : rows.length,
    cutAt: isCut ? [looked.at(-1)?.seq ?? 0] : null,
  };
}

/** The jobs that a list looks through, and that every one of them matches. */
function listed(jobs: readonly Placed[], { queues, states = JOB_STATES, workerIds, ...others }: JobFilter): { inList: readonly Placed[]; isAll: boolean } {
  const inStates = new Set(states.filter((state) => workerIds === undefined || state === 'running'));
  const { isConfined, ...rest } = others;
  const isByQueue = queues !== undefined && (isConfined === true || new Set(queues).size * inStates.size <= PARTS_MAX);
  const inList = jobs.filter(({ job }) => inStates.has(job.state) && (!isByQueue || queues.includes(job.queue)));
  return { inList, isAll: Object.keys(rest).length === 0 && workerIds === undefined && (queues === undefined || isByQueue) };
}

/** A count that looks through `max` jobs at most, the newest of each state. Not of a filter by tags. */
export function expectedCount(jobs: readonly Placed[], filter: JobFilter, max: number): { readonly value: number; readonly exact: boolean } {
  const { queues, states = JOB_STATES, workerIds, ...others } = filter;
  const inStates = [...new Set(states)].filter((state) => workerIds === undefined || state === 'running');
  const parts = inStates.map((state) => jobs.filter(({ job }) => job.state === state && (queues?.includes(job.queue) ?? true)));
  const { isConfined: _isConfined, ...rest } = others;
  if (Object.keys(rest).length === 0 && workerIds === undefined) return { value: parts.flat().length, exact: true };
  let left = max;
  const looked = parts
    .toSorted((a, b) => a.length - b.length)
    .map((part, index) => {
      const share = Math.min(part.length, Math.floor(left / (parts.length - index)));
      left -= share;
      return { part, newest: part.slice(part.length - share) };
    });
  return {
    value: looked.flatMap(({ newest }) => newest).filter((one) => matches(one, filter)).length,
    exact: looked.every(({ part, newest }) => part.length === newest.length),
  };
}
