/**
 * The nouns that there are, and the overview of them. Loads nothing, so that the first help and the version come at once;
 * what a noun consists of is loaded when it is asked for.
 */
import type { Command } from 'commander';
import type { Output } from './print.ts';

/** What stands first on the command line: a noun with verbs, or a verb of its own. */
export interface Noun {
  readonly summary: string;
  /** `client`: asks a server, or nobody, and loads nothing of the server. `server`: runs it, or opens its database. */
  readonly kind: 'client' | 'server';
  readonly isHidden?: true;
  /** Gives what adds the noun's verbs to it. */
  readonly load: () => Promise<(noun: Command, output: Output) => void>;
}

export const NOUNS: Readonly<Record<string, Noun>> = {
  serve: { summary: 'run the server', kind: 'server', load: async () => (await import('./commands/serve.ts')).defineServe },
  db: { summary: 'check, back up, restore and migrate the database', kind: 'server', load: async () => (await import('./commands/db.ts')).defineDb },
  doctor: { summary: 'say what is wrong with this installation', kind: 'server', load: async () => (await import('./commands/doctor.ts')).defineDoctor },
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
  worker: {
    summary: 'do jobs, by a program in any language',
    kind: 'client',
    load: async () => (await import('./commands/worker.ts')).defineWorker,
  },
  tenant: {
    summary: 'list, create, change and suspend tenants',
    kind: 'client',
    load: async () => (await import('./commands/tenant.ts')).defineTenant,
  },
  keys: {
    summary: 'make, list and revoke API keys, in the database itself',
    kind: 'server',
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
    summary: 'print the script by which a shell completes commands',
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

/** Where it is none, a flag for help must not hide that. */
export function isNoun(word: string): boolean {
  return Object.hasOwn(NOUNS, word) || word === 'help';
}

/** The word that names the noun. */
export function nounOf(words: readonly string[]): string | undefined {
  return words.find((word) => !word.startsWith('-'));
}

/** The help of the whole program. */
export function overview(): string {
  const visible = Object.entries(NOUNS).filter(([, { isHidden }]) => isHidden !== true);
  const width = Math.max(...visible.map(([name]) => name.length));
  return `Usage: leasequeue <noun> <verb> [options]

LeaseQueue, a durable background-job server.

Commands:
${visible.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`).join('')}
Options:
  -V, --version  print the version
  -h, --help     print this; with a noun and a verb, their help

Help on a command: leasequeue help <noun> <verb>
`;
}
