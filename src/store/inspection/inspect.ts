/** Looks whether a store agrees with itself: the rules that hold after every commit, one after another. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { deadLetterGroups } from './group-check.ts';
import { replayBreaches } from './replay-check.ts';
import { type Breach, ROW_CHECKS, type RowCheck } from './row-checks.ts';

/** One rule, and what breaks it: at most `BREACHES_MAX`. */
export interface Verdict {
  readonly name: string;
  readonly rule: string;
  readonly breaches: readonly Breach[];
  /** There are more than are told. */
  readonly hasMore: boolean;
}

export interface InspectionParts {
  /** One state of the store, also while it is written to: several statements read from it. */
  readonly db: Kysely<Tables>;
  /** Whether jobs are compared with the replay of their events, which reads all of both. */
  readonly replays: boolean;
  /** What is looked at now, for people. */
  readonly onStep?: (text: string) => void;
}

export const BREACHES_MAX = 20;
const REPLAY = { name: 'replay', rule: 'each job is what its events say' };

export async function inspect({ db, replays, onStep = () => {} }: InspectionParts): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const check of [...ROW_CHECKS, deadLetterGroups]) {
    onStep(check.rule);
    verdicts.push(verdictOf(check, await breachesOf(db, check)));
  }
  if (!replays) return verdicts;
  const jobs = await countJobs(db);
  const breaches = await replayBreaches(db, BREACHES_MAX + 1, (looked) => onStep(`${REPLAY.rule}: ${looked} of ${jobs} jobs`));
  return [...verdicts, verdictOf(REPLAY, breaches)];
}

function verdictOf({ name, rule }: Pick<RowCheck, 'name' | 'rule'>, breaches: readonly Breach[]): Verdict {
  return { name, rule, breaches: breaches.slice(0, BREACHES_MAX), hasMore: breaches.length > BREACHES_MAX };
}

async function breachesOf(db: Kysely<Tables>, { breaches }: RowCheck): Promise<readonly Breach[]> {
  const { rows } = await sql<Breach>`select * from (${breaches}) as breach limit ${BREACHES_MAX + 1}`.execute(acrossTenants(db));
  return rows;
}

async function countJobs(db: Kysely<Tables>): Promise<number> {
  const { jobs } = await acrossTenants(db)
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow();
  return Number(jobs);
}

/** In words, for people. */
export function sentenceOf({ tenant, what, found }: Breach): string {
  return `${what}${tenant === '*' ? '' : ` of the tenant ${tenant}`} ${found}`;
}
