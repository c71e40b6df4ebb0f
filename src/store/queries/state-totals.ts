/** How many jobs there are of each state, without reading a job. */
import type { Kysely } from 'kysely';
import { JOB_STATES, type JobState, type TenantId } from '../../domain/job.ts';
import type { JobFilter } from '../requests.ts';
import type { Tables } from '../tables.ts';

export interface StateTotal {
  readonly state: JobState;
  readonly jobs: number;
}

/** How many jobs of each state these queues have, or all, from their counters. */
export async function stateTotals(
  db: Kysely<Tables>,
  tenant: TenantId,
  queues: JobFilter['queues'],
  states: readonly JobState[],
): Promise<readonly StateTotal[]> {
  const rows = await db
    .selectFrom('queue_counters')
    .select(JOB_STATES)
    .where('tenant_id', '=', tenant)
    .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
    .execute();
  return states.map((state) => ({ state, jobs: rows.reduce((sum, row) => sum + row[state], 0) }));
}
