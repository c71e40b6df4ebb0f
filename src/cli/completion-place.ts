/** Where on a command line the cursor stands: what kind of word may come there. Read off the definitions of the commands. */
import type { Argument, Command, Option } from 'commander';

/** Names that are not in the definitions: the server knows them, or the file of contexts. */
export type NameKind = 'queue' | 'task' | 'tenant' | 'context';

export interface Candidates {
  /** Every one begins with what is written. */
  readonly words: readonly string[];
  /** Null: no names come here. */
  readonly names: NameKind | null;
  /** Of the written word, what stays before a name: `--queue=` or `a,`. */
  readonly prefix: string;
}

interface Place {
  readonly command: Command;
  readonly argumentCount: number;
  /** A flag that still wants its value. */
  readonly pending: Option | null;
  /** Behind `--`: the words are another program's. */
  readonly isOver: boolean;
}

const NAME_KINDS: Readonly<Record<string, NameKind>> = {
  queue: 'queue',
  queues: 'queue',
  task: 'task',
  tasks: 'task',
  tenant: 'tenant',
  context: 'context',
};
const NOTHING: Candidates = { words: [], names: null, prefix: '' };
const FLAG_WITH_VALUE = /^(--[\w-]+)=(.*)$/s;

/** What may stand in place of the last word, which may be empty. */
export function candidatesAt(program: Command, words: readonly string[]): Candidates {
  const place = words.slice(0, -1).reduce<Place>(after, { command: program, argumentCount: 0, pending: null, isOver: false });
  const written = words.at(-1) ?? '';
  if (place.isOver) return NOTHING;
  if (place.pending !== null) return valuesOf(place.pending, written, '');
  const [, flag = '', value = ''] = FLAG_WITH_VALUE.exec(written) ?? [];
  const option = optionOf(place.command, flag);
  if (option !== undefined) return valuesOf(option, value, `${flag}=`);
  return written.startsWith('-') ? beginning(written, flagsOf(place.command)) : wordsOf(place, written);
}

function after(place: Place, word: string): Place {
  if (place.isOver) return place;
  if (place.pending !== null) return { ...place, pending: null };
  if (word === '--') return { ...place, isOver: true };
  if (word.startsWith('-')) return { ...place, pending: wantsNext(optionOf(place.command, word)) };
  const command = place.command.commands.find((candidate) => candidate.name() === word);
  return command === undefined ? { ...place, argumentCount: place.argumentCount + 1 } : { ...place, command, argumentCount: 0 };
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

function wantsNext(option: Option | undefined): Option | null {
  return option?.required ? option : null;
}

function flagsOf(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
}

function wordsOf({ command, argumentCount }: Place, written: string): Candidates {
  if (command.commands.length > 0) {
    const visible = command.createHelp().visibleCommands(command);
    return beginning(
      written,
      visible.map((each) => each.name()),
    );
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[argumentCount] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? NOTHING : valuesOf(argument, written, '');
}

/** Of a list with commas, its last word is completed. */
function valuesOf(owner: Option | Argument, written: string, flag: string): Candidates {
  const { argChoices } = owner;
  if (argChoices !== undefined)
    return beginning(
      `${flag}${written}`,
      argChoices.map((choice) => `${flag}${choice}`),
    );
  const name = 'attributeName' in owner ? owner.attributeName() : owner.name();
  return { words: [], names: NAME_KINDS[name] ?? null, prefix: `${flag}${written.slice(0, written.lastIndexOf(',') + 1)}` };
}

function beginning(written: string, words: readonly string[]): Candidates {
  return { ...NOTHING, words: words.filter((word) => word.startsWith(written)) };
}
