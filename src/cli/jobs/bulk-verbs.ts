/** The verbs that work on jobs by their ids, or on all jobs of a filter. */
import type { Command } from 'commander';
import { askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import type { Output } from '../print.ts';
import type { BulkOptions } from './bulk.ts';
import type { CancelOptions, StartOptions } from './change.ts';
import { filterFlags, filterOf, type FilterOptions, stateFlag } from './filter.ts';
import { bulkFlags } from './flags.ts';
import { startFlags } from './submit-flags.ts';

export function defineCancel(command: Command, output: Output): void {
  command.option('--force', 'take the lease away now, instead of asking the worker').option('--reason <text>', 'why, for people');
  askingCommand(filterFlags(stateFlag(bulkFlags(command))), output).action(
    async (ids: readonly string[], options: CancelOptions & BulkOptions & FilterOptions) => {
      const filter = targetOf(ids, options);
      if (filter === null) await (await import('./change.ts')).cancelEach(ids, options, output);
      else await (await import('./bulk.ts')).cancelAll(filter, options, output);
    },
  );
  examples(command, 'leasequeue job cancel "$ID" --reason "ordered twice"', 'leasequeue job cancel --queue examples --state QUEUED --dry-run');
}

/** `job redrive` and `dead redrive`. */
export function defineRedrive(command: Command, output: Output): Command {
  askingCommand(filterFlags(bulkFlags(startFlags(command))), output).action(
    async (ids: readonly string[], options: StartOptions & BulkOptions & FilterOptions) => {
      const filter = targetOf(ids, options);
      if (filter === null) await (await import('./change.ts')).redriveEach(ids, options, output);
      else await (await import('./bulk.ts')).redriveAll(filter, options, output);
    },
  );
  return command;
}

/** Null: the ids. */
function targetOf(ids: readonly string[], options: FilterOptions & BulkOptions): ReturnType<typeof filterOf> | null {
  const filter = filterOf(options);
  const hasFilter = Object.keys(filter).length > 0;
  if (ids.length > 0 && !hasFilter && !options.dryRun) return null;
  if (ids.length === 0 && hasFilter) return filter;
  throw new CommandFailure('say which jobs: by their ids, or by a filter such as --queue. A dry run is for filters.', EXIT.usage);
}
