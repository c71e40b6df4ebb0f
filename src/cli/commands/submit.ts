/** `leasequeue submit`: the short form of `leasequeue job submit`, whose task may stand in the payload. */
import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { type SubmitFlags, submitFlags } from '../jobs/submit-flags.ts';
import type { Output } from '../print.ts';

interface ShortFlags extends SubmitFlags {
  readonly task?: string;
}

export function defineSubmit(noun: Command, output: Output): void {
  noun.option('--task <task>', 'the kind of work; absent: the "task" of the payload where that is a name, else default');
  submitFlags(noun, output).action(async (options: ShortFlags) => (await import('../jobs/submit.ts')).submit(options.task ?? null, options, output));
  examples(
    noun,
    `leasequeue submit --queue q1 --payload '{"task": "demo"}'`,
    `leasequeue submit --tenant t1 --task mail.send --payload '{"to": "ada@example.com"}' --dry-run`,
  );
}
