/** `leasequeue tenant`: whose jobs are kept apart, and how much they may have. Needs a key with SYSTEM, or with ADMIN for the own one. */
import { type Command, Option } from 'commander';
import { QUOTA_NAMES, QUOTAS } from '../../domain/access.ts';
import { type AskingOptions, askingCommand } from '../conversation.ts';
import { examples } from '../examples.ts';
import { orDefaultOption, wholeNumberOption } from '../options.ts';
import type { Output } from '../print.ts';
import type { CreateOptions, SetOptions } from '../tenants.ts';

const ID = ['<tenant>', 'its id'] as const;

export function defineTenant(noun: Command, output: Output): void {
  const list = noun.command('list').description('list all tenants, by id');
  askingCommand(list, output).action(async (options: AskingOptions) => (await import('../tenants.ts')).listTenants(options, output));
  examples(list, 'leasequeue tenant list', 'leasequeue tenant list --quiet');
  const get = noun
    .command('get')
    .description('show a tenant, its quotas and what it uses of them')
    .argument(...ID);
  askingCommand(get, output).action(async (id: string, options: AskingOptions) => (await import('../tenants.ts')).showTenant(id, options, output));
  examples(get, 'leasequeue tenant get default', 'leasequeue tenant get default --json');
  defineCreate(noun.command('create').description('create a tenant').argument('<name>', 'for people, unique'), output);
  defineSet(
    noun
      .command('set')
      .description('change the name or the quotas of a tenant')
      .argument(...ID),
    output,
  );
  defineSuspension(noun, output);
}

function quotaFlags(command: Command): Command {
  command.optionsGroup('Quotas, or the word default:');
  for (const quota of QUOTA_NAMES) {
    const { meaning, max, ...rest } = QUOTAS[quota];
    const number = wholeNumberOption('min' in rest ? rest.min : 0, max);
    command.addOption(new Option(`--${kebab(quota)} <number>`, meaning).argParser(orDefaultOption(number)));
  }
  return command.optionsGroup('Options:');
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function defineCreate(command: Command, output: Output): void {
  command.option('--id <id>', 'part of its keys, for ever: a-z, 0-9 and "-"; absent: made from the name');
  askingCommand(quotaFlags(command), output).action(async (name: string, options: CreateOptions) =>
    (await import('../tenants.ts')).createTenant(name, options, output),
  );
  examples(command, 'leasequeue tenant create "Acme Inc"', 'leasequeue tenant create Acme --id acme-2 --max-waiting-jobs 100000 --json');
}

function defineSet(command: Command, output: Output): void {
  command.option('--name <name>', 'for people');
  askingCommand(quotaFlags(command), output).action(async (id: string, options: SetOptions) => (await import('../tenants.ts')).setTenant(id, options, output));
  examples(command, 'leasequeue tenant set default --max-queues 500', 'leasequeue tenant set default --max-queues default --name Default');
}

function defineSuspension(noun: Command, output: Output): void {
  const suspend = noun
    .command('suspend')
    .description('refuse every key of a tenant; its jobs stay')
    .argument(...ID);
  const resume = noun
    .command('resume')
    .description('take a suspension back')
    .argument(...ID);
  for (const [command, suspended] of [[suspend, true] as const, [resume, false] as const]) {
    askingCommand(command, output).action(async (id: string, options: AskingOptions) =>
      (await import('../tenants.ts')).suspendTenant(id, suspended, options, output),
    );
  }
  examples(suspend, 'leasequeue tenant suspend t2', 'leasequeue tenant suspend t2 --json');
  examples(resume, 'leasequeue tenant resume t2', 'leasequeue tenant resume t2 --quiet');
}
