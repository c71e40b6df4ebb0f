/** The tree of commands, as the parser has it, and one walk through it. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../runtime/version.ts';
import { EXIT, type ExitCode } from './failure.ts';
import { isNoun, nounOf, NOUNS, overview } from './nouns.ts';
import type { Output } from './print.ts';
import { visibleLines } from './visible-text.ts';

/** The program with all its nouns, of which those that `isWanted` have their verbs. */
export async function createProgram(output: Output, isWanted: (noun: string) => boolean): Promise<Command> {
  const program = new Command('leasequeue')
    .version(VERSION)
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => void process.stderr.write(visibleLines(text)) });
  for (const [name, { summary, isHidden = false, load }] of Object.entries(NOUNS)) {
    const noun = program.command(name, { hidden: isHidden }).description(summary);
    if (isWanted(name)) (await load())(noun, output);
  }
  program.helpInformation = overview;
  return program;
}

/** Runs the command that the words name. Wrong usage is explained on standard error. */
export async function runProgram(words: readonly string[], output: Output): Promise<ExitCode> {
  const wanted = nounOf(words);
  const program = await createProgram(output, (noun) => noun === wanted);
  try {
    await program.parseAsync(wanted === undefined || isNoun(wanted) ? words : [wanted], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
