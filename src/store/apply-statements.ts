/** The statements by which apply.ts, and nothing else, writes jobs, their attempts and their events. */
import { type Selectable, sql, type Updateable } from 'kysely';
import type { JobState, TenantId } from '../domain/job.ts';
import { type Statement, statement } from './statements.ts';
import type { AttemptTable, EventTable, JobTable } from './tables.ts';

type JobChange = Updateable<JobTable>;

function picked<Row extends object>(values: Row, names: readonly (keyof Row & string)[]): Row {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Row;
}

const EVENT_COLUMNS = [
  'tenant_id',
  'seq',
  'previous_seq',
  'job_seq',
  'kind',
  'from_state',
  'to_state',
  'attempt',
  'fence',
  'at_ms',
  'worker_id',
  'actor',
  'run_at_ms',
  'priority',
  'max_attempts',
  'lease_expires_at_ms',
  'reason',
  'gone_job',
] as const satisfies readonly (keyof EventTable)[];
export const INSERT_EVENT = statement((db, values: EventTable) => db.insertInto('events').values(picked(values, EVENT_COLUMNS)));

const ATTEMPT_COLUMNS = [
  'tenant_id',
  'job_seq',
  'fence',
  'number',
  'worker_id',
  'token_hash',
  'started_at_ms',
  'heartbeat_at_ms',
  'finished_at_ms',
  'outcome',
  'settled_by',
  'settled_to',
  'retry_at_ms',
  'error',
] as const satisfies readonly (keyof AttemptTable)[];
export const INSERT_ATTEMPT = statement((db, values: AttemptTable) => db.insertInto('attempts').values(picked(values, ATTEMPT_COLUMNS)));

/** A new job's columns; the others are those of a lease, an error or an end, which it has not. */
const NEW_JOB_COLUMNS = [
  'tenant_id',
  'id',
  'queue_name',
  'task',
  'state',
  'waiting',
  'priority',
  'run_at_ms',
  'attempt',
  'fence',
  'max_attempts',
  'retry_base_seconds',
  'retry_max_seconds',
  'concurrency_key',
  'tags',
  'idempotency_key',
  'fingerprint',
  'releases_in_row',
  'created_at_ms',
  'updated_at_ms',
  'last_event_seq',
  'payload',
] as const satisfies readonly (keyof JobTable)[];
export type NewJobRow = Pick<Selectable<JobTable>, (typeof NEW_JOB_COLUMNS)[number]>;
export const INSERT_JOB = statement((db, values: NewJobRow) => db.insertInto('jobs').values(picked(values, NEW_JOB_COLUMNS)));

/** Which row, and what it must still be like for the change to happen. */
interface Guard {
  readonly tenant: TenantId;
  readonly seqBefore: number;
  readonly stateBefore: JobState;
  readonly fenceBefore: number;
}

const updates = new Map<string, Statement<JobChange & Guard, unknown>>();

/** One statement per set of columns: those that an effect of the transition table changes are few. */
export function updateJob(change: JobChange): Statement<JobChange & Guard, unknown> {
  const names = Object.keys(change) as (keyof JobChange)[];
  const key = names.join();
  const known = updates.get(key) ?? updateOf(names);
  updates.set(key, known);
  return known;
}

function updateOf(names: readonly (keyof JobChange)[]): Statement<JobChange & Guard, unknown> {
  return statement((db, values: JobChange & Guard) =>
    db
      .updateTable('jobs')
      .set(picked<JobChange>(values, names))
      .where('seq', '=', values.seqBefore)
      .where('tenant_id', '=', values.tenant)
      .where('state', '=', values.stateBefore)
      .where('fence', '=', values.fenceBefore),
  );
}

export const REKEY_JOB = statement((db, values: { readonly tenant: TenantId; readonly seq: number; readonly tokenHash: string }) =>
  db.updateTable('jobs').set({ lease_token_hash: values.tokenHash }).where('seq', '=', values.seq).where('tenant_id', '=', values.tenant),
);

export const PROMOTE_JOBS = statement((db, values: { readonly tenant: TenantId; readonly queue: string; readonly nowMs: number; readonly limit: number }) =>
  db
    .updateTable('jobs')
    .set({ waiting: 'due' })
    .where('tenant_id', '=', values.tenant)
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('jobs')
        .select('seq')
        .where('tenant_id', '=', values.tenant)
        .where('queue_name', '=', values.queue)
        .where('waiting', '=', sql.lit('delayed'))
        .where('run_at_ms', '<=', values.nowMs)
        .orderBy('run_at_ms')
        .limit(values.limit),
    )
    .returning('task'),
);

export const INSERT_TAG = statement((db, values: { readonly tenant: TenantId; readonly key: string; readonly value: string; readonly seq: number }) =>
  db.insertInto('job_tags').values({ tenant_id: values.tenant, key: values.key, value: values.value, job_seq: values.seq }),
);

/** A job's events, found along their chain from the last one. */
export const DELETE_EVENTS_OF_JOB = statement((db, values: { readonly tenant: TenantId; readonly lastEventSeq: number }) =>
  db
    .deleteFrom('events')
    .where('tenant_id', '=', values.tenant)
    .where(
      'seq',
      'in',
      sql<number>`(
        with recursive chain(seq, previous_seq) as (
          select seq, previous_seq from events where tenant_id = ${values.tenant} and seq = ${values.lastEventSeq}
          union all
          select events.seq, events.previous_seq from chain join events on events.tenant_id = ${values.tenant} and events.seq = chain.previous_seq
        ) select seq from chain)`,
    ),
);
export const DELETE_ATTEMPTS_OF_JOB = statement((db, values: { readonly tenant: TenantId; readonly seq: number }) =>
  db.deleteFrom('attempts').where('tenant_id', '=', values.tenant).where('job_seq', '=', values.seq),
);
export const DELETE_TAG = statement((db, values: { readonly tenant: TenantId; readonly key: string; readonly value: string; readonly seq: number }) =>
  db
    .deleteFrom('job_tags')
    .where('tenant_id', '=', values.tenant)
    .where('key', '=', values.key)
    .where('value', '=', values.value)
    .where('job_seq', '=', values.seq),
);
export const DELETE_JOB = statement((db, values: { readonly tenant: TenantId; readonly seq: number }) =>
  db.deleteFrom('jobs').where('seq', '=', values.seq).where('tenant_id', '=', values.tenant),
);
export const DELETE_OLD_PURGES = statement((db, values: { readonly tenant: TenantId; readonly beforeMs: number; readonly limit: number }) =>
  db
    .deleteFrom('events')
    .where('tenant_id', '=', values.tenant)
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select('seq')
        .where('tenant_id', '=', values.tenant)
        .where('kind', '=', sql.lit('PURGED'))
        .where('at_ms', '<=', values.beforeMs)
        .orderBy('at_ms')
        .limit(values.limit),
    )
    .returning('seq'),
);
