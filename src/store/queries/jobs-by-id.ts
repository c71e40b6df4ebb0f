/**
 * Jobs by their ids. An id ends with the place of the job's first event, and that event knows the job's row: there is no index
 * of ids, but for those of jobs from before ids said so.
 */
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { numberInId } from '../../runtime/entropy.ts';
import type { Tables } from '../tables.ts';
import { byPlace, evenly } from './job-filter.ts';

/** No event has it. */
const NOWHERE = 0;

/** That a job is the tenant's and has one of these ids. */
export function hasId(eb: ExpressionBuilder<Tables, 'jobs'>, tenant: TenantId, ids: readonly string[]): Expression<SqlBool> {
  return eb.and([byPlace(eb.ref('jobs.tenant_id'), tenant), eb('jobs.seq', 'in', rowsNamed(tenant, ids)), eb('jobs.id', 'in', evenly(ids))]);
}

/** Where the rows of these ids must be. Of an id that is made up, it may be the row of another job. */
function rowsNamed(tenant: TenantId, ids: readonly string[]) {
  const eb = expressionBuilder<Tables>();
  const places = ids.map((id) => numberInId(id) ?? NOWHERE);
  const old = eb
    .selectFrom('jobs')
    .select('jobs.seq')
    .where('jobs.tenant_id', '=', tenant)
    .where('jobs.id', 'in', evenly(ids))
    .where('jobs.old_id', '=', sql.lit(1));
  return eb.selectFrom('events').select('events.job_seq as seq').where('events.tenant_id', '=', tenant).where('events.seq', 'in', evenly(places)).unionAll(old);
}
