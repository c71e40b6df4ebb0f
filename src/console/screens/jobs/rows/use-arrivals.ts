/**
 * Jobs that have come before the first row since its page was read: counted, and not shown before somebody asks. They are asked
 * for now and then: to follow the log for them, a busy one would be looked through on every open list's account.
 */
import { JobArrivalsDocument } from '../../../../client/generated/graphql.ts';
import type { Sort } from '../../../../domain/job-query/query.ts';
import { lq } from '../../../api/session.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { type JobsPage, LOOK_THROUGH_MAX } from './page.ts';

const EVERY_MS = 2_000;
/** More are not told apart, so that nobody asks any more when there are so many. */
export const ARRIVALS_MAX = 50;

export function useArrivals(page: JobsPage | null, sort: Sort, isFirst: boolean): number {
  const isAsked = page !== null && isFirst && sort === 'newest';
  const { value } = useLoaded(isAsked ? `arrivals ${page.key} ${page.pageInfo.startCursor}` : null, (signal) => load(page, signal), {
    everyMs: EVERY_MS,
    isFinal: (found) => found >= ARRIVALS_MAX,
  });
  return isAsked ? (value ?? 0) : 0;
}

async function load(page: JobsPage | null, signal: AbortSignal): Promise<number> {
  if (page === null) return 0;
  const { startCursor } = page.pageInfo;
  const size = startCursor === null ? { first: ARRIVALS_MAX } : { last: ARRIVALS_MAX, before: startCursor };
  const asked = { ...size, filter: page.filter, lookThroughMax: LOOK_THROUGH_MAX };
  const { jobs } = await lq.value.caller.call(JobArrivalsDocument, asked, { isRepeatable: true, signal });
  return jobs?.nodes.length ?? 0;
}
