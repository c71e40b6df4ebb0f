/** A page of the list, as it was when it was asked for. */
import type { JobFilter, JobRowFragment, JobRowsQuery } from '../../../../client/index.ts';
import { JobRowsDocument } from '../../../../client/generated/graphql.ts';
import { printJobQuery } from '../../../../domain/job-query/print.ts';
import { EVERYTHING, type JobQuery } from '../../../../domain/job-query/query.ts';
import { lq } from '../../../api/session.ts';
import { nowMs } from '../../../api/time.ts';
import { type Loaded, useLoaded } from '../../../api/use-loaded.ts';
import type { PagePlace } from '../asked.ts';
import { filterOf, ORDERS } from '../filter-of.ts';

const PAGE_ROWS = 50;
/** Jobs that one page, or one count, looks through at most: rare ones are looked for bit by bit, so that no look takes long. */
export const LOOK_THROUGH_MAX = 10_000;

export interface JobsPage {
  /** The question that it answers. */
  readonly key: string;
  readonly rows: readonly JobRowFragment[];
  readonly pageInfo: NonNullable<JobRowsQuery['jobs']>['pageInfo'];
  /** The look ended before the page was full: there may be more behind it. */
  readonly isCutShort: boolean;
  readonly filter: JobFilter;
  /** Every change of its rows comes after it. */
  readonly cursor: string | null;
}

export function pageKey(query: JobQuery, place: PagePlace): string {
  return JSON.stringify([printJobQuery(query), place]);
}

/** Keeps the page before until the next one is there. Null asks nothing. */
export function useJobsPage(query: JobQuery | null, place: PagePlace): Loaded<JobsPage> {
  const key = query === null ? null : pageKey(query, place);
  return useLoaded(key, (signal) => load(query ?? EVERYTHING, place, signal), { isKept: true });
}

async function load(query: JobQuery, place: PagePlace, signal: AbortSignal): Promise<JobsPage> {
  const filter = filterOf(query, nowMs.peek());
  const size = place.before === undefined ? { first: PAGE_ROWS, after: place.after } : { last: PAGE_ROWS, before: place.before };
  const asked = { ...size, filter, orderBy: ORDERS[query.sort], lookThroughMax: LOOK_THROUGH_MAX };
  const { jobs, latestEventCursor } = await lq.value.caller.call(JobRowsDocument, asked, { isRepeatable: true, signal });
  if (jobs === null) throw new Error('The answer holds no jobs.');
  return { key: pageKey(query, place), rows: jobs.nodes, pageInfo: jobs.pageInfo, isCutShort: jobs.isCutShort, filter, cursor: latestEventCursor };
}
