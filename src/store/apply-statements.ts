/** The statements by which apply.ts and new-rows.ts, and nothing else, write jobs, their attempts and their events. */
import { sql } from 'kysely';
import type { JobState, TenantId } from '../domain/job.ts';
import { byPlace } from './queries/job-filter.ts';
import { RowBlocks } from './row-blocks.ts';
import { perShape, statement } from './statements.ts';
import type { CallMark, CallPlace } from './submission-calls.ts';
import type { AttemptTable, EventTable } from './tables.ts';
import { ATTEMPT_COLUMNS, CHANGING_COLUMNS, EVENT_COLUMNS, type JobChanges, NEW_JOB_COLUMNS, type NewJobRow } from './written-columns.ts';

export const INSERT_EVENTS = new RowBlocks<EventTable>({
  table: 'events',
  columns: EVENT_COLUMNS,
  shared: (row) => [
    row.tenant_id,
    row.kind,
    row.from_state,
    row.to_state,
    row.attempt,
    row.fence,
    row.at_ms,
    row.worker_id,
    row.actor,
    row.priority,
    row.max_attempts,
    row.lease_expires_at_ms,
    row.reason,
    row.gone_job,
  ],
  own: (row) => [row.seq, row.previous_seq, row.job_seq, row.run_at_ms],
});

export const INSERT_ATTEMPTS = new RowBlocks<AttemptTable>({
  table: 'attempts',
  columns: ATTEMPT_COLUMNS,
  shared: (row) => [
    row.tenant_id,
    row.number,
    row.worker_id,
    row.finished_at_ms,
    row.outcome,
    row.settled_by,
    row.settled_to,
    row.retry_at_ms,
    row.error,
    row.error_group,
  ],
  own: (row) => [row.job_seq, row.fence, row.token_hash, row.started_at_ms, row.heartbeat_at_ms],
});

export const INSERT_JOBS = new RowBlocks<NewJobRow>({
  table: 'jobs',
  columns: NEW_JOB_COLUMNS,
  shared: (row) => [
    row.tenant_id,
    row.queue_name,
    row.state,
    row.waiting,
    row.priority,
    row.attempt,
    row.fence,
    row.max_attempts,
    row.retry_base_seconds,
    row.retry_max_seconds,
    row.call_seq,
    row.releases_in_row,
    row.created_at_ms,
    row.updated_at_ms,
    row.old_id,
  ],
  own: (row) => [row.id, row.task, row.run_at_ms, row.concurrency_key, row.tags, row.idempotency_key, row.fingerprint, row.last_event_seq, row.payload],
});

/** Which row, and what it must still be like for the change to happen. */
interface Guard {
  readonly tenant: TenantId;
  readonly seqBefore: number;
  readonly stateBefore: JobState;
  readonly fenceBefore: number;
}

export const updateJob = perShape(CHANGING_COLUMNS, (db, change: JobChanges, values: Guard) =>
  db
    .updateTable('jobs')
    .set(change)
    .where('seq', '=', values.seqBefore)
    .where('tenant_id', '=', values.tenant)
    .where('state', '=', values.stateBefore)
    .where('fence', '=', values.fenceBefore),
);

export const REKEY_JOB = statement((db, values: { readonly tenant: TenantId; readonly seq: number; readonly tokenHash: string }) =>
  db.updateTable('jobs').set({ lease_token_hash: values.tokenHash }).where('seq', '=', values.seq).where('tenant_id', '=', values.tenant),
);

export const PROMOTE_JOBS = statement((db, values: { readonly tenant: TenantId; readonly queue: string; readonly nowMs: number; readonly limit: number }) =>
  db
    .updateTable('jobs')
    .set({ waiting: 'due' })
    .where((eb) => byPlace(eb.ref('jobs.tenant_id'), values.tenant))
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

/** A new call, or what a repeat has made of a known one. `jobs` as job-seqs.ts writes them. */
export const KEEP_CALL = statement((db, { tenant, queue, requestId, fingerprint, callSeq, jobs, atMs }: CallPlace & CallMark & { readonly jobs: string }) =>
  db
    .insertInto('submission_calls')
    .values({ tenant_id: tenant, queue_name: queue, request_id: requestId, fingerprint, call_seq: callSeq, jobs, at_ms: atMs })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'queue_name', 'request_id']).doUpdateSet((eb) => ({ jobs: eb.ref('excluded.jobs'), at_ms: eb.ref('excluded.at_ms') })),
    ),
);

export const INSERT_TAG = statement((db, values: { readonly tenant: TenantId; readonly key: string; readonly value: string; readonly seq: number }) =>
  db.insertInto('job_tags').values({ tenant_id: values.tenant, key: values.key, value: values.value, job_seq: values.seq }),
);

/** A job's events, found along their chain from the last one. `cross join` keeps the planner from searching the log for them. */
export const DELETE_EVENTS_OF_JOB = statement((db, values: { readonly tenant: TenantId; readonly lastEventSeq: number }) =>
  db
    .deleteFrom('events')
    .where('tenant_id', '=', values.tenant)
    .where(
      'seq',
      'in',
      db
        .withRecursive('chain(seq, previous_seq)', (cte) =>
          cte
            .selectFrom('events')
            .select(['seq', 'previous_seq'])
            .where('tenant_id', '=', values.tenant)
            .where('seq', '=', values.lastEventSeq)
            .unionAll(
              cte
                .selectFrom('chain')
                .crossJoin('events')
                .select(['events.seq', 'events.previous_seq'])
                .where('events.tenant_id', '=', values.tenant)
                .whereRef('events.seq', '=', 'chain.previous_seq'),
            ),
        )
        .selectFrom('chain')
        .select('chain.seq'),
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
