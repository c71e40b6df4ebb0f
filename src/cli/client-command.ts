/** What all commands that ask a server have in common: the same flags, read in the same way. */
import { type Command, Option } from 'commander';
import { type Connection, type ConnectionFlags, DEFAULT_URL, readConnection } from './connection.ts';
import { COLOR_CHOICES, type ColorChoice } from './look.ts';
import type { Output } from './print.ts';

/** The flags of `clientCommand`, as an action gets them. */
export interface ClientOptions extends ConnectionFlags {
  readonly json?: true;
  readonly quiet?: true;
  readonly color?: ColorChoice;
}

/** Adds the flags of every client command to a verb, and makes `output` follow them before the action runs. */
export function clientCommand(command: Command, output: Output): Command {
  return command
    .optionsGroup('Server:')
    .option('--url <url>', `where the server is (LEASEQUEUE_URL; ${DEFAULT_URL} where nothing says)`)
    .option('--tenant <tenant>', 'whose jobs: for a key of all tenants (LEASEQUEUE_TENANT)')
    .option('--context <name>', 'the context to take what is missing from (LEASEQUEUE_CONTEXT)')
    .option('--api-key-file <path>', 'file with the API key, mode 600 (LEASEQUEUE_API_KEY_FILE, or the key in LEASEQUEUE_API_KEY)')
    .optionsGroup('Output:')
    .option('--json', 'print JSON: one document, or one line for each')
    .option('--quiet', 'print ids or nothing, and say nothing but errors')
    .addOption(new Option('--color <when>', 'colour, which is for terminals').choices(COLOR_CHOICES).default('auto'))
    .optionsGroup('Options:')
    .hook('preAction', (_this, action) => output.adopt(action.opts<ClientOptions>()));
}

/** The connection that the flags, the environment and the contexts name. Says on standard error what is odd about it. */
export function connectionOf(options: ConnectionFlags, output: Output): Connection {
  const connection = readConnection(options);
  for (const note of connection.notes) output.talk(note);
  return connection;
}
