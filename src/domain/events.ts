/** The facts that transitions leave behind, in commit order, and how a job's row follows from them. */
import type { Job, JobState } from './job.ts';

export const EVENT_KINDS = [
  'SUBMITTED',
  'CLAIMED',
  'COMPLETED',
  'RETRY_SCHEDULED',
  'DEAD_LETTERED',
  'LEASE_EXPIRED',
  'RELEASED',
  'CANCEL_REQUESTED',
  'CANCELLED',
  'REDRIVEN',
  'RESCHEDULED',
  'PURGED',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What an event tells beyond the transition itself. Never a token, a key or a payload. */
export interface EventDetail {
  readonly runAtMs?: number;
  readonly priority?: number;
  readonly maxAttempts?: number;
  readonly leaseExpiresAtMs?: number;
  readonly reason?: string;
}

/** An event as a transition states it, before it has a place in the log. */
export interface EventFact {
  readonly kind: EventKind;
  readonly fromState: JobState | null;
  readonly toState: JobState;
  readonly attempt: number;
  readonly fence: number;
  readonly workerId: string | null;
  readonly detail: EventDetail | null;
}

export interface JobEvent extends EventFact {
  /** Position in the tenant's log: strictly increasing in commit order. */
  readonly seq: number;
  readonly jobId: string;
  readonly queue: string;
  readonly task: string;
  readonly atMs: number;
  /** Who caused it; null for the server itself or an unnamed caller. */
  readonly actor: string | null;
}

/** The first event of a job, which no transition of the table makes. */
export function submittedFact({ state, attempt, fence, runAtMs, priority, maxAttempts }: Job): EventFact {
  return { kind: 'SUBMITTED', fromState: null, toState: state, attempt, fence, workerId: null, detail: { runAtMs, priority, maxAttempts } };
}

export interface EventFilter {
  readonly queues?: readonly string[];
  readonly tasks?: readonly string[];
  readonly kinds?: readonly EventKind[];
  readonly states?: readonly JobState[];
  readonly jobIds?: readonly string[];
}

/** True if the event is wanted: fields are joined by AND, the values of one field by OR. */
export function matchesFilter(event: JobEvent, filter: EventFilter): boolean {
  return (
    (filter.queues?.includes(event.queue) ?? true) &&
    (filter.tasks?.includes(event.task) ?? true) &&
    (filter.kinds?.includes(event.kind) ?? true) &&
    (filter.states?.includes(event.toState) ?? true) &&
    (filter.jobIds?.includes(event.jobId) ?? true)
  );
}

/** What the event log alone says about a job; a job's row must say the same. */
export interface ReplayedJob {
  readonly state: JobState;
  readonly attempt: number;
  readonly fence: number;
  readonly priority: number | null;
  readonly maxAttempts: number | null;
  readonly runAtMs: number | null;
  readonly cancelRequested: boolean;
}

/** Folds a job's events, oldest first, into what its row must hold. Null for a log without events. */
export function replay(events: readonly JobEvent[]): ReplayedJob | null {
  return events.reduce<ReplayedJob | null>(replayOne, null);
}

function replayOne(job: ReplayedJob | null, { kind, toState, attempt, fence, detail }: JobEvent): ReplayedJob {
  return {
    state: toState,
    attempt,
    fence,
    priority: detail?.priority ?? job?.priority ?? null,
    maxAttempts: detail?.maxAttempts ?? job?.maxAttempts ?? null,
    runAtMs: detail?.runAtMs ?? job?.runAtMs ?? null,
    cancelRequested: kind === 'CANCEL_REQUESTED' || kind === 'CANCELLED' || (kind !== 'REDRIVEN' && (job?.cancelRequested ?? false)),
  };
}
