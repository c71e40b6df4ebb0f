/** `leasequeue serve`: the server in this process, with flags in front of the environment. */
import { type Command, Option } from 'commander';
import { processEnvironment } from '../../runtime/environment.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { requireServerNode } from '../node-version.ts';

/** Each flag stands for one variable, whose rules it has. */
const FLAGS = [
  { flag: '--host', value: 'address', variable: 'LEASEQUEUE_HOST', summary: 'address to listen on' },
  { flag: '--port', value: 'port', variable: 'LEASEQUEUE_PORT', summary: 'port to listen on; 0 takes any free one' },
  { flag: '--database', value: 'file', variable: 'LEASEQUEUE_DATABASE_PATH', summary: 'file of the database' },
  { flag: '--environment', value: 'name', variable: 'LEASEQUEUE_ENVIRONMENT', summary: 'development or production' },
  { flag: '--log-level', value: 'level', variable: 'LEASEQUEUE_LOG_LEVEL', summary: 'debug, info, warn or error' },
] as const;

const REMARK = `
A flag wins over its variable, and that over the default. Everything else is set by variables, which
the page on configuration lists. SIGTERM or SIGINT stops the server in order.`;

export function defineServe(noun: Command): void {
  for (const { flag, value, variable, summary } of FLAGS) noun.addOption(new Option(`${flag} <${value}>`, `${summary} (${variable})`));
  noun.hook('preAction', requireServerNode).action((_options: unknown, command: Command) => serve(command));
  examples(noun, 'leasequeue serve --port 0 --database jobs.db', 'leasequeue serve --port 0 --database jobs.db --environment production').addHelpText(
    'after',
    REMARK,
  );
}

/** What was installed has it built; from the sources somebody may start the server first of all. */
async function buildConsole(): Promise<void> {
  if (import.meta.url.endsWith('.ts')) await import(new URL('../../../deploy/console-if-older.mjs', import.meta.url).href);
}

async function serve(command: Command): Promise<void> {
  await buildConsole();
  const { startServer } = await import('../../server/run.ts');
  const given = FLAGS.flatMap(({ flag, variable }) => {
    const value: unknown = command.getOptionValue(command.options.find(({ long }) => long === flag)?.attributeName() ?? flag);
    return typeof value === 'string' ? [{ flag, variable, value }] : [];
  });
  const problems = await startServer({ ...processEnvironment(), ...Object.fromEntries(given.map(({ variable, value }) => [variable, value])) });
  if (problems.length === 0) return;
  const named = problems.map((problem) => given.reduce((text, { flag, variable }) => text.replaceAll(variable, flag), problem));
  throw new CommandFailure(named.map((problem) => `the server cannot start: ${problem}`).join('\n'), EXIT.failed);
}
