/** The tree of commands. What a noun consists of is loaded when it is asked for, so that no command pays for another. */
import { Command } from 'commander';
import { VERSION } from '../runtime/version.ts';
import { CommandFailure, EXIT } from './failure.ts';
import type { Output } from './print.ts';
import { visibleLines } from './visible-text.ts';

/** What stands first on the command line: a noun with verbs, or a verb of its own. */
interface Noun {
  readonly summary: string;
  /**
   * `client`: asks a server, or nobody; loads nothing of the server. `database`: opens the database itself, whose
   * binding wants a newer Node.
   */
  readonly kind: 'client' | 'database';
  readonly isHidden?: true;
  /** Gives what adds the noun's verbs to it. */
  readonly load: () => Promise<(noun: Command, output: Output) => void>;
}

export const NOUNS: Readonly<Record<string, Noun>> = {
  submit: {
    summary: 'store a job: the short form of job submit',
    kind: 'client',
    load: async () => (await import('./commands/submit.ts')).defineSubmit,
  },
  inspect: {
    summary: 'look at everything, or at everything about one job',
    kind: 'client',
    load: async () => (await import('./commands/inspect.ts')).defineInspect,
  },
  job: {
    summary: 'submit, list, follow, change, import and export jobs',
    kind: 'client',
    load: async () => (await import('./commands/job.ts')).defineJob,
  },
  dead: {
    summary: 'list dead letters, and put them back',
    kind: 'client',
    load: async () => (await import('./commands/dead.ts')).defineDead,
  },
  queue: {
    summary: 'list, watch, pause and configure queues',
    kind: 'client',
    load: async () => (await import('./commands/queue.ts')).defineQueue,
  },
  events: {
    summary: 'print what happened, and follow what happens',
    kind: 'client',
    load: async () => (await import('./commands/events.ts')).defineEvents,
  },
  tenant: {
    summary: 'list, create, change and suspend tenants',
    kind: 'client',
    load: async () => (await import('./commands/tenant.ts')).defineTenant,
  },
  keys: {
    summary: 'make, list and revoke API keys, in the database itself',
    kind: 'database',
    load: async () => (await import('./commands/keys.ts')).defineKeys,
  },
  context: {
    summary: 'name servers, and choose the one that commands ask',
    kind: 'client',
    load: async () => (await import('./commands/context.ts')).defineContext,
  },
  config: {
    summary: 'show every setting, and where it comes from',
    kind: 'client',
    load: async () => (await import('./commands/config.ts')).defineConfig,
  },
  completion: {
    summary: 'print a script that lets a shell complete commands, flags and names',
    kind: 'client',
    load: async () => (await import('./commands/completion.ts')).defineCompletion,
  },
  __complete: {
    summary: 'what may stand at the end of these words',
    kind: 'client',
    isHidden: true,
    load: async () => (await import('./commands/complete.ts')).defineComplete,
  },
};

const DATABASE_NODE_MAJOR_MIN = 24;

/** The program with all its nouns, of which those that `isWanted` have their verbs. */
export async function createProgram(output: Output, isWanted: (noun: string) => boolean): Promise<Command> {
  const program = new Command('leasequeue')
    .description('LeaseQueue, a durable background-job server.')
    .version(VERSION)
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => void process.stderr.write(visibleLines(text)) });
  for (const [name, { summary, kind, isHidden = false, load }] of Object.entries(NOUNS)) {
    const noun = program.command(name, { hidden: isHidden }).description(summary);
    if (kind === 'database') noun.hook('preAction', () => requireDatabaseNode(name));
    if (isWanted(name)) (await load())(noun, output);
  }
  return program.addHelpText('after', '\nHelp on a command: leasequeue help <noun> <verb>');
}

/** The word that names the noun. */
export function nounOf(words: readonly string[]): string | undefined {
  return words.find((word) => !word.startsWith('-'));
}

/** Where it is none, a flag for help must not hide that. */
export function isNoun(word: string): boolean {
  return Object.hasOwn(NOUNS, word) || word === 'help';
}

function requireDatabaseNode(name: string): void {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= DATABASE_NODE_MAJOR_MIN) return;
  throw new CommandFailure(
    `leasequeue ${name} opens the database, which needs Node ${DATABASE_NODE_MAJOR_MIN} or later, and this is ${node}. Start it with a newer one.`,
    EXIT.failed,
  );
}
