/** Which columns the statements of apply.ts write. A column that is missing here would never be stored: the types see to it. */
import type { Insertable, Updateable } from 'kysely';
import type { AttemptTable, EventTable, JobTable } from './tables.ts';

/** All of a table's columns, or a type error that names the missing ones. */
type AllOf<Table, Names extends readonly (keyof Table)[]> = Exclude<keyof Table, Names[number]> extends never ? Names : Exclude<keyof Table, Names[number]>;

const eventColumns = [
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
] as const;
export const EVENT_COLUMNS: AllOf<EventTable, typeof eventColumns> = eventColumns;

const attemptColumns = [
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
  'error_group',
] as const;
export const ATTEMPT_COLUMNS: AllOf<AttemptTable, typeof attemptColumns> = attemptColumns;

/** Those of a lease, an error or an end are not among them: a new job has none. */
export const NEW_JOB_COLUMNS = [
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
  'call_seq',
  'releases_in_row',
  'created_at_ms',
  'updated_at_ms',
  'last_event_seq',
  'payload',
  'old_id',
] as const;
export type NewJobRow = Required<Pick<Insertable<JobTable>, (typeof NEW_JOB_COLUMNS)[number]>>;

/** What a transition may change. */
export const CHANGING_COLUMNS = [
  'state',
  'waiting',
  'priority',
  'run_at_ms',
  'attempt',
  'fence',
  'max_attempts',
  'lease_worker_id',
  'lease_token_hash',
  'lease_expires_at_ms',
  'lease_seconds',
  'lease_started_at_ms',
  'lease_heartbeat_at_ms',
  'lease_renewals',
  'lease_claimed_from',
  'lease_request_id',
  'releases_in_row',
  'cancel_requested_at_ms',
  'cancel_reason',
  'progress',
  'last_error',
  'dead_group',
  'updated_at_ms',
  'finished_at_ms',
  'purge_at_ms',
  'last_event_seq',
  'payload',
  'result',
] as const;
type Changing = Pick<Updateable<JobTable>, (typeof CHANGING_COLUMNS)[number]>;
export type JobChanges = { -readonly [Column in keyof Changing]: Changing[Column] };
