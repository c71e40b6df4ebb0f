/** How many jobs match: asked apart from the rows, so that no list waits for it. */
import type { CountJobsQuery, JobFilter } from '../../../client/index.ts';
import type { JobQuery } from '../../../domain/job-query/query.ts';
import { printJobQuery } from '../../../domain/job-query/print.ts';
import { lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { type Loaded, useLoaded } from '../../api/use-loaded.ts';
import { Ago } from '../../parts/moment.tsx';
import { cappedCount, count } from '../../parts/words.ts';
import { filterOf } from './filter-of.ts';
import { LOOK_THROUGH_MAX } from './rows/page.ts';

export type CappedCount = NonNullable<CountJobsQuery['jobs']>['count'];

export interface Counted {
  readonly found: CappedCount;
  readonly at: string;
}

const EVERY_MS = 10_000;

export function useCount(query: JobQuery | null): Loaded<Counted> {
  const key = query === null ? null : `count ${printJobQuery({ ...query, sort: 'newest' })}`;
  return useLoaded(key, (signal) => load(filterOf(query ?? { terms: [], sort: 'newest' }, nowMs.peek()), signal), { everyMs: EVERY_MS });
}

async function load(filter: JobFilter, signal: AbortSignal): Promise<Counted> {
  const found = await lq.value.countJobs(filter, { signal, lookThroughMax: LOOK_THROUGH_MAX });
  return { found, at: new Date(nowMs.peek()).toISOString() };
}

/** "4,812 jobs match". Where a count had to stop before it found one, it says what it looked at. */
export function countWords({ value, exact }: CappedCount): string {
  if (value === 0 && !exact) return `none of the newest ${count(LOOK_THROUGH_MAX)} jobs, older ones were not counted`;
  return `${cappedCount({ value, exact })} ${value === 1 ? 'job matches' : 'jobs match'}`;
}

export function CountLine({ counted }: { readonly counted: Loaded<Counted> }) {
  const { value, error } = counted;
  if (value === null) return <span class="muted">{error === null ? 'counting…' : 'not counted: the server did not answer'}</span>;
  return (
    <span>
      <strong>{countWords(value.found)}</strong>{' '}
      <span class="muted small">
        counted <Ago at={value.at} />
      </span>
    </span>
  );
}
