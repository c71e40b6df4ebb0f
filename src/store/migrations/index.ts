/** Every migration, in order, and the one function that applies them. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { DatabaseUnusable } from '../engines/engine.ts';
import { deadGroupOf, sampleOf } from '../dead-groups.ts';
import { acrossTenants } from '../tenant-guard.ts';
import * as jobs from './001-jobs.ts';
import * as access from './002-access.ts';
import * as deadGroups from './003-dead-letter-groups.ts';
import * as queueSeries from './004-queue-series.ts';
import * as operatorActions from './005-operator-actions.ts';
import * as redactionRules from './006-redaction-rules.ts';
import * as workers from './007-workers.ts';
import * as submissionCalls from './008-submission-calls.ts';
import * as delayedJobs from './009-delayed-jobs.ts';
import * as idsNamePlaces from './010-ids-name-places.ts';
import type { ColumnWords } from './column-words.ts';

interface Step {
  up(db: Kysely<unknown>, words: ColumnWords, grouping: deadGroups.Grouping): Promise<void>;
}

/** Dead letters from before and after a migration are to be in one group: a frozen rule would part them as soon as this version's differs. */
const GROUPING: deadGroups.Grouping = { groupOf: deadGroupOf, sampleOf };

const STEPS: Readonly<Record<string, Step>> = {
  '001-jobs': jobs,
  '002-access': access,
  '003-dead-letter-groups': deadGroups,
  '004-queue-series': queueSeries,
  '005-operator-actions': operatorActions,
  '006-redaction-rules': redactionRules,
  '007-workers': workers,
  '008-submission-calls': submissionCalls,
  '009-delayed-jobs': delayedJobs,
  '010-ids-name-places': idsNamePlaces,
};

/** The steps that a database has, and how they differ from this version's. */
export interface SchemaVersion {
  readonly applied: readonly string[];
  readonly missing: readonly string[];
  /** Of a newer version, or of none. */
  readonly unknown: readonly string[];
}

export async function schemaVersion<Schema>(db: Kysely<Schema>): Promise<SchemaVersion> {
  const applied = (await appliedNames(db)).toSorted();
  return {
    applied,
    missing: Object.keys(STEPS).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => STEPS[name] === undefined),
  };
}

/** Brings the database to this version, all steps or none. Throws `DatabaseUnusable` for one that a newer version wrote. */
export async function migrate<Schema>(db: Kysely<Schema>, words: ColumnWords): Promise<void> {
  const migrations: Record<string, Migration> = Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, { up: (handle: Kysely<unknown>) => step.up(handle, words, GROUPING) }]),
  );
  const all = acrossTenants(db);
  const migrator = new Migrator({ db: all, provider: { getMigrations: () => Promise.resolve(migrations) } });
  await refuseNewer(db);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Changes nothing. Throws `DatabaseUnusable` for a database of another version. */
export async function requireCurrent<Schema>(db: Kysely<Schema>): Promise<void> {
  const { missing } = await refuseNewer(db);
  if (missing.length === 0) return;
  throw new DatabaseUnusable(
    `The database is in use by a server of an older version of LeaseQueue (it lacks ${missing.join(', ')}). Nothing was changed. ` +
      'Use the command of the version that the server has, or start the server anew with this version.',
  );
}

async function refuseNewer<Schema>(db: Kysely<Schema>): Promise<SchemaVersion> {
  const version = await schemaVersion(db);
  const { unknown } = version;
  if (unknown.length === 0) return version;
  throw new DatabaseUnusable(
    `The database was written by a newer version of LeaseQueue (it has ${unknown.join(', ')}, which this version does not know), or by a preview from before its first release. ` +
      'Nothing was changed. Start the newer version, or restore a backup that this version made.',
  );
}

async function appliedNames<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  const isEmpty = !(await db.introspection.getTables({ withInternalKyselyTables: true })).some(({ name }) => name === 'kysely_migration');
  if (isEmpty) return [];
  const rows = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>).selectFrom('kysely_migration').select('name').execute();
  return rows.map(({ name }) => name);
}
