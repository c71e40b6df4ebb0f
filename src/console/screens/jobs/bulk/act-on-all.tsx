/** The way to a change of everything that matches. */
import { printJobQuery } from '../../../../domain/job-query/print.ts';
import { type JobQuery, statesOf } from '../../../../domain/job-query/query.ts';
import { JOB_STATES } from '../../../../domain/job.ts';
import { nowMs } from '../../../api/time.ts';
import { useKey } from '../../../parts/use-key.ts';
import { Button } from '../../../parts/button.tsx';
import { cappedCount } from '../../../parts/words.ts';
import type { CappedCount } from '../count.tsx';
import { filterOf } from '../filter-of.ts';
import { deedsFor } from '../../../bulk/deeds.ts';
import type { Bulk } from './use-bulk.ts';

interface ActOnAllProps {
  readonly query: JobQuery;
  /** Null while it is counted. */
  readonly found: CappedCount | null;
  readonly bulk: Bulk;
}

export function ActOnAll({ query, found, bulk }: ActOnAllProps) {
  const hasTerms = query.terms.length > 0;
  const isPossible = hasTerms && !bulk.isBusy && !(found?.exact === true && found.value === 0);
  const want = (): void => bulk.want(wishFor(query));
  useKey('.', isPossible ? want : null);
  return (
    <Button
      onPress={want}
      isDisabled={!isPossible}
      hint="."
      title={hasTerms ? undefined : 'Narrow the list first: the whole of a tenant is never changed at once'}
    >
      {hasTerms && found !== null && (found.value > 0 || found.exact) ? `Act on all ${cappedCount(found)}` : 'Act on all'}
    </Button>
  );
}

/** What moves along with now stays where it is from here on: what is counted is what is changed. */
function wishFor(query: JobQuery) {
  const asked = statesOf(query);
  const states = (asked.length === 0 ? JOB_STATES : asked).map((state) => state.toUpperCase() as Uppercase<typeof state>);
  return {
    deeds: deedsFor(states),
    target: { filter: filterOf(query, nowMs.peek()) },
    filter: printJobQuery({ ...query, sort: 'newest' }),
    leftOut: 0,
    onStart: () => {},
  };
}
