/** The page of the command line, read off the definitions of its commands and the table of its exit codes. */
import type { Argument, Command, Option } from 'commander';
import { examplesOf } from '../src/cli/examples.ts';
import { EXIT, EXIT_MEANINGS } from '../src/cli/failure.ts';
import type { Output } from '../src/cli/print.ts';
import { createProgram } from '../src/cli/program.ts';
import { CLIENT_VARIABLES } from '../src/runtime/environment.ts';
import { code, page, table } from './page.ts';

/** No command is run for the page. */
const SILENT: Output = {
  tryData: async () => null,
  data: async () => {},
  talk: () => {},
  fault: () => {},
  adopt: () => {},
  isRead: () => true,
  isTerminal: () => false,
  look: () => ({ hasColor: false, columns: null }),
  tellsProgress: () => false,
};

/** The verbs, and the nouns that are verbs of their own, in the order of the help. */
function leaves(command: Command): readonly Command[] {
  const { commands } = command;
  return commands.length === 0 ? [command] : commands.filter((each) => command.createHelp().visibleCommands(command).includes(each)).flatMap(leaves);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function meaningOf({ description, argChoices, defaultValue, defaultValueDescription, mandatory }: Option): string {
  const choices = argChoices === undefined ? '' : ` One of ${argChoices.join(', ')}.`;
  const preset = typeof defaultValue === 'string' || defaultValueDescription !== undefined ? ` Default: ${defaultValueDescription ?? defaultValue}.` : '';
  const notes = `${choices}${preset}`;
  return `${description}${mandatory ? ' (required)' : ''}${notes === '' ? '' : `.${notes}`}`;
}

function section(command: Command): string {
  const usage = [fullName(command), ...command.registeredArguments.map(argumentTerm)].join(' ');
  const rows = [
    ...command.registeredArguments.map((argument) => [code(argumentTerm(argument)), argument.description]),
    ...command.options.filter(({ hidden }) => !hidden).map((option) => [code(option.flags), meaningOf(option)]),
  ];
  const lines = examplesOf(command).map(({ line }) => line);
  return [
    `### ${usage}`,
    command.description(),
    ...(rows.length === 0 ? [] : [table(['argument or flag', 'meaning'], rows)]),
    ['```sh', ...lines, '```'].join('\n'),
  ].join('\n\n');
}

export async function commandsPage(): Promise<string> {
  const program = await createProgram(SILENT, () => true);
  const exits = Object.entries(EXIT).map(([name, exitCode]) => [String(exitCode), EXIT_MEANINGS[name as keyof typeof EXIT]]);
  return page(
    'Commands',
    'The command line, `leasequeue`. How its commands behave together is in [docs/cli.md](../docs/cli.md).',
    '## Exit codes',
    table(['code', 'meaning'], exits),
    '## Variables',
    'Of the client commands and the client library. The server knows them and ignores them.',
    table(
      ['variable', 'meaning'],
      CLIENT_VARIABLES.map(({ name, meaning }) => [code(name), meaning]),
    ),
    '## Every command',
    'Every command also takes `--help`.',
    ...leaves(program).map(section),
  );
}
