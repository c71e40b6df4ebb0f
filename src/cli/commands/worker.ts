/** `leasequeue worker`: does jobs, by a program in any language. What a verb does is loaded when it is called. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { clientCommand } from '../client-command.ts';
import { askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { durationOption, secondsOption, wholeNumberOption } from '../options.ts';
import type { Output } from '../print.ts';
import { leaseOption, takingFlags, type WorkerFlags } from '../worker/flags.ts';
import type { ListFlags } from '../worker/list.ts';
import type { RunFlags } from '../worker/run.ts';

const CONCURRENCY_MAX = 1_000;
const SEEN_SECONDS_MAX = 86_400;
const ENDINGS = `
The end of the program is the end of the attempt: 0 completes the job with what it wrote to standard output, 65 makes it
a dead letter, 75 hands it back for --snooze, anything else fails it. See docs/cli.md.

Ends with 0 on SIGTERM or Ctrl-C where all work ended within the grace, else with 143 or 130.`;

export function defineWorker(noun: Command, output: Output): void {
  // The flags of the short form are also those of the verbs.
  noun.enablePositionalOptions();
  defineRun(noun.command('run').description('run a program for each job: its payload on standard input, its result on standard output'), output);
  definePrint(noun.command('print', { isDefault: true }).description('print each job and complete it; the verb may be left out'), output);
  defineList(noun.command('list').description('show the workers that were seen lately'), output);
}

function defineRun(command: Command, output: Output): void {
  takingFlags(command.argument('<program...>', 'behind --: the program and its arguments'))
    .addOption(new Option('--concurrency <number>', 'jobs at the same time').argParser(wholeNumberOption(1, CONCURRENCY_MAX)).default(4, '4'))
    .addOption(new Option('--lease <time>', 'length of a lease, which heartbeats keep alive').argParser(leaseOption).default(60_000, '60s'))
    .addOption(new Option('--grace <time>', 'how long programs may go on after a stop').argParser(durationOption).default(25_000, '25s'))
    .addOption(new Option('--kill-after <time>', 'from SIGTERM for a program to SIGKILL').argParser(durationOption).default(5_000, '5s'))
    .addOption(new Option('--timeout <time>', 'how long an attempt may take; as long as it likes where absent').argParser(durationOption))
    .addOption(new Option('--snooze <time>', 'for how long exit code 75 puts a job off').argParser(durationOption).default(30_000, '30s'));
  clientCommand(command, output)
    .addHelpText('after', ENDINGS)
    .action(async (words: readonly string[], options: RunFlags) => (await import('../worker/run.ts')).runProgramForJobs(words, options, output));
  examples(
    command,
    'leasequeue worker run --queue examples --once -- cat',
    `leasequeue worker run --queue billing --task invoice.send --concurrency 8 --until-idle -- sh -c 'echo "$LEASEQUEUE_JOB_ID" >&2'`,
  );
}

function definePrint(command: Command, output: Output): void {
  clientCommand(takingFlags(command), output).action(async (options: WorkerFlags) => (await import('../worker/print-jobs.ts')).printJobs(options, output));
  examples(command, 'leasequeue worker print --queue examples --once', 'leasequeue worker print --queue examples --task mail.send --until-idle --json');
}

function defineList(command: Command, output: Output): void {
  command.addOption(new Option('--seen-within <time>', 'how long ago at most').argParser(seenOption).default(300, '5m'));
  askingCommand(command, output).action(async (options: ListFlags) => (await import('../worker/list.ts')).listWorkers(options, output));
  examples(command, 'leasequeue worker list', 'leasequeue worker list --seen-within 1h --json');
}

function seenOption(text: string): number {
  const seconds = secondsOption(text);
  if (seconds >= 1 && seconds <= SEEN_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError('It must be 1s to 1d.');
}
