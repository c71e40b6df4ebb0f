/** `leasequeue events`: what happened, and what happens. */
import { type Command, Option } from 'commander';
import { EVENT_KINDS } from '../../domain/events.ts';
import { askingCommand } from '../conversation.ts';
import type { EventsOptions } from '../events/read.ts';
import { examples } from '../examples.ts';
import { STATES } from '../jobs/filter.ts';
import { namesOption, wholeNumberOption, wordsOption } from '../options.ts';
import type { Output } from '../print.ts';

const LAST_MAX = 10_000;

export function defineEvents(noun: Command, output: Output): void {
  noun
    .option('--after <cursor>', 'only events after this cursor; absent: from the oldest that is kept, or with --follow from now')
    .addOption(new Option('--last <count>', `only the last so many of them, up to ${LAST_MAX}`).argParser(wholeNumberOption(0, LAST_MAX)))
    .option('--follow', 'go on with what happens, also through restarts of the server')
    .optionsGroup('Which events:')
    .addOption(new Option('--queue <queues>', 'of these queues, with commas').argParser(namesOption))
    .addOption(new Option('--task <tasks>', 'of these tasks, with commas').argParser(namesOption))
    .addOption(new Option('--job <ids>', 'of these jobs, with commas').argParser(namesOption))
    .addOption(new Option('--kind <kinds>', `of these kinds, with commas: ${EVENT_KINDS.join(', ')}`).argParser(wordsOption(EVENT_KINDS)))
    .addOption(new Option('--state <states>', 'into these states, with commas').argParser(wordsOption(STATES)));
  askingCommand(noun, output)
    .addHelpText('after', '\nAt the end the cursor to go on from is on standard error. --last reads everything before as well, which takes its time.')
    .action(async (options: EventsOptions) => (await import('../events/read.ts')).events(options, output));
  examples(noun, 'leasequeue events --queue examples --last 20', 'leasequeue events --kind DEAD_LETTERED --json');
}
