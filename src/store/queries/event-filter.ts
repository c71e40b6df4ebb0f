/** A filter of events as conditions of their rows, so that the store looks through what nobody asked for and hands over what somebody did. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { EVENT_KINDS, type EventFilter } from '../../domain/events.ts';
import type { JobState, TenantId } from '../../domain/job.ts';
import { USUAL_STATES } from '../event-rows.ts';
import type { Tables } from '../tables.ts';
import { evenly } from './job-filter.ts';
import { hasId } from './jobs-by-id.ts';

type Events = ExpressionBuilder<Tables, 'events' | 'jobs'>;
type Condition = Expression<SqlBool>;

/** Holds of every row that the filter wants, and of few others: the last word about a purged job says only in its text which job it was. */
export function eventConditions(eb: Events, tenant: TenantId, { kinds, states, jobIds, queues, tasks }: EventFilter): readonly Condition[] {
  const isLastWord = eb('events.gone_job', 'is not', null);
  return [
    ...(kinds === undefined ? [] : [eb('events.kind', 'in', evenly(kinds))]),
    ...(states === undefined ? [] : [toStates(eb, states)]),
    ...(jobIds === undefined ? [] : [eb.or([ofJobs(eb, tenant, jobIds), isLastWord])]),
    ...(queues === undefined ? [] : [eb.or([eb('jobs.queue_name', 'in', evenly(queues)), isLastWord])]),
    ...(tasks === undefined ? [] : [eb.or([eb('jobs.task', 'in', evenly(tasks)), isLastWord])]),
  ];
}

/** Where a row names no state, its kind does. */
function toStates(eb: Events, states: readonly JobState[]): Condition {
  const kinds = EVENT_KINDS.filter((kind) => states.includes(USUAL_STATES[kind].to));
  const usual = eb.and([eb('events.to_state', 'is', null), eb('events.kind', 'in', evenly(kinds))]);
  return eb.or([eb('events.to_state', 'in', evenly(states)), usual]);
}

/** Their places are looked up once, so that no event needs its job's row for this. */
function ofJobs(eb: Events, tenant: TenantId, ids: readonly string[]): Condition {
  return eb('events.job_seq', 'in', (jobs) =>
    jobs
      .selectFrom('jobs')
      .select('jobs.seq')
      .where((wanted) => hasId(wanted, tenant, ids)),
  );
}
