/** `leasequeue job`: everything about jobs that a producer or an operator does. What a verb does is loaded when it is called. */
import { type Command, Option } from 'commander';
import { LIMITS } from '../../domain/limits.ts';
import { askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { defineCancel, defineRedrive } from '../jobs/bulk-verbs.ts';
import type { RescheduleOptions } from '../jobs/change.ts';
import { filterFlags, stateFlag } from '../jobs/filter.ts';
import { listFlags } from '../jobs/flags.ts';
import type { WaitOptions } from '../jobs/follow.ts';
import type { GetOptions, ListOptions } from '../jobs/read.ts';
import { PRIORITY, startFlags, submitFlags, type SubmitFlags } from '../jobs/submit-flags.ts';
import { durationOption } from '../options.ts';
import type { Output } from '../print.ts';
import { defineTransfer } from '../jobs/transfer-flags.ts';

export function defineJob(noun: Command, output: Output): void {
  defineSubmit(noun.command('submit').description('store a job; prints its id').argument('<task>', 'the kind of work, such as invoice.send'), output);
  defineGet(noun.command('get').description('show everything about a job').argument('[id]', 'of the job'), output);
  defineList(noun.command('list').description('list jobs, the newest first'), output);
  defineWait(noun.command('wait').description('wait until jobs have ended, and print their results').argument('<ids...>', 'of the jobs'), output);
  defineWatch(noun.command('watch').description('show what happens to a job until it ends').argument('<id>', 'of the job'), output);
  defineCancel(noun.command('cancel').description('end jobs that have not ended: by id, or all of a filter').argument('[ids...]', 'of the jobs'), output);
  const redrive = noun.command('redrive').description('put dead letters back: by id, or all of a filter').argument('[ids...]', 'of the jobs');
  examples(
    defineRedrive(redrive, output),
    'leasequeue job redrive "$DEAD"',
    'leasequeue job redrive --queue failing --finished-before 2100-01-01T00:00:00Z --yes',
  );
  defineReschedule(noun.command('reschedule').description('change when waiting jobs run, or their priority').argument('<ids...>', 'of the jobs'), output);
  defineTransfer(noun, output);
}

function defineSubmit(command: Command, output: Output): void {
  submitFlags(command, output).action(async (task: string, options: SubmitFlags) => (await import('../jobs/submit.ts')).submit(task, options, output));
  examples(
    command,
    `leasequeue job submit invoice.send --queue billing --payload '{"invoiceId": 42}' --idempotency-key invoice-42`,
    'echo \'{"to": "ada@example.com"}\' | leasequeue job submit mail.send --payload - --in 10m --tag team=sales --json',
  );
}

function defineGet(command: Command, output: Output): void {
  command.option('--queue <queue>', 'of the job, with --idempotency-key').option('--idempotency-key <key>', 'that it was submitted with');
  askingCommand(command, output).action(async (id: string | undefined, options: GetOptions) =>
    (await import('../jobs/read.ts')).showJob(id, options, output, false),
  );
  examples(command, 'leasequeue job get "$ID"', 'leasequeue job get --queue examples --idempotency-key example-1 --json');
}

function defineList(command: Command, output: Output): void {
  askingCommand(listFlags(filterFlags(stateFlag(command))), output).action(async (options: ListOptions) =>
    (await import('../jobs/read.ts')).listJobs(options, output),
  );
  examples(command, 'leasequeue job list --queue examples --state QUEUED,RETRY', 'leasequeue job list --tag team=sales --order oldest-first --all --json');
}

function defineWait(command: Command, output: Output): void {
  command.addOption(new Option('--timeout <time>', 'give up after this time').argParser(durationOption));
  askingCommand(command, output)
    .addHelpText('after', '\nEnds with 0 where all completed, 7 where one is dead or cancelled, 3 where one is unknown, 1 after the time.')
    .action(async (ids: readonly string[], options: WaitOptions) => {
      if (ids.length > LIMITS.filterValuesMax) throw new CommandFailure(`one call waits for ${LIMITS.filterValuesMax} jobs at most.`, EXIT.usage);
      await (await import('../jobs/follow.ts')).waitForJobs(ids, options, output);
    });
  examples(
    command,
    { line: 'leasequeue job wait "$DEAD"', exitCode: EXIT.endedBadly },
    { line: 'leasequeue job wait "$ID" --timeout 1s', exitCode: EXIT.failed },
  );
}

function defineWatch(command: Command, output: Output): void {
  askingCommand(command, output)
    .addHelpText('after', '\nEnds with 0 where it completed, and with 7 where it is dead or cancelled.')
    .action(async (id: string, options: WaitOptions) => (await import('../jobs/follow.ts')).watchJob(id, options, output));
  examples(
    command,
    { line: 'leasequeue job watch "$DEAD"', exitCode: EXIT.endedBadly },
    { line: 'leasequeue job watch "$DEAD" --json', exitCode: EXIT.endedBadly },
  );
}

function defineReschedule(command: Command, output: Output): void {
  startFlags(command).addOption(new Option('--priority <number>', 'a new priority').argParser(PRIORITY));
  askingCommand(command, output).action(async (ids: readonly string[], options: RescheduleOptions) => {
    const { at, in: inMs, priority } = options;
    if (at === undefined && inMs === undefined && priority === undefined) {
      throw new CommandFailure('say what to change: --at, --in or --priority.', EXIT.usage);
    }
    await (await import('../jobs/change.ts')).rescheduleEach(ids, options, output);
  });
  examples(command, 'leasequeue job reschedule "$ID" --in 1h', 'leasequeue job reschedule "$ID" --priority 50 --json');
}
