/** One call of the command line, from its arguments to its exit code. */
import { processEnvironment } from '../runtime/environment.ts';
import { VERSION } from '../runtime/version.ts';
import { CommandFailure, EXIT, type ExitCode } from './failure.ts';
import { overview } from './nouns.ts';
import { type Output, processOutput } from './print.ts';

export async function runCommandLine(words: readonly string[]): Promise<ExitCode> {
  const output = processOutput();
  try {
    refuseKeys(words);
    const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
    const known = answerAtOnce(asked);
    if (known === null) return await (await import('./program.ts')).runProgram(asked, output);
    await output.data(known);
    return EXIT.done;
  } catch (error) {
    const { explainedFailure } = await import('./client-failure.ts');
    return exitCodeOf(explainedFailure(error), output);
  }
}

/** What needs no parser, whose loading is half of the start. */
function answerAtOnce([word = '', ...others]: readonly string[]): string | null {
  if (others.length > 0) return null;
  if (word === '--version' || word === '-V') return `${VERSION}\n`;
  return word === '--help' || word === '-h' ? overview() : null;
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

function exitCodeOf(error: unknown, output: Output): ExitCode {
  output.fault(`error: ${error instanceof CommandFailure ? error.message : unexpected(error)}`);
  if (processEnvironment()['LEASEQUEUE_LOG_LEVEL'] === 'debug' && error instanceof Error && error.stack !== undefined) output.fault(error.stack);
  return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
}

function unexpected(error: unknown): string {
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${said === '' ? 'something unexpected happened' : said}. This should not happen; LEASEQUEUE_LOG_LEVEL=debug shows where it did, for a report.`;
}
