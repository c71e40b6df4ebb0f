/** One page of a list of jobs, found by looking through as many of them as it takes, or as the caller allows. */
import type { Kysely } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { JobPage } from '../answers.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import { jobOf } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { type JobList, jobListOf } from './job-lists.ts';
import { keyOf, ORDER_RULES } from './job-orders.ts';
import { pageOf, rowsToRead } from './page.ts';

export async function jobPage(
  db: Kysely<Tables>,
  tenant: TenantId,
  filter: JobFilter,
  order: JobOrder,
  request: PageRequest,
  lookThroughMax: number | null,
): Promise<JobPage> {
  const list = await jobListOf(db, tenant, filter, order, lookThroughMax);
  const key = (row: Parameters<typeof keyOf>[1]): PageKey => keyOf(ORDER_RULES[order], row);
  if (lookThroughMax === null || (list.allMatch && lookThroughMax > request.limit)) {
    const page = pageOf(await list.rows(request, rowsToRead(request)), request, key, jobOf);
    return { ...page, lookedThrough: lookThroughMax === null ? null : page.rows.length, cutAt: null };
  }
  const [last = null, next = null] = await list.around(request, lookThroughMax);
  const rows = await list.rows(next === null ? request : upTo(request, next), rowsToRead(request));
  const page = pageOf(rows, request, key, jobOf);
  if (rows.length > request.limit) return { ...page, lookedThrough: await countUpTo(list, request, page), cutAt: null };
  if (next === null) return { ...page, lookedThrough: await list.count(request), cutAt: null };
  const more = request.fromEnd ? { hasPrevious: true } : { hasNext: true };
  return { ...page, ...more, lookedThrough: lookThroughMax, cutAt: last };
}

/** The same request, ending before a place that lies within it. */
function upTo(request: PageRequest, place: PageKey): PageRequest {
  return request.fromEnd ? { ...request, after: place } : { ...request, before: place };
}

/** How many jobs were looked through for a full page: those up to its farthest row. */
async function countUpTo(list: JobList, request: PageRequest, { rows }: Pick<JobPage, 'rows'>): Promise<number> {
  const farthest = request.fromEnd ? rows.at(0) : rows.at(-1);
  return farthest === undefined ? 0 : 1 + (await list.count(upTo(request, farthest.key)));
}
