/** Jobs that have come to the list since its first page was read: counted, and not shown before somebody asks. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { EventFieldsFragment, JobEventFilter, JobFilter } from '../../../../client/index.ts';
import { FollowJobEventsDocument, type FollowJobEventsSubscriptionVariables } from '../../../../client/generated/graphql.ts';
import type { Sort } from '../../../../domain/job-query/query.ts';
import { useLive } from '../../../api/use-live.ts';
import type { JobsPage } from './page.ts';

export interface Arrivals {
  readonly count: number;
  /** Events tell all that the filter asks; else some of them may not match. */
  readonly isExact: boolean;
}

const EVERY_MS = 500;
/** More are not told apart. */
export const ARRIVALS_MAX = 999;

export function useArrivals(page: JobsPage | null, sort: Sort, isFirst: boolean): Arrivals {
  const seen = useSignal<{ readonly page: JobsPage | null; readonly ids: ReadonlySet<string> }>({ page: null, ids: new Set() });
  const variables = useMemo(() => (page !== null && isFirst && sort === 'newest' ? followedFrom(page) : null), [page, isFirst, sort]);
  useLive(FollowJobEventsDocument, variables, ({ jobEvents }, given) => {
    if (jobEvents.__typename === 'JobEventGap' || page === null) return;
    given.after = jobEvents.cursor;
    const found = jobEvents.events.filter((event) => isArrival(event, page)).map(({ jobId }) => jobId);
    const before = seen.value.page === page ? seen.value.ids : [];
    if (found.length > 0) seen.value = { page, ids: new Set([...before, ...found].slice(0, ARRIVALS_MAX)) };
  });
  return { count: seen.value.page === page ? seen.value.ids.size : 0, isExact: page !== null && tellsAll(page.filter) };
}

/** What only a look at the job would tell. */
function tellsAll({ tags, concurrencyKeys, workerIds, runAt, finishedAt, createdAt }: JobFilter): boolean {
  return tags == null && concurrencyKeys == null && workerIds == null && runAt == null && finishedAt == null && createdAt?.to == null;
}

function followedFrom({ filter, cursor }: JobsPage): FollowJobEventsSubscriptionVariables | null {
  const { queues, tasks, states, workerIds, finishedAt, createdAt } = filter;
  // A job that was just submitted is of now, has no worker and no end.
  if (states == null && (workerIds != null || finishedAt != null || createdAt?.to != null)) return null;
  const wanted: JobEventFilter = {
    ...(queues != null && { queues }),
    ...(tasks != null && { tasks }),
    ...(states == null ? { kinds: ['SUBMITTED'] } : { states }),
  };
  return { after: cursor, filter: wanted, maxBatch: 200, everyMs: EVERY_MS };
}

/** Whether a job came to the list by this event, and to its first page. Ids of later jobs are greater. */
function isArrival({ jobId, fromState }: EventFieldsFragment, { rows, filter, pageInfo }: JobsPage): boolean {
  if (rows.some(({ id }) => id === jobId)) return false;
  if (fromState !== null && filter.states?.includes(fromState) === true) return false;
  const last = rows.at(-1);
  return !pageInfo.hasNextPage || last === undefined || jobId > last.id;
}
