/** The page of the command line, read off the definitions of its commands and the table of its exit codes. */
import type { Argument, Command, Option } from 'commander';
import { examplesOf } from '../src/cli/examples.ts';
import { EXIT, EXIT_MEANINGS } from '../src/cli/failure.ts';
import { CLIENT_VARIABLES } from '../src/runtime/environment.ts';
import { fullName, leavesOf, wholeProgram } from './command-tree.ts';
import { code, page, table } from './page.ts';

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
  const usage = ['leasequeue', fullName(command), ...command.registeredArguments.map(argumentTerm)].join(' ');
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
  const program = await wholeProgram();
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
    ...leavesOf(program).map(section),
  );
}
