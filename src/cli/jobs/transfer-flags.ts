/** `job import` and `job export`: jobs as JSON Lines. */
import { type Command } from 'commander';
import { askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import type { Output } from '../print.ts';
import type { ExportOptions } from './export.ts';
import { filterFlags, stateFlag } from './filter.ts';
import type { ImportOptions } from './import.ts';

export function defineTransfer(noun: Command, output: Output): void {
  defineImport(noun.command('import').description('submit a job for each line of JSON').argument('<file>', 'with JSON Lines; - is standard input'), output);
  defineExport(
    noun.command('export').description('write jobs with payload and result as JSON Lines').argument('[file]', 'that is made; absent: standard output'),
    output,
  );
}

const LINES = `
A line is what submitJob takes, such as {"task": "mail.send", "payload": {"to": "ada@example.com"}}, or what export wrote. Every line is
checked before the first one is sent. A line without an idempotency key gets one made of its number and its text, so that an import that
was interrupted can be repeated: what is stored already is recognised for a day, and for as long as the job is kept.`;

function defineImport(command: Command, output: Output): void {
  command.option('--dry-run', 'check every line, and send nothing');
  askingCommand(command, output)
    .addHelpText('after', LINES)
    .action(async (file: string, options: ImportOptions) => (await import('./import.ts')).importJobs(file, options, output));
  examples(command, 'leasequeue job import jobs.jsonl', 'leasequeue job import - --dry-run < jobs.jsonl');
}

function defineExport(command: Command, output: Output): void {
  askingCommand(filterFlags(stateFlag(command)), output).action(async (file: string | undefined, options: ExportOptions) =>
    (await import('./export.ts')).exportJobs(file, options, output),
  );
  examples(command, 'leasequeue job export --queue examples > backup.jsonl', 'leasequeue job export --state QUEUED,RETRY waiting.jsonl');
}
