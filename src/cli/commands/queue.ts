/** `leasequeue queue`: what waits where, and who may take it. */
import { type Command, Option } from 'commander';
import { LIMITS } from '../../domain/limits.ts';
import { type AskingOptions, askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { durationOption, orDefaultOption, secondsOption, wholeNumberOption } from '../options.ts';
import type { Output } from '../print.ts';
import type { PauseOptions, SetOptions } from '../queues/control.ts';
import type { TopOptions } from '../queues/top.ts';
import { ATTEMPTS, PRIORITY } from '../jobs/submit-flags.ts';

export function defineQueue(noun: Command, output: Output): void {
  const list = noun.command('list').description('list queues with their figures, by name');
  askingCommand(list, output).action(async (options: AskingOptions) => (await import('../queues/control.ts')).listQueues(options, output));
  examples(list, 'leasequeue queue list', 'leasequeue queue list --json');
  defineOne(noun, output);
  definePause(noun.command('pause').description('let no claim take from a queue; running jobs go on').argument('<queue>', 'its name'), output);
  defineSet(noun.command('set').description('change what jobs of a queue take that do not say otherwise').argument('<queue>', 'its name'), output);
  defineTop(noun.command('top').description('watch the queues, the most troubled first'), output);
}

function defineOne(noun: Command, output: Output): void {
  const get = noun.command('get').description('show everything about a queue').argument('<queue>', 'its name');
  askingCommand(get, output).action(async (name: string, options: AskingOptions) => (await import('../queues/control.ts')).showQueue(name, options, output));
  examples(get, 'leasequeue queue get examples', 'leasequeue queue get examples --json');
  const resume = noun.command('resume').description('open a paused queue').argument('<queue>', 'its name');
  askingCommand(resume, output).action(async (name: string, options: AskingOptions) =>
    (await import('../queues/control.ts')).resumeQueue(name, options, output),
  );
  examples(resume, 'leasequeue queue resume examples', 'leasequeue queue resume examples --json');
}

function definePause(command: Command, output: Output): void {
  command.option('--reason <text>', 'why, for people');
  askingCommand(command, output).action(async (name: string, options: PauseOptions) =>
    (await import('../queues/control.ts')).pauseQueue(name, options, output),
  );
  examples(command, 'leasequeue queue pause reports --reason "the mail server is down"', 'leasequeue queue pause reports --json');
}

const KEEP_FOR_EVER = '; 0 is for ever';

function defineSet(command: Command, output: Output): void {
  const withDefault = (flags: string, meaning: string, parse: (text: string) => number): Option => new Option(flags, meaning).argParser(orDefaultOption(parse));
  command
    .addOption(withDefault('--priority <number>', 'of a job', PRIORITY))
    .addOption(withDefault('--max-attempts <number>', 'attempt budget of a job', ATTEMPTS))
    .addOption(withDefault('--retry-base <time>', 'wait after the first failed attempt', secondsOption))
    .addOption(withDefault('--retry-max <time>', 'the longest wait between attempts', secondsOption))
    .addOption(withDefault('--lease <time>', 'length of a lease', secondsOption))
    .addOption(withDefault('--keep-completed <time>', `how long completed jobs are kept${KEEP_FOR_EVER}`, secondsOption))
    .addOption(withDefault('--keep-cancelled <time>', `how long cancelled jobs are kept${KEEP_FOR_EVER}`, secondsOption))
    .addOption(withDefault('--keep-dead <time>', `how long dead letters are kept${KEEP_FOR_EVER}`, secondsOption))
    .addOption(
      new Option('--expected-version <number>', 'change nothing where the queue has another version; 0 is a new one').argParser(
        wholeNumberOption(0, Number.MAX_SAFE_INTEGER),
      ),
    );
  askingCommand(command, output)
    .addHelpText('after', '\nWhat is not named stays as it is; the word default goes back to the default of the server.')
    .action(async (name: string, options: SetOptions) => (await import('../queues/control.ts')).setQueue(name, options, output));
  examples(command, 'leasequeue queue set mail --max-attempts 10 --retry-base 30s --lease 2m', 'leasequeue queue set mail --keep-dead 30d --priority default');
}

const EVERY_MS = 2_000;

function defineTop(command: Command, output: Output): void {
  command
    .addOption(new Option('--every <time>', 'between two looks, 500ms to 1h').argParser(durationOption).default(EVERY_MS, '2s'))
    .option('--once', 'print one table and end, as without a terminal');
  askingCommand(command, output)
    .addHelpText('after', `\nEnd it with q or Ctrl-C. It shows the first ${QUEUES_SHOWN} queues by name.`)
    .action(async (options: TopOptions) => (await import('../queues/top.ts')).top(options, output));
  examples(command, 'leasequeue queue top --once', 'leasequeue queue top --once --json');
}

const QUEUES_SHOWN = 5 * LIMITS.pageItemsMax;
