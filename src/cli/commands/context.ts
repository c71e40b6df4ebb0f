/** `leasequeue context`: servers under names. A key is in a file of its own, and never shown. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ContextChange } from '../context-change.ts';
import { CONTEXT_NAME, contextNamed, type Contexts, dropStoredKey, readContexts, writeContexts } from '../contexts.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonDocument, type Output, table } from '../print.ts';

interface PrintOptions {
  readonly json?: true;
}
const HEAD = ['', 'NAME', 'URL', 'TENANT', 'KEY FILE'];

export function defineContext(noun: Command, output: Output): void {
  const listing = withJson(noun.command('list').description('show the contexts that there are')).action((options: PrintOptions) => list(options, output));
  examples(listing, 'leasequeue context list', 'leasequeue context list --json');
  const show = withJson(noun.command('show').description('show one context: the one in use where none is named').argument('[context]', 'its name'));
  examples(show, 'leasequeue context show', 'leasequeue context show prod --json').action((name: string | undefined, options: PrintOptions) =>
    showOne(name, options, output),
  );
  defineSet(noun.command('set').description('make a context, or change what is given of one'), output);
  const use = noun.command('use').description('ask this server from now on, unless a flag or a variable says otherwise').argument('<context>', 'its name');
  examples(use, 'leasequeue context use prod', 'leasequeue context use staging').action((name: string) => choose(name, output));
  const remove = noun.command('remove').description('forget a context, and the key that it stored').argument('<context>', 'its name');
  examples(remove, 'leasequeue context remove staging', 'leasequeue context remove prod').action((name: string) => forget(name, output));
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

function defineSet(command: Command, output: Output): void {
  command
    .argument('<context>', 'its name', nameArgument)
    .option('--url <url>', 'where the server is')
    .option('--tenant <tenant>', 'whose jobs')
    .option('--no-tenant', 'no tenant any more')
    .option('--api-key-file <path>', 'remember this file, of mode 600, as the one with the API key')
    .addOption(new Option('--api-key-stdin', 'read the API key from standard input, and store it in a file of mode 600').conflicts('apiKeyFile'))
    .addOption(new Option('--no-key', 'no key any more').conflicts(['apiKeyFile', 'apiKeyStdin']))
    .action((name: string, options: ContextChange) => set(command, name, options, output));
  examples(
    command,
    'leasequeue context set prod --url https://jobs.example.com --tenant acme --api-key-file ./prod.key',
    'leasequeue context set staging --url https://staging.example.com --api-key-stdin < ./staging.key',
  );
}

function nameArgument(text: string): string {
  if (CONTEXT_NAME.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 64 characters: a small letter or digit, then small letters, digits, ".", "_" and "-".');
}

async function list({ json }: PrintOptions, output: Output): Promise<void> {
  const contexts = readContexts();
  const names = [...contexts.byName.keys()].toSorted();
  if (json) return output.data(jsonDocument({ contexts: names.map((name) => shown(name, contexts)) }));
  if (names.length === 0) return output.talk('There are no contexts. Make one with: leasequeue context set <name> --url <url>');
  await output.data(
    table(
      HEAD,
      names.map((name) => row(name, contexts)),
      output.look(),
    ),
  );
}

async function showOne(asked: string | undefined, { json }: PrintOptions, output: Output): Promise<void> {
  const contexts = readContexts();
  const name = asked ?? contexts.current;
  if (name === null) throw new CommandFailure('no context is in use. Choose one with: leasequeue context use <name>', EXIT.notFound);
  contextNamed(name, contexts, asked === undefined ? 'the one in use' : 'asked for');
  await output.data(json ? jsonDocument({ context: shown(name, contexts) }) : table(HEAD, [row(name, contexts)], output.look()));
}

/** With null where nothing was said, as programs like it. */
function shown(name: string, { current, byName }: Contexts): object {
  const { url = null, tenant = null, apiKeyFile = null } = byName.get(name) ?? {};
  return { name, current: name === current, url, tenant, apiKeyFile };
}

function row(name: string, { current, byName }: Contexts): readonly string[] {
  const { url = '-', tenant = '-', apiKeyFile = '-' } = byName.get(name) ?? {};
  return [name === current ? '*' : '', name, url, tenant, apiKeyFile];
}

async function set(command: Command, name: string, options: ContextChange, output: Output): Promise<void> {
  const { key, ...said } = options;
  if (key && Object.keys(said).length === 0) command.error("error: say what to set: '--url', '--tenant', '--api-key-file' or '--api-key-stdin'");
  const contexts = readContexts();
  const before = contexts.byName.get(name) ?? {};
  const { changedContext } = await import('../context-change.ts');
  const after = await changedContext(name, before, options);
  writeContexts({ ...contexts, byName: new Map([...contexts.byName, [name, after]]) });
  dropStoredKey(name, before, after);
  output.talk(`Set the context ${name}.${contexts.current === name ? '' : ` Use it with: leasequeue context use ${name}`}`);
}

function choose(name: string, output: Output): void {
  const contexts = readContexts();
  contextNamed(name, contexts, 'asked for');
  writeContexts({ ...contexts, current: name });
  output.talk(`Commands ask ${contexts.byName.get(name)?.url ?? 'the default server'} from now on.`);
}

function forget(name: string, output: Output): void {
  const { current, byName } = readContexts();
  const context = contextNamed(name, { current, byName }, 'asked for');
  writeContexts({ current: current === name ? null : current, byName: new Map([...byName].filter(([other]) => other !== name)) });
  dropStoredKey(name, context, {});
  output.talk(`Forgot the context ${name}.${current === name ? ' None is in use now.' : ''}`);
}
