/** Events to rows and back. A row leaves out what the job's row or the kind alone says. */
import type { Selectable } from 'kysely';
import type { EventDetail, EventFact, EventKind, JobEvent } from '../domain/events.ts';
import type { Job, JobState } from '../domain/job.ts';
import type { EventTable } from './tables.ts';

interface StateChange {
  readonly from: JobState | null;
  readonly to: JobState;
}

/** The states that an event of a kind usually leads from and to: where they are these, its row leaves them out. */
export const USUAL_STATES: Readonly<Record<EventKind, StateChange>> = {
  SUBMITTED: { from: null, to: 'queued' },
  CLAIMED: { from: 'queued', to: 'running' },
  COMPLETED: { from: 'running', to: 'completed' },
  RETRY_SCHEDULED: { from: 'running', to: 'retry' },
  DEAD_LETTERED: { from: 'running', to: 'dead' },
  LEASE_EXPIRED: { from: 'running', to: 'retry' },
  RELEASED: { from: 'running', to: 'queued' },
  CANCEL_REQUESTED: { from: 'running', to: 'running' },
  CANCELLED: { from: 'queued', to: 'cancelled' },
  REDRIVEN: { from: 'dead', to: 'queued' },
  RESCHEDULED: { from: 'queued', to: 'queued' },
  PURGED: { from: 'completed', to: 'completed' },
};

/** The fact as columns. A purged job's event says itself which job it was: nothing else is left to. */
export function eventColumns({ kind, fromState, toState, attempt, fence, workerId, detail }: EventFact, job: Job) {
  const usual = USUAL_STATES[kind];
  return {
    kind,
    from_state: fromState === usual.from ? null : fromState,
    to_state: toState === usual.to ? null : toState,
    attempt,
    fence,
    worker_id: workerId,
    run_at_ms: detail?.runAtMs ?? null,
    priority: detail?.priority ?? null,
    max_attempts: detail?.maxAttempts ?? null,
    lease_expires_at_ms: detail?.leaseExpiresAtMs ?? null,
    reason: detail?.reason ?? null,
    gone_job: kind === 'PURGED' ? JSON.stringify([job.id, job.queue, job.task]) : null,
  };
}

/** An event's row together with what its job's row says; null there where the job is gone. */
export type EventRow = Selectable<EventTable> & { readonly job_id: string | null; readonly queue_name: string | null; readonly task: string | null };

export function eventOf(row: EventRow): JobEvent {
  const usual = USUAL_STATES[row.kind];
  const [jobId, queue, task] = row.gone_job === null ? [row.job_id, row.queue_name, row.task] : goneJobOf(row.gone_job);
  if (!jobId || !queue || !task) throw new Error(`event ${row.seq} does not say which job it is of`);
  return {
    seq: row.seq,
    jobId,
    queue,
    task,
    kind: row.kind,
    fromState: row.from_state ?? usual.from,
    toState: row.to_state ?? usual.to,
    attempt: row.attempt,
    fence: row.fence,
    atMs: row.at_ms,
    workerId: row.worker_id,
    actor: row.actor,
    detail: detailOf(row),
  };
}

function goneJobOf(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

function detailOf({ run_at_ms, priority, max_attempts, lease_expires_at_ms, reason }: EventRow): EventDetail | null {
  const detail = {
    ...(run_at_ms !== null && { runAtMs: run_at_ms }),
    ...(priority !== null && { priority }),
    ...(max_attempts !== null && { maxAttempts: max_attempts }),
    ...(lease_expires_at_ms !== null && { leaseExpiresAtMs: lease_expires_at_ms }),
    ...(reason !== null && { reason }),
  };
  return Object.keys(detail).length === 0 ? null : detail;
}
