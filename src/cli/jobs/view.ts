/** Jobs as people see them: a row of a list, or everything about one. */
import type { JobDetailsFragment, JobQuery, JobSummaryFragment } from '../../client/index.ts';
import type { Look } from '../look.ts';
import { table } from '../print.ts';
import type { TimeText } from '../times.ts';
import { visible } from '../visible-text.ts';
import { eventRow, EVENT_HEAD } from '../events/view.ts';

export type WholeJob = NonNullable<JobQuery['job']>;

export const JOB_HEAD = ['ID', 'STATE', 'QUEUE', 'TASK', 'ATTEMPT', 'CREATED', 'RUNS OR ENDED'];
export const DEAD_HEAD = ['ID', 'QUEUE', 'TASK', 'ATTEMPTS', 'DIED', 'ERROR'];

export function jobRow(job: JobSummaryFragment, time: TimeText): readonly string[] {
  return [job.id, job.state, job.queueName, job.task, attemptText(job), time(job.createdAt), time(job.finishedAt ?? job.runAt)];
}

export function deadRow(job: JobSummaryFragment, time: TimeText): readonly string[] {
  return [job.id, job.queueName, job.task, attemptText(job), time(job.finishedAt), errorText(job.lastError)];
}

function attemptText({ attempt, maxAttempts }: Pick<JobSummaryFragment, 'attempt' | 'maxAttempts'>): string {
  return `${attempt} of ${maxAttempts}`;
}

export function errorText(error: { readonly type: string | null; readonly message: string } | null): string {
  if (error === null) return '';
  return error.type === null ? error.message : `${error.type}: ${error.message}`;
}

/** A line for each thing that there is to say. */
export function jobText(job: JobDetailsFragment, time: TimeText): string {
  const lines = factsOf(job, time).flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(16)}${visible(value)}\n`]));
  return lines.join('');
}

type Fact = readonly [name: string, value: string | null];

function factsOf(job: JobDetailsFragment, time: TimeText): readonly Fact[] {
  const { lease, progress, lastError } = job;
  const when = (instant: string | null): string | null => (instant === null ? null : time(instant));
  return [
    ['job', job.id],
    ['state', `${job.state}, attempt ${attemptText(job)}${job.ready ? ', ready' : ''}`],
    ['queue', job.queueName],
    ['task', job.task],
    ['priority', String(job.priority)],
    ['fence', String(job.fence)],
    ['retries', `after ${job.retryBaseSeconds}s, doubled up to ${job.retryMaxSeconds}s`],
    ['concurrency key', job.concurrencyKey],
    ['tags', job.tags.map(({ key, value }) => `${key}=${value}`).join(' ') || null],
    ['created', time(job.createdAt)],
    ['runs', job.finishedAt === null && lease === null ? time(job.runAt) : null],
    ['lease', lease === null ? null : `${lease.workerId}, until ${time(lease.expiresAt)}, renewed ${lease.renewals} times`],
    ['progress', progress === null ? null : `${progress.percent === null ? '' : `${progress.percent}% `}${progress.note ?? ''} at ${time(progress.updatedAt)}`],
    ['cancel asked', when(job.cancelRequestedAt)],
    ['ended', when(job.finishedAt)],
    ['removed', when(job.purgeAt)],
    ['payload', job.payloadRedacted ? '(kept from this key: it lacks the scope PAYLOADS)' : JSON.stringify(job.payload)],
    ['result', job.result === null ? null : JSON.stringify(job.result)],
    ['last error', lastError === null ? null : `${errorText(lastError)} at ${time(lastError.at)}`],
    ['error details', lastError === null || lastError.details === null ? null : JSON.stringify(lastError.details)],
  ];
}

const ATTEMPT_HEAD = ['FENCE', 'ATTEMPT', 'OUTCOME', 'WORKER', 'STARTED', 'ENDED', 'ERROR'];

/** The latest attempt first. */
export function attemptsText({ attempts }: WholeJob, time: TimeText, look: Look): string {
  const rows = attempts.nodes.map((attempt) => [
    String(attempt.fence),
    String(attempt.number),
    attempt.outcome,
    attempt.workerId,
    time(attempt.startedAt),
    time(attempt.finishedAt),
    errorText(attempt.error),
  ]);
  return rows.length === 0 ? '' : `\n${table(ATTEMPT_HEAD, rows, look)}`;
}

/** What happened to it, the oldest first. */
export function timelineText({ events }: WholeJob, time: TimeText, look: Look): string {
  const rows = events.nodes.map((event) => eventRow(event, time).filter((_cell, column) => !SAME_FOR_ALL.includes(column)));
  const more = events.hasMore ? 'There are more: see leasequeue job watch, or leasequeue events --job.\n' : '';
  return `\n${table(
    EVENT_HEAD.filter((_title, column) => !SAME_FOR_ALL.includes(column)),
    rows,
    look,
  )}${more}`;
}

/** Columns that tell one job from another. */
const SAME_FOR_ALL: readonly number[] = ['JOB', 'QUEUE', 'TASK'].map((title) => EVENT_HEAD.indexOf(title));
