/** Examples of commands: shown at the end of their help, and run by the tests. */
import type { Command } from 'commander';
import { EXIT, type ExitCode } from './failure.ts';

export interface Example {
  /** As a person types it into a shell. */
  readonly line: string;
  readonly exitCode: ExitCode;
}

const known = new WeakMap<Command, readonly Example[]>();

/** Gives a command its examples, at least two. In them, `$ID` is a job that waits, `$DEAD` a dead one, `$KEY_ID` an API key. */
export function examples(command: Command, ...lines: readonly (string | Example)[]): Command {
  const own = lines.map((line) => (typeof line === 'string' ? { line, exitCode: EXIT.done } : line));
  known.set(command, own);
  return command.addHelpText('after', `\nExamples:\n${own.map(({ line }) => `  $ ${line}`).join('\n')}`);
}

export function examplesOf(command: Command): readonly Example[] {
  return known.get(command) ?? [];
}
