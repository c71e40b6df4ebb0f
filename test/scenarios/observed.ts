/** What a driver answered, in the words of the scenario language. */
import type { Answer, EventView, JobView, Refusal } from '../conformance/driver.ts';
import { T0_MS } from '../support/manual-clock.ts';
import type { Value, Values } from './scenario.ts';

export interface Observed {
  /** Null where the answer is about no job. */
  readonly jobId: string | null;
  readonly facts: Values;
  /** Flags that the answer must not show where the scenario does not name them. */
  readonly exact: readonly string[];
  readonly leaseToken: string | null;
}

/** Facts as an answer holds them, absent ones and all. */
type Told = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Leaves out what is absent. */
function values(entries: Told): Values {
  return new Map(Object.entries(entries).filter((entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined && entry[1] !== false));
}

function sinceStart(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms - T0_MS;
}

export function jobFacts(job: JobView): Values {
  return values({
    state: job.state,
    attempt: job.attempt,
    fence: job.fence,
    priority: job.priority,
    attempts: job.maxAttempts,
    backoff: job.retryBaseSeconds * 1000,
    cap: job.retryMaxSeconds * 1000,
    task: job.task,
    payload: job.payloadJson,
    result: job.resultJson,
    error: job.lastError?.message,
    type: job.lastError?.type,
    at: sinceStart(job.runAtMs),
    until: sinceStart(job.lease?.expiresAtMs),
    worker: job.lease?.workerId,
    renewals: job.lease?.renewals,
    finished: sinceStart(job.finishedAtMs),
    kept: sinceStart(job.purgeAtMs),
    progress: job.progress?.percent,
    note: job.progress?.note,
    'cancel-requested': job.isCancelRequested,
  });
}

export function eventFacts({ kind: _kind, detail, toState, fromState, workerId, attempt, fence, atMs }: EventView): Values {
  return values({
    state: toState,
    from: fromState,
    worker: workerId,
    attempt,
    fence,
    finished: sinceStart(atMs),
    reason: detail?.reason,
    priority: detail?.priority,
    attempts: detail?.maxAttempts,
    at: detail?.runAtMs === undefined ? null : sinceStart(detail.runAtMs),
    until: detail?.leaseExpiresAtMs === undefined ? null : sinceStart(detail.leaseExpiresAtMs),
  });
}

export function observedPlain(facts: Told, exact: readonly string[] = []): Observed {
  return { jobId: null, facts: values(facts), exact, leaseToken: null };
}

export function observedJob(job: JobView, more: Told = {}, leaseToken: string | null = null): Observed {
  return { jobId: job.id, facts: new Map([...jobFacts(job), ...values(more)]), exact: ['replayed', 'deduplicated'], leaseToken };
}

/** A refusal tells its reason in capitals, and the state that it found. */
function observedRefusal(failure: Refusal): Observed {
  const facts = {
    failure: failure.code,
    because: failure.code === 'LEASE_LOST' ? failure.reason.toUpperCase() : null,
    from: failure.code === 'INVALID_TRANSITION' ? failure.from : null,
    state: failure.code === 'LEASE_LOST' ? failure.state : null,
    fields: failure.code === 'IDEMPOTENCY_CONFLICT' ? failure.differingFields.join('+') : null,
  };
  const jobId = 'jobId' in failure ? failure.jobId : failure.code === 'IDEMPOTENCY_CONFLICT' ? failure.existingJob.id : null;
  return { jobId, facts: values(facts), exact: [], leaseToken: null };
}

export function observed<Shown>(answer: Answer<Shown>, show: (value: Shown) => Observed): Observed {
  return answer.ok ? show(answer.value) : observedRefusal(answer.failure);
}
