/** Valid jobs of any state, for tests that start in the middle of a job's life. */
import type { Job, JobError, JobState, Lease, Retention } from '../../src/domain/job.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { T0_MS } from './manual-clock.ts';

export const RETENTION: Retention = {
  completedSeconds: LIMITS.retainFinishedSecondsDefault,
  cancelledSeconds: LIMITS.retainFinishedSecondsDefault,
  deadSeconds: LIMITS.retainDeadSecondsDefault,
};

export function makeLease(overrides: Partial<Lease> = {}): Lease {
  return {
    workerId: 'w1',
    expiresAtMs: T0_MS + 30_000,
    leaseSeconds: 30,
    startedAtMs: T0_MS,
    heartbeatAtMs: null,
    renewals: 0,
    claimedFrom: 'queued',
    requestId: null,
    ...overrides,
  };
}

export function makeError(message: string, overrides: Partial<JobError> = {}): JobError {
  return { type: null, message, detailsJson: null, atMs: T0_MS, ...overrides };
}

const FRESH: Job = {
  id: '019c0000-0000-7000-8000-000000000001',
  queue: 'default',
  task: 'mail.send',
  state: 'queued',
  payloadJson: '{}',
  resultJson: null,
  priority: LIMITS.priorityDefault,
  attempt: 0,
  fence: 0,
  maxAttempts: LIMITS.maxAttemptsDefault,
  retryBaseSeconds: LIMITS.retryBaseSecondsDefault,
  retryMaxSeconds: LIMITS.retryMaxSecondsDefault,
  runAtMs: T0_MS,
  concurrencyKey: null,
  tags: [],
  progress: null,
  lease: null,
  releasesInRow: 0,
  cancelRequestedAtMs: null,
  cancelReason: null,
  lastError: null,
  deadGroup: null,
  createdAtMs: T0_MS,
  updatedAtMs: T0_MS,
  finishedAtMs: null,
  purgeAtMs: null,
  idempotentUntilMs: null,
};

/** What a job of each state has gone through: one claim where it needs one, all claims where it died of them. */
const HISTORY: { readonly [State in JobState]: Partial<Job> } = {
  queued: {},
  running: { attempt: 1, fence: 1, lease: makeLease() },
  retry: { attempt: 1, fence: 1, lastError: makeError('boom') },
  completed: { attempt: 1, fence: 1, resultJson: '{"ok":true}', finishedAtMs: T0_MS, purgeAtMs: T0_MS + RETENTION.completedSeconds * 1000 },
  dead: { attempt: 3, fence: 3, lastError: makeError('boom'), finishedAtMs: T0_MS, purgeAtMs: T0_MS + RETENTION.deadSeconds * 1000 },
  cancelled: { cancelRequestedAtMs: T0_MS, finishedAtMs: T0_MS, purgeAtMs: T0_MS + RETENTION.cancelledSeconds * 1000 },
};

export function makeJob(state: JobState, overrides: Partial<Job> = {}): Job {
  return { ...FRESH, ...HISTORY[state], state, ...overrides };
}
