/** One call of the command line, from its arguments to its exit code. A command is loaded when it is asked for. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../server/version.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type Output, processOutput } from './print.ts';

interface Noun {
  readonly summary: string;
  /** Gives what adds the noun's verbs to it. */
  readonly load: () => Promise<(noun: Command, output: Output) => void>;
}

const NOUNS: Readonly<Record<string, Noun>> = {
  serve: { summary: 'run the server', load: async () => (await import('./commands/serve.ts')).defineServe },
  db: { summary: 'check, back up, restore and migrate the database', load: async () => (await import('./commands/db.ts')).defineDb },
  doctor: { summary: 'say what is wrong with this installation', load: async () => (await import('./commands/doctor.ts')).defineDoctor },
  keys: { summary: 'make, list and revoke API keys, in the database itself', load: async () => (await import('./commands/keys.ts')).defineKeys },
};

export async function runCommandLine(words: readonly string[]): Promise<number> {
  const output = processOutput();
  try {
    const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
    const program = await createProgram(asked, output);
    await program.parseAsync(asked, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandFailure)) throw error;
    output.talk(`error: ${error.message}`);
    return error.exitCode;
  }
}

async function createProgram(words: readonly string[], output: Output): Promise<Command> {
  const program = new Command('leasequeue').description('LeaseQueue, a durable background-job server.').version(VERSION).showHelpAfterError().exitOverride();
  const wanted = words.find((word) => !word.startsWith('-'));
  for (const [name, { summary, load }] of Object.entries(NOUNS)) {
    const noun = program.command(name).description(summary);
    if (name === wanted) (await load())(noun, output);
  }
  return program;
}
