/** `leasequeue __complete`: what the completion scripts ask at each press of the key. Answers with one candidate per line, never with an error. */
import type { Command } from 'commander';
import { candidatesAt, type NameKind } from '../completion-place.ts';
import type { ConnectionFlags } from '../connection.ts';
import { nounOf } from '../nouns.ts';
import type { Output } from '../print.ts';
import { createProgram } from '../program.ts';

export function defineComplete(noun: Command, output: Output): void {
  noun.argument('[words...]', 'of the command line, up to the one that is written').action((words: readonly string[]) => complete(words, output));
}

async function complete(typed: readonly string[], output: Output): Promise<void> {
  const words = typed[0] === 'help' && typed.length > 1 ? typed.slice(1) : typed;
  // The word that is being written names nothing yet.
  const wanted = nounOf(words.slice(0, -1));
  const program = await createProgram(output, (noun) => noun === wanted);
  const { words: known, names, prefix } = candidatesAt(program, words);
  const asked = names === null ? [] : await namesFor(names, words);
  const written = words.at(-1) ?? '';
  const candidates = [...known, ...asked.map((name) => `${prefix}${name}`).filter((word) => word.startsWith(written))];
  await output.data(candidates.map((candidate) => `${candidate}\n`).join(''));
}

async function namesFor(kind: NameKind, words: readonly string[]): Promise<readonly string[]> {
  const { knownNames } = await import('../known-names.ts');
  return knownNames(kind, flagsIn(words.slice(0, -1)));
}

const FLAGS = { '--url': 'url', '--tenant': 'tenant', '--context': 'context', '--api-key-file': 'apiKeyFile' } as const;

/** The flags of the line so far that say where the server is: the names are to be its own. */
function flagsIn(words: readonly string[]): ConnectionFlags {
  const pairs = Object.entries(FLAGS).flatMap(([flag, field]) => {
    const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
    const value = words[at]?.includes('=') ? words[at].slice(flag.length + 1) : words[at + 1];
    return at === -1 || value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(pairs) as ConnectionFlags;
}
