/** How the model takes one submission: a new job, the job that is already there, or a conflict. */
import type { JobEvent } from '../../src/domain/events.ts';
import { failed, succeeded } from '../../src/domain/failures.ts';
import { canonicalRequest, FINGERPRINT_FIELDS, type SubmitRequest } from '../../src/domain/idempotency.ts';
import type { Job, TenantId } from '../../src/domain/job.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Queue, SubmitOutcome } from '../../src/store/answers.ts';
import type { ModelEntry } from './model-entry.ts';

interface Place {
  readonly tenant: TenantId;
  readonly id: string;
  readonly order: number;
  readonly nowMs: number;
  readonly nextSeq: () => number;
}

export function submitOne(
  entries: readonly ModelEntry[],
  request: SubmitRequest,
  settings: Queue,
  place: Place,
): { readonly outcome: SubmitOutcome; readonly entry: ModelEntry | null } {
  const canonical = canonicalRequest(request);
  const { idempotencyKey: key, queue } = request;
  const existing = key === null ? undefined : entries.find((entry) => entry.tenant === place.tenant && entry.job.queue === queue && entry.key === key);
  if (existing !== undefined) {
    const differingFields = FINGERPRINT_FIELDS.filter((field) => canonical[field] !== existing.canonical[field]);
    const outcome =
      differingFields.length === 0
        ? succeeded({ job: existing.job, deduplicated: true })
        : failed({ code: 'IDEMPOTENCY_CONFLICT' as const, existingJob: existing.job, differingFields });
    return { outcome, entry: null };
  }
  const job = newJob(request, settings, place);
  const entry: ModelEntry = { tenant: place.tenant, order: place.order, key, canonical, job, claims: [], events: [submitted(job, place)] };
  return { outcome: succeeded({ job, deduplicated: false }), entry };
}

/** What an item of a batch is answered that stored nothing. */
export function rolledBack(outcome: SubmitOutcome): SubmitOutcome {
  return outcome.ok ? failed({ code: 'BATCH_ROLLED_BACK' }) : outcome;
}

function newJob(request: SubmitRequest, { defaults }: Queue, { id, nowMs }: Place): Job {
  const { start, idempotencyKey, queue, task, payloadJson, concurrencyKey, tags } = request;
  const runAtMs = start === null ? nowMs : 'atMs' in start ? Math.max(nowMs, start.atMs) : nowMs + start.inSeconds * 1000;
  return {
    id,
    queue,
    task,
    state: 'queued',
    payloadJson,
    resultJson: null,
    priority: request.priority ?? defaults.priority,
    attempt: 0,
    fence: 0,
    maxAttempts: request.maxAttempts ?? defaults.maxAttempts,
    retryBaseSeconds: request.retryBaseSeconds ?? defaults.retryBaseSeconds,
    retryMaxSeconds: request.retryMaxSeconds ?? defaults.retryMaxSeconds,
    runAtMs,
    concurrencyKey,
    tags,
    progress: null,
    lease: null,
    releasesInRow: 0,
    cancelRequestedAtMs: null,
    cancelReason: null,
    lastError: null,
    deadGroup: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    finishedAtMs: null,
    purgeAtMs: null,
    idempotentUntilMs: idempotencyKey === null ? null : nowMs + LIMITS.idempotencyWindowSeconds * 1000,
  };
}

function submitted(job: Job, { nowMs, nextSeq }: Place): JobEvent {
  const { id: jobId, queue, task, state: toState, priority, maxAttempts, runAtMs } = job;
  const detail = { runAtMs, priority, maxAttempts };
  return {
    seq: nextSeq(),
    jobId,
    queue,
    task,
    kind: 'SUBMITTED',
    fromState: null,
    toState,
    attempt: 0,
    fence: 0,
    workerId: null,
    detail,
    atMs: nowMs,
    actor: null,
  };
}
