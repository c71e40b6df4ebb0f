/** Flags that several commands on jobs share. */
import { type Command, Option } from 'commander';
import { LIMITS } from '../../domain/limits.ts';
import { wholeNumberOption } from '../options.ts';

export function listFlags(command: Command): Command {
  return command
    .addOption(new Option('--order <order>', 'in which order').choices(['newest-first', 'oldest-first', 'next-to-run', 'recently-finished']))
    .addOption(new Option('--first <count>', `how many, up to ${LIMITS.pageItemsMax} (20)`).argParser(wholeNumberOption(1, LIMITS.pageItemsMax)))
    .option('--after <cursor>', 'go on behind a page before, in the same order')
    .addOption(new Option('--all', 'every one, page by page').conflicts('first'));
}

export function bulkFlags(command: Command): Command {
  return command.option('--yes', 'do it without a question').option('--dry-run', 'tell how many jobs a filter matches, and change nothing');
}
