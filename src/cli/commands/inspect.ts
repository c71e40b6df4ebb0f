/** `leasequeue inspect`: a look at everything, or at everything about one job. */
import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { type AskingOptions, askingCommand } from '../conversation.ts';
import type { Output } from '../print.ts';

interface InspectOptions extends AskingOptions {
  readonly all?: true;
}

export function defineInspect(noun: Command, output: Output): void {
  noun.argument('[id]', 'of a job; absent: server, tenant, counts, queues and the newest jobs').option('--all', 'list all jobs, page by page');
  askingCommand(noun, output).action(async (id: string | undefined, options: InspectOptions) => {
    if (id !== undefined && options.all) throw new CommandFailure('name one job, or say --all.', EXIT.usage);
    if (options.all) return (await import('../jobs/read.ts')).listJobs(options, output);
    return id === undefined ? (await import('../overview.ts')).overview(options, output) : (await import('../jobs/read.ts')).showJob(id, options, output, true);
  });
  examples(noun, 'leasequeue inspect', 'leasequeue inspect "$DEAD"');
}
