/** `leasequeue db migrate`: the database brought to the schema of this version, without a server. */
import { isServed } from '../../store/engines/locks.ts';
import { migrateFile } from '../../store/engines/migrate-file.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { existingDatabasePath } from '../key-database.ts';
import { jsonDocument, type Output } from '../print.ts';
import { explaining, versionName } from './findings.ts';

export interface MigrateOptions {
  readonly json?: true;
}

export async function migrateDatabase({ json }: MigrateOptions, output: Output): Promise<void> {
  const path = existingDatabasePath();
  const before = await explaining(async () => {
    if (isServed(path))
      throw new CommandFailure(
        `A server runs on the database ${path}. Nothing was changed. Stop it first; a server of this version migrates at its start by itself.`,
        EXIT.conflict,
      );
    return migrateFile(path);
  });
  const [from, to] = [versionName(before), versionName({ ...before, applied: [...before.applied, ...before.missing] })];
  if (json) await output.data(jsonDocument({ database: path, from, to, applied: before.missing }));
  output.talk(
    before.missing.length === 0
      ? `Nothing to do: ${path} has the schema ${to} already.`
      : `Migrated ${path} from ${from} to ${to}: ${before.missing.join(', ')}.`,
  );
}
