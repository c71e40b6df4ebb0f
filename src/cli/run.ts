/** One call of the command line, from its arguments to its exit code. */
import { CommanderError } from 'commander';
import { processEnvironment } from '../runtime/environment.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type Output, processOutput } from './print.ts';
import { createProgram, isNoun, nounOf } from './program.ts';

export async function runCommandLine(words: readonly string[]): Promise<number> {
  const output = processOutput();
  try {
    refuseKeys(words);
    const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
    const wanted = nounOf(asked);
    const program = await createProgram(output, (noun) => noun === wanted);
    await program.parseAsync(wanted === undefined || isNoun(wanted) ? asked : [wanted], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return exitCodeOf(error, output);
  }
}

/** A key on the command line is in the history of the shell and in the list of processes. The answer does not repeat it. */
function refuseKeys(words: readonly string[]): void {
  const ours = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (!ours.some((word) => word === '--api-key' || word.startsWith('--api-key='))) return;
  throw new CommandFailure(
    'a key is never given as a flag, where the list of processes and the history of the shell would show it. ' +
      'Put it into a file of mode 600 and name that with --api-key-file, or into the variable LEASEQUEUE_API_KEY. ' +
      'If it was a real key, revoke it.',
    EXIT.usage,
  );
}

function exitCodeOf(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  output.fault(`error: ${error instanceof CommandFailure ? error.message : unexpected(error)}`);
  if (processEnvironment()['LEASEQUEUE_LOG_LEVEL'] === 'debug' && error instanceof Error && error.stack !== undefined) output.fault(error.stack);
  return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
}

function unexpected(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${said === '' ? 'something unexpected happened' : said}. This should not happen; LEASEQUEUE_LOG_LEVEL=debug shows where it did, for a report.`;
}
