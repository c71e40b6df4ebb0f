/** Everything that can be said of a database by reading it: its pages, its version, and whether it agrees with itself. */
import type { Kysely } from 'kysely';
import type { Snapshot } from '../engines/snapshot.ts';
import { type SchemaVersion, schemaVersion } from '../migrations/index.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { BREACHES_MAX, inspect, type Verdict } from './inspect.ts';

/** `quick`: neither indexes nor the replay of events; `copy`: all but the replay; `whole`: everything. */
export type Depth = 'quick' | 'copy' | 'whole';

export interface Contents {
  readonly tenants: number;
  readonly jobs: number;
  readonly events: number;
  readonly apiKeys: number;
}
export interface Examination {
  /** Of the file, in the database's words. Where there is any, nothing else was looked at. */
  readonly damage: readonly string[];
  /** Null where the file is damaged. */
  readonly schema: SchemaVersion | null;
  /** Null where it is not of this version. */
  readonly contents: Contents | null;
  /** Empty where it is not of this version: only that one's rules are known. */
  readonly verdicts: readonly Verdict[];
}

/** Reads one state. `onStep` is told what is looked at now. */
export async function examine(snapshot: Snapshot, depth: Depth, onStep: (text: string) => void = () => {}): Promise<Examination> {
  onStep('the pages of the file are sound');
  const damage = await snapshot.damage(BREACHES_MAX, depth === 'quick');
  if (damage.length > 0) return { damage, schema: null, contents: null, verdicts: [] };
  const { db } = snapshot;
  const schema = await schemaVersion(db);
  if (!isCurrent(schema)) return { damage, schema, contents: null, verdicts: [] };
  const verdicts = await inspect({ db, replays: depth === 'whole', onStep });
  return { damage, schema, contents: await contentsOf(db), verdicts };
}

export function isCurrent({ missing, unknown }: SchemaVersion): boolean {
  return missing.length === 0 && unknown.length === 0;
}

async function contentsOf(db: Kysely<Tables>): Promise<Contents> {
  const count = async (table: 'tenants' | 'jobs' | 'events' | 'api_keys'): Promise<number> => {
    const { rows } = await acrossTenants(db)
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  return { tenants: await count('tenants'), jobs: await count('jobs'), events: await count('events'), apiKeys: await count('api_keys') };
}
