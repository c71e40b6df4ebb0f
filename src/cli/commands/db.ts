/** `leasequeue db`: what an administrator of the machine does with the database file. */
import type { Command } from 'commander';
import type { BackupOptions } from '../database/backup.ts';
import type { CheckOptions } from '../database/check.ts';
import type { MigrateOptions } from '../database/migrate.ts';
import type { RestoreOptions } from '../database/restore.ts';
import { examples } from '../examples.ts';
import { EXIT } from '../failure.ts';
import { requireServerNode } from '../node-version.ts';
import type { Output } from '../print.ts';

const WHICH = 'The database is the one that LEASEQUEUE_DATABASE_PATH names.';

export function defineDb(noun: Command, output: Output): void {
  noun.hook('preAction', requireServerNode);
  defineCheck(noun, output);
  defineBackup(noun, output);
  defineRestore(noun, output);
  defineMigrate(noun, output);
}

function verb(noun: Command, name: string, summary: string): Command {
  return noun.command(name).description(summary).option('--json', 'print one JSON document');
}

function defineCheck(noun: Command, output: Output): void {
  const command = verb(noun, 'check', 'look whether the database is sound and agrees with itself; changes nothing, and a server may run on it')
    .argument('[file]', 'a backup, in place of the database')
    .action(async (file: string | undefined, options: CheckOptions) => (await import('../database/check.ts')).checkDatabase(file, options, output));
  examples(command, 'leasequeue db check', 'leasequeue db check backup.db --json').addHelpText(
    'after',
    `\n${WHICH} It ends with 0 where all is sound, else with 1. It reads everything, which takes its time.`,
  );
}

function defineBackup(noun: Command, output: Output): void {
  const command = verb(noun, 'backup', 'write a checked copy of the database to a file; a server may run on it')
    .argument('<file>', 'where to')
    .option('--force', 'replace the file where it is there')
    .action(async (file: string, options: BackupOptions) => (await import('../database/backup.ts')).backUpDatabase(file, options, output));
  examples(command, 'leasequeue db backup today.db', 'leasequeue db backup latest.db --force --json').addHelpText(
    'after',
    `\n${WHICH} Whatever was acknowledged before it began is in it.`,
  );
}

function defineRestore(noun: Command, output: Output): void {
  const command = verb(noun, 'restore', 'put a backup in the place of the database, which is kept under another name; no server may run on it')
    .argument('<file>', 'the backup')
    .option('--yes', 'do it; without, it only says what it would do')
    .action(async (file: string, options: RestoreOptions) => (await import('../database/restore.ts')).restoreDatabase(file, options, output));
  examples(
    command,
    { line: 'leasequeue db restore backup.db', exitCode: EXIT.conflict },
    'LEASEQUEUE_DATABASE_PATH=new.db leasequeue db restore backup.db --yes',
  ).addHelpText('after', `\n${WHICH} The backup is checked before anything is changed, and stays as it is.`);
}

function defineMigrate(noun: Command, output: Output): void {
  const command = verb(noun, 'migrate', 'bring the database to the schema of this version; no server may run on it').action(async (options: MigrateOptions) =>
    (await import('../database/migrate.ts')).migrateDatabase(options, output),
  );
  examples(command, 'LEASEQUEUE_DATABASE_PATH=backup.db leasequeue db migrate', 'LEASEQUEUE_DATABASE_PATH=backup.db leasequeue db migrate --json').addHelpText(
    'after',
    `\n${WHICH} A server does the same when it starts. Make a backup before: there is no way back.`,
  );
}
