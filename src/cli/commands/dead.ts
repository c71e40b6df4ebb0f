/** `leasequeue dead`: the dead letters, and how they get another chance. */
import type { Command } from 'commander';
import { askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { defineRedrive } from '../jobs/bulk-verbs.ts';
import { filterFlags } from '../jobs/filter.ts';
import { listFlags } from '../jobs/flags.ts';
import type { ListOptions } from '../jobs/read.ts';
import type { Output } from '../print.ts';

export function defineDead(noun: Command, output: Output): void {
  const list = noun.command('list').description('list dead letters with their errors, the latest first');
  askingCommand(listFlags(filterFlags(list)), output).action((options: ListOptions) => listDead(options, output));
  examples(list, 'leasequeue dead list', 'leasequeue dead list --queue failing --first 50 --json');
  const redrive = noun.command('redrive').description('put dead letters back: by id, or all of a filter').argument('[ids...]', 'of the jobs');
  examples(defineRedrive(redrive, output), 'leasequeue dead redrive "$DEAD" --in 5m', 'leasequeue dead redrive --queue failing --yes');
}

async function listDead(options: ListOptions, output: Output): Promise<void> {
  const { listJobs } = await import('../jobs/read.ts');
  const { DEAD_HEAD, deadRow } = await import('../jobs/view.ts');
  await listJobs({ order: 'recently-finished', ...options, state: ['DEAD'] }, output, { head: DEAD_HEAD, row: deadRow });
}
