/** What a worker says while it works: lines for people on standard error, and its outcomes as JSON Lines. */
import type { RunningJob } from '../../worker/registration.ts';
import type { WorkerEvent } from '../../worker/worker-events.ts';

/** Ids begin with the time, so that their ends tell them apart. */
const SHORT_CHARACTERS = 8;

export function shortId({ id }: Pick<RunningJob, 'id'>): string {
  return id.slice(-SHORT_CHARACTERS);
}

/** Null: nothing that a person has to know. */
export function lineOf(event: WorkerEvent): string | null {
  return 'job' in event ? jobLine(event) : workerLine(event);
}

type OfJob = Extract<WorkerEvent, { readonly job: RunningJob }>;
type OfWorker = Exclude<WorkerEvent, OfJob>;

function jobLine(event: OfJob): string | null {
  const said = jobWords(event);
  return said === null ? null : `${shortId(event.job)} ${said}`;
}

function jobWords(event: OfJob): string | null {
  switch (event.type) {
    case 'job-started':
      return `started: ${event.job.task} (${event.job.id}), attempt ${event.job.attempt} of ${event.job.maxAttempts}`;
    case 'job-completed':
      return `completed in ${secondsText(event.tookMs)}`;
    case 'job-failed':
      return `failed after ${secondsText(event.tookMs)}: ${reasonOf(event)}; ${whatFollows(event)}`;
    case 'job-released':
      return RELEASED[event.why];
    case 'job-aborted':
      return STOPPED[event.reason];
    case 'lease-lost':
      return `lease lost: ${event.message}`;
    case 'handler-stuck':
      return 'does not end';
  }
}

const RELEASED = {
  shutdown: 'handed back: the worker stops',
  snooze: 'handed back, no attempt used',
  cancelled: 'cancelled',
} as const;

const STOPPED = {
  'lease-lost': 'told to end: its lease is over',
  cancelled: 'told to end: an operator cancelled the job',
  timeout: 'told to end: its time is over',
  shutdown: 'told to end: the worker stops',
} as const;

type Failed = Extract<WorkerEvent, { readonly type: 'job-failed' }>;

/** Of several lines each was shown before, as the program wrote it. */
function reasonOf({ error, errorType }: Failed): string {
  const message = messageOf(error);
  return message.includes('\n') ? errorType : `${errorType}: ${message.replace(/\.$/, '')}`;
}

function whatFollows({ retryAt, isDead }: Failed): string {
  if (retryAt !== null) return `next attempt at ${retryAt.toISOString()}`;
  return isDead ? 'it is a dead letter now' : 'no further attempt';
}

function workerLine(event: OfWorker): string | null {
  switch (event.type) {
    case 'server-unreachable':
      return `${event.error.message} Trying again.`;
    case 'server-reachable':
      return 'The server answers again.';
    case 'event-loop-blocked':
      return `The worker stood still for ${secondsText(event.blockedMs)}: heartbeats could not go out.`;
    case 'worker-stopping':
      return event.running === 0 ? 'Stopping.' : `Stopping: waiting for ${event.running} ${event.running === 1 ? 'job' : 'jobs'}.`;
    case 'no-work':
    case 'worker-refused':
    case 'worker-stopped':
      return null;
  }
}

/** The state of an attempt, as the API says it, where it has ended. */
export function outcomeOf(event: WorkerEvent): object | null {
  switch (event.type) {
    case 'job-completed':
      return { ...attemptOf(event.job), outcome: 'COMPLETED', durationMs: Math.round(event.tookMs) };
    case 'job-failed': {
      const { error, errorType, retryAt, isDead, tookMs } = event;
      const said = { type: errorType, message: messageOf(error) };
      return { ...attemptOf(event.job), outcome: 'FAILED', durationMs: Math.round(tookMs), error: said, retryAt, deadLettered: isDead };
    }
    case 'job-released':
      return { ...attemptOf(event.job), outcome: event.why === 'cancelled' ? 'CANCELLED' : 'RELEASED' };
    case 'lease-lost':
      return { ...attemptOf(event.job), outcome: 'LEASE_LOST', message: event.message };
    default:
      return null;
  }
}

function attemptOf({ id, queue, task, attempt, fence }: RunningJob): object {
  return { jobId: id, queue, task, attempt, fence };
}

export interface Counts {
  readonly completed: number;
  readonly failed: number;
  readonly released: number;
  readonly lost: number;
}

export const NONE: Counts = { completed: 0, failed: 0, released: 0, lost: 0 };

export function counted(counts: Counts, { type }: WorkerEvent): Counts {
  const key = COUNTED[type];
  return key === undefined ? counts : { ...counts, [key]: counts[key] + 1 };
}

const COUNTED: Partial<Record<WorkerEvent['type'], keyof Counts>> = {
  'job-completed': 'completed',
  'job-failed': 'failed',
  'job-released': 'released',
  'lease-lost': 'lost',
};

export function stoppedLine({ completed, failed, released, lost }: Counts): string {
  return `Stopped. Jobs: ${completed} completed, ${failed} failed, ${released} handed back${lost === 0 ? '' : `, ${lost} with their lease lost`}.`;
}

function secondsText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
