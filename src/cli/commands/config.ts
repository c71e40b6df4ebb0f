/** `leasequeue config`: what the client and a server started here would do, and who said so. */
import type { Command } from 'commander';
import { processEnvironment } from '../../runtime/environment.ts';
import { type ClientOptions, clientCommand, connectionOf } from '../client-command.ts';
import type { Connection } from '../connection.ts';
import { contextsPath } from '../contexts.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonDocument, type Output, table } from '../print.ts';
import type { ServerSettings } from '../server-settings.ts';

interface ShowOptions extends ClientOptions {
  readonly origin?: true;
}
interface Setting {
  readonly name: string;
  /** Null: none. */
  readonly value: string | null;
  readonly origin: string;
}

export function defineConfig(noun: Command, output: Output): void {
  const show = noun
    .command('show')
    .description('show every setting of client and server, with secrets as (set), and what is wrong with them')
    .option('--origin', 'also where each comes from: a flag, a variable, a context, or the default');
  clientCommand(show, output).action((options: ShowOptions) => print(options, output));
  examples(show, 'leasequeue config show --origin', 'leasequeue config show --url http://127.0.0.1:9000 --json');
}

async function print(options: ShowOptions, output: Output): Promise<void> {
  const { serverSettings } = await import('../server-settings.ts');
  const client = clientSettings(options, output);
  const server = serverSettings(processEnvironment());
  const problems = [...client.problems, ...server.problems];
  await output.data(options.json ? jsonDocument(documentFor(client, server, problems)) : textOf([...client.settings, ...server.settings], options, output));
  if (problems.length > 0) throw new CommandFailure(`some settings are wrong. Nothing was changed.\n${problems.join('\n')}`, EXIT.failed);
}

function clientSettings(options: ShowOptions, output: Output): ServerSettings {
  try {
    return { settings: settingsOf(connectionOf(options, output)), problems: [] };
  } catch (error) {
    if (error instanceof CommandFailure) return { settings: [], problems: [error.message] };
    throw error;
  }
}

function settingsOf({ url, tenant, apiKey, context, origins }: Connection): readonly Setting[] {
  return [
    { name: 'url', value: url, origin: origins.url },
    { name: 'tenant', value: tenant, origin: origins.tenant },
    { name: 'apiKey', value: apiKey === null ? null : '(set)', origin: origins.apiKey },
    { name: 'context', value: context, origin: origins.context },
    { name: 'contextsFile', value: contextsPath(), origin: 'default' },
  ];
}

function documentFor(client: ServerSettings, server: ServerSettings, problems: readonly string[]): object {
  const named = ({ settings }: ServerSettings): object => Object.fromEntries(settings.map(({ name, ...rest }) => [name, rest]));
  return { client: named(client), server: named(server), problems };
}

function textOf(settings: readonly Setting[], { origin }: ShowOptions, output: Output): string {
  const head = ['SETTING', 'VALUE', ...(origin ? ['ORIGIN'] : [])];
  return table(
    head,
    settings.map((setting) => [setting.name, setting.value ?? '-', ...(origin ? [setting.origin] : [])]),
    output.look(),
  );
}
