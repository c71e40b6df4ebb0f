/** What each effect of the transition table does to a job's row. Pure; called by decide only. */
import type { ActionOf, Facts } from './actions.ts';
import { retryDelayMs } from './backoff.ts';
import type { Job, JobError, JobPatch, Lease, Progress } from './job.ts';
import type { ActionName, EffectName } from './transitions.ts';

type Effect<Name extends ActionName> = (job: Job, action: ActionOf<Name>, facts: Facts) => JobPatch;

function lease(job: Job): Lease {
  if (job.lease === null) throw new Error(`job ${job.id} is running without a lease`);
  return job.lease;
}

function claimedState(job: Job): 'queued' | 'retry' {
  if (job.state !== 'queued' && job.state !== 'retry') throw new Error(`job ${job.id} was claimed while ${job.state}`);
  return job.state;
}

/** Instant of removal: the later of retention and the idempotency window; null where nothing removes the job. */
function purgeAtMs(job: Job, keepSeconds: number, nowMs: number): number | null {
  if (keepSeconds === 0) return null;
  return Math.max(nowMs + keepSeconds * 1000, job.idempotentUntilMs ?? 0);
}

function finished(job: Job, keepSeconds: number, nowMs: number): JobPatch {
  return { lease: null, finishedAtMs: nowMs, purgeAtMs: purgeAtMs(job, keepSeconds, nowMs) };
}

function dead(job: Job, error: JobError, facts: Facts): JobPatch {
  return { ...finished(job, facts.retention.deadSeconds, facts.nowMs), lastError: error };
}

/** Error of an attempt that ended without a report of its worker. */
function lapseError(job: Job, nowMs: number): JobError {
  const { workerId } = lease(job);
  return { type: 'LeaseExpired', message: `The lease ran out on attempt ${job.attempt} of worker ${workerId}.`, detailsJson: null, atMs: nowMs };
}

function mergedProgress(job: Job, progress: Omit<Progress, 'updatedAtMs'> | null, nowMs: number): Progress | null {
  return progress === null ? job.progress : { ...progress, updatedAtMs: nowMs };
}

const takeLease: Effect<'claim'> = (job, action, { nowMs }) => ({
  attempt: job.attempt + 1,
  fence: job.fence + 1,
  progress: null,
  lease: {
    workerId: action.workerId,
    expiresAtMs: nowMs + action.leaseSeconds * 1000,
    leaseSeconds: action.leaseSeconds,
    startedAtMs: nowMs,
    heartbeatAtMs: null,
    renewals: 0,
    claimedFrom: claimedState(job),
    requestId: action.requestId,
  },
});

const extendLease: Effect<'heartbeat'> = (job, action, { nowMs }) => {
  const current = lease(job);
  const extendedMs = nowMs + (action.extendSeconds ?? current.leaseSeconds) * 1000;
  return {
    lease: { ...current, expiresAtMs: Math.max(current.expiresAtMs, extendedMs), heartbeatAtMs: nowMs, renewals: current.renewals + 1 },
    progress: mergedProgress(job, action.progress, nowMs),
  };
};

const storeResult: Effect<'complete'> = (job, action, facts) => ({
  ...finished(job, facts.retention.completedSeconds, facts.nowMs),
  resultJson: action.resultJson,
});

const scheduleRetry: Effect<'fail'> = (job, action, { nowMs, jitter }) => ({
  lease: null,
  releasesInRow: 0,
  lastError: action.error,
  runAtMs: nowMs + (action.retryAfterSeconds === null ? retryDelayMs(job.attempt, job, jitter) : action.retryAfterSeconds * 1000),
});

function handedBack(job: Job, action: ActionOf<'release'>, nowMs: number): JobPatch {
  const runAtMs = action.afterSeconds === 0 ? job.runAtMs : nowMs + action.afterSeconds * 1000;
  return { lease: null, runAtMs, releasesInRow: job.releasesInRow + 1 };
}

const endCancelled: Effect<'cancel' | 'fail' | 'release' | 'expire'> = (job, action, facts) => ({
  ...finished(job, facts.retention.cancelledSeconds, facts.nowMs),
  cancelRequestedAtMs: job.cancelRequestedAtMs ?? facts.nowMs,
  cancelReason: action.name === 'cancel' ? (action.reason ?? job.cancelReason) : job.cancelReason,
  ...(action.name === 'fail' && { lastError: action.error }),
  ...(action.name === 'expire' && { lastError: lapseError(job, facts.nowMs) }),
});

const startOver: Effect<'redrive'> = (job, action, { nowMs }) => ({
  attempt: 0,
  maxAttempts: action.maxAttempts ?? job.maxAttempts,
  runAtMs: action.runAtMs ?? nowMs,
  ...(action.payloadJson !== null && { payloadJson: action.payloadJson }),
  progress: null,
  releasesInRow: 0,
  cancelRequestedAtMs: null,
  cancelReason: null,
  finishedAtMs: null,
  purgeAtMs: null,
});

/** Indexed by the table's words; decide pairs each with the action whose rows name it. */
export const EFFECTS: { readonly [Name in EffectName]: (job: Job, action: never, facts: Facts) => JobPatch } = {
  none: () => ({}),
  takeLease,
  extendLease,
  storeResult,
  scheduleRetry,
  bury: ((job, action, facts) => dead(job, action.error, facts)) satisfies Effect<'fail'>,
  handBack: ((job, action, { nowMs }) => ({ ...handedBack(job, action, nowMs), attempt: job.attempt - 1 })) satisfies Effect<'release'>,
  handBackCharged: ((job, action, { nowMs }) => handedBack(job, action, nowMs)) satisfies Effect<'release'>,
  buryReleased: ((job, _action, facts) =>
    dead(
      job,
      { type: 'Released', message: `Released ${job.releasesInRow + 1} times in a row without being settled.`, detailsJson: null, atMs: facts.nowMs },
      facts,
    )) satisfies Effect<'release'>,
  recover: ((job, _action, { nowMs }) => ({ lease: null, releasesInRow: 0, runAtMs: nowMs, lastError: lapseError(job, nowMs) })) satisfies Effect<'expire'>,
  buryLapsed: ((job, _action, facts) => dead(job, lapseError(job, facts.nowMs), facts)) satisfies Effect<'expire'>,
  requestCancel: ((_job, action, { nowMs }) => ({ cancelRequestedAtMs: nowMs, cancelReason: action.reason })) satisfies Effect<'cancel'>,
  endCancelled,
  reschedule: ((_job, action) => ({
    ...(action.runAtMs !== null && { runAtMs: action.runAtMs }),
    ...(action.priority !== null && { priority: action.priority }),
  })) satisfies Effect<'reschedule'>,
  startOver,
};
