/** What can be done to many jobs at once, from the table of transitions, and how it is asked of the API. */
import type { BulkFieldsFragment, DateTimeRange, JobFilter, JobState } from '../../client/index.ts';
import { JOB_STATES } from '../../domain/job.ts';
import type { ActionName } from '../../domain/transitions.ts';
import { TRANSITIONS } from '../../domain/transitions.ts';
import { lq } from '../api/session.ts';

export const DEEDS = ['redrive', 'cancel', 'purge'] as const satisfies readonly ActionName[];
export type Deed = (typeof DEEDS)[number];

interface DeedWords {
  readonly order: string;
  readonly doing: string;
  readonly done: string;
  readonly means: string;
}

export const DEED_WORDS: Readonly<Record<Deed, DeedWords>> = {
  redrive: { order: 'Redrive', doing: 'Redriving', done: 'Redriven', means: 'Dead jobs go back to their queues with a new budget of attempts.' },
  cancel: {
    order: 'Cancel',
    doing: 'Cancelling',
    done: 'Cancelled',
    means: 'Waiting jobs end at once. Workers of running ones are asked to stop at their next heartbeat.',
  },
  purge: { order: 'Purge', doing: 'Purging', done: 'Purged', means: 'Ended jobs are removed with their history. This cannot be taken back.' },
};

/** States of the API from which the deed leads somewhere. */
export function statesFor(deed: Deed): readonly JobState[] {
  const from = TRANSITIONS.filter(({ action, requires }) => action === deed && !requires.includes('stateAllows')).map((row) => row.from);
  return JOB_STATES.filter((state) => from.includes(state)).map((state) => state.toUpperCase() as Uppercase<typeof state>);
}

/** What may be done to jobs in these states. */
export function deedsFor(states: readonly JobState[]): readonly Deed[] {
  return DEEDS.filter((deed) => statesFor(deed).some((state) => states.includes(state)));
}

export type Target = { readonly filter: JobFilter } | { readonly ids: readonly string[] };

export interface BulkOrder {
  readonly deed: Deed;
  readonly target: Target;
  /** Of a cancel. */
  readonly reason: string;
  /** Jobs to change at most; all of the target where absent. */
  readonly atMost?: number | undefined;
  /** Jobs a second at most; as fast as the server goes where absent. */
  readonly perSecond?: number | undefined;
}

/** The same filter without what came to it after an instant, so that working through it ends. A job that is redriven and dies again ended after it. */
export function bounded(filter: JobFilter, deed: Deed, instant: string): JobFilter {
  const name = deed === 'cancel' ? 'createdAt' : 'finishedAt';
  return { ...filter, [name]: endingAt(filter[name], instant) };
}

export function askBulk({ deed, target, reason }: BulkOrder, how: { readonly dryRun: boolean; readonly limit: number }): Promise<BulkFieldsFragment> {
  const input = { target: 'ids' in target ? { ids: [...target.ids] } : { filter: target.filter }, ...how };
  switch (deed) {
    case 'cancel':
      return lq.value.cancelJobs({ ...input, ...(reason.trim() !== '' && { reason: reason.trim() }) });
    case 'redrive':
      return lq.value.redriveJobs(input);
    case 'purge':
      return lq.value.purgeJobs(input);
    default:
      return deed satisfies never;
  }
}

/** The range, ended at an instant where it did not end before that. */
function endingAt(range: JobFilter['createdAt'], instant: string): DateTimeRange {
  const to = range?.to;
  return { ...range, to: typeof to === 'string' && Date.parse(to) < Date.parse(instant) ? to : instant };
}
