/** Which events the stream shows: read from the address, asked of the server, and applied to the rows that are there. */
import type { FollowedEvent, JobEventFilter, JobEventKind, JobState } from '../../../client/index.ts';
import { STATE_MARKS } from '../../parts/state-badge.tsx';
import { KIND_MARKS } from './words.ts';

/** The entries of the address, each a list with commas. */
export const FILTER_FIELDS = ['queue', 'task', 'kind', 'state', 'job'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];
export type Filter = Readonly<Record<FilterField, readonly string[]>>;

const listOf = (text: string | null): readonly string[] => [...new Set((text ?? '').split(/[,\s]+/).filter((part) => part !== ''))];

export const KINDS = Object.keys(KIND_MARKS) as readonly JobEventKind[];
export const STATES = Object.keys(STATE_MARKS) as readonly JobState[];

/** What is no kind and no state is left out: the server would refuse the whole stream for it. */
export function filterOf(search: URLSearchParams): Filter {
  const upper = (field: FilterField, known: readonly string[]): readonly string[] =>
    listOf(search.get(field))
      .map((each) => each.toUpperCase())
      .filter((each) => known.includes(each));
  return {
    queue: listOf(search.get('queue')),
    task: listOf(search.get('task')),
    job: listOf(search.get('job')),
    kind: upper('kind', KINDS),
    state: upper('state', STATES),
  };
}

export const isFiltering = (filter: Filter): boolean => FILTER_FIELDS.some((field) => filter[field].length > 0);

export function asked({ queue, task, kind, state, job }: Filter): JobEventFilter {
  return {
    ...(queue.length > 0 && { queues: [...queue] }),
    ...(task.length > 0 && { tasks: [...task] }),
    ...(job.length > 0 && { jobIds: [...job] }),
    ...(kind.length > 0 && { kinds: kind as JobEventKind[] }),
    ...(state.length > 0 && { states: state as JobState[] }),
  };
}

const allows = (values: readonly string[], value: string): boolean => values.length === 0 || values.includes(value);

/** As the server decides it. */
export function isWanted({ queueName, task, kind, toState, jobId }: FollowedEvent, filter: Filter): boolean {
  return (
    allows(filter.queue, queueName) && allows(filter.task, task) && allows(filter.kind, kind) && allows(filter.state, toState) && allows(filter.job, jobId)
  );
}
