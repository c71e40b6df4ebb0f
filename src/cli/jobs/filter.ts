/** The flags that say which jobs, and the filter of the API that they make. */
import { type Command, Option } from 'commander';
import type { JobFilter, JobState } from '../../client/index.ts';
import { JOB_STATES, type Tag } from '../../domain/job.ts';
import { namesOption, tagOption, timeOption, wordsOption } from '../options.ts';

export interface FilterOptions {
  readonly queue?: readonly string[];
  readonly state?: readonly JobState[];
  readonly task?: readonly string[];
  readonly tag?: readonly Tag[];
  readonly worker?: readonly string[];
  readonly concurrencyKey?: readonly string[];
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly finishedAfter?: string;
  readonly finishedBefore?: string;
  readonly runAfter?: string;
  readonly runBefore?: string;
}

export const STATES = JOB_STATES.map((state) => state.toUpperCase() as Uppercase<typeof state>);

const SPANS = [
  ['created', 'was submitted'],
  ['finished', 'ended'],
  ['run', 'may run'],
] as const;

/** Everything but the state, which some commands fix themselves. */
export function filterFlags(command: Command): Command {
  command
    .optionsGroup('Which jobs:')
    .addOption(new Option('--queue <queues>', 'in these queues, with commas').argParser(namesOption))
    .addOption(new Option('--task <tasks>', 'of these tasks, with commas').argParser(namesOption))
    .addOption(new Option('--tag <key=value>', 'with this tag; may be repeated').argParser(tagOption))
    .addOption(new Option('--worker <workers>', 'that these workers hold now, with commas').argParser(namesOption))
    .addOption(new Option('--concurrency-key <keys>', 'with these concurrency keys, with commas').argParser(namesOption));
  for (const [name, deed] of SPANS) {
    command
      .addOption(new Option(`--${name}-after <instant>`, `that ${deed} at this instant or later`).argParser(timeOption))
      .addOption(new Option(`--${name}-before <instant>`, `that ${deed} before this instant`).argParser(timeOption));
  }
  return command.optionsGroup('Options:');
}

export function stateFlag(command: Command): Command {
  return command
    .optionsGroup('Which jobs:')
    .addOption(new Option('--state <states>', `in these states, with commas: ${STATES.join(', ')}`).argParser(wordsOption(STATES)))
    .optionsGroup('Options:');
}

/** Empty where no flag was given. */
export function filterOf(options: FilterOptions): JobFilter {
  return {
    ...(options.queue !== undefined && { queues: [...options.queue] }),
    ...(options.state !== undefined && { states: [...options.state] }),
    ...(options.task !== undefined && { tasks: [...options.task] }),
    ...(options.tag !== undefined && { tags: [...options.tag] }),
    ...(options.worker !== undefined && { workerIds: [...options.worker] }),
    ...(options.concurrencyKey !== undefined && { concurrencyKeys: [...options.concurrencyKey] }),
    ...rangeOf('createdAt', options.createdAfter, options.createdBefore),
    ...rangeOf('finishedAt', options.finishedAfter, options.finishedBefore),
    ...rangeOf('runAt', options.runAfter, options.runBefore),
  };
}

function rangeOf(field: 'createdAt' | 'finishedAt' | 'runAt', from: string | undefined, to: string | undefined): JobFilter {
  if (from === undefined && to === undefined) return {};
  return { [field]: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) } };
}
