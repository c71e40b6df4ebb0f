/** A query in the words of the API. */
import type { DateTimeRange, JobFilter, JobOrder } from '../../../client/index.ts';
import type { JobQuery, ListField, Moment, Sort, Term, TimeField } from '../../../domain/job-query/query.ts';

const LISTS: Readonly<Record<ListField, string>> = {
  queue: 'queues',
  task: 'tasks',
  worker: 'workerIds',
  key: 'concurrencyKeys',
  group: 'deadLetterGroups',
};

const RANGES: Readonly<Record<TimeField, 'createdAt' | 'finishedAt' | 'runAt'>> = { created: 'createdAt', finished: 'finishedAt', run: 'runAt' };

export const ORDERS: Readonly<Record<Sort, JobOrder>> = {
  newest: 'NEWEST_FIRST',
  oldest: 'OLDEST_FIRST',
  next: 'NEXT_TO_RUN',
  finished: 'RECENTLY_FINISHED',
};

/** What moves along with now is fixed at `nowMs`. */
export function filterOf({ terms }: JobQuery, nowMs: number): JobFilter {
  return terms.reduce((filter, term) => ({ ...filter, ...partOf(filter, term, nowMs) }), {} as JobFilter);
}

function partOf(filter: JobFilter, term: Term, nowMs: number): JobFilter {
  switch (term.field) {
    case 'state':
      return { states: term.values.map((state) => state.toUpperCase() as Uppercase<typeof state>) };
    case 'tag':
      return { tags: [...(filter.tags ?? []), { key: term.key, value: term.value }] };
    case 'age':
      return { createdAt: withEnd(filter.createdAt, term.side === '>' ? 'to' : 'from', nowMs - term.seconds * 1_000) };
    case 'created':
    case 'finished':
    case 'run': {
      const name = RANGES[term.field];
      return { [name]: withEnd(filter[name], term.side === '>' ? 'from' : 'to', msOf(term.moment, nowMs)) };
    }
    default:
      return { [LISTS[term.field]]: [...term.values] };
  }
}

function msOf(moment: Moment, nowMs: number): number {
  return 'atMs' in moment ? moment.atMs : nowMs + moment.fromNowSeconds * 1_000;
}

function withEnd(range: JobFilter['createdAt'], end: 'from' | 'to', atMs: number): DateTimeRange {
  return { ...range, [end]: new Date(atMs).toISOString() };
}
