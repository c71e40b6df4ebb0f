/** Submission: one job per request, or the job that its idempotency key, or its call's request id, already stands for. */
import { callText, type SubmitRequest } from '../../domain/idempotency.ts';
import { type BatchRolledBack, failed, type IdempotencyConflict, type QuotaExceeded, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { digest } from '../../runtime/digest.ts';
import { create, type Scene, storedBytesOf } from '../apply.ts';
import { KeyedJobs } from '../keyed-jobs.ts';
import type { NewJob } from '../new-rows.ts';
import { createQueueRow, findQueueRow } from '../queue-rows.ts';
import { quotaExceededBy } from '../quotas.ts';
import { defaultsOf, type QueueRow } from '../rows.ts';
import { type CallPlace, findCall, type KnownCall } from '../submission-calls.ts';
import type { SubmitOutcome } from '../answers.ts';
import type { Caller } from '../requests.ts';
import { InvalidRequest } from '../store.ts';
import { inScene, type OperationParts } from './facts.ts';
import { differingFields, fingerprintOf, isSameRequest } from './fingerprints.ts';
import { startMs } from './start.ts';

/** A submission ready for its transaction: nothing is hashed while others wait for the write lock. */
interface Prepared {
  readonly request: SubmitRequest;
  readonly fingerprint: string | null;
  readonly storedBytes: number;
}

function preparedOf(request: SubmitRequest): Prepared {
  const fingerprint = request.idempotencyKey === null ? null : fingerprintOf(request);
  return { request, fingerprint, storedBytes: storedBytesOf({ payloadJson: request.payloadJson, resultJson: null }) };
}

export interface SubmitCall {
  readonly requests: readonly SubmitRequest[];
  readonly allOrNothing: boolean;
  /** Null: the call cannot be repeated but by the keys of its requests. */
  readonly requestId: string | null;
}

/** A job that an earlier try of the same call made. */
interface Recorded {
  readonly job: Job;
  readonly seq: number;
}

/** What was stored before: by keys, and by the request id of the call. */
interface Before {
  readonly keyed: KeyedJobs;
  readonly recorded: ReadonlyMap<Prepared, Recorded>;
}

/** A call that may be repeated. */
interface Repeatable {
  readonly place: CallPlace;
  readonly fingerprint: string;
  /** Its number; null where it has made no job yet. */
  callSeq: number | null;
}

/** What became of an item. */
interface Stored {
  readonly outcome: SubmitOutcome;
  /** Null where it made no job. */
  readonly made: NewJob | null;
}

export async function submit(parts: OperationParts, tenant: TenantId, caller: Caller, call: SubmitCall): Promise<readonly SubmitOutcome[]> {
  const { requests, allOrNothing, requestId } = call;
  const prepared = requests.map(preparedOf);
  if (allOrNothing) refuseSelfConflict(prepared);
  const place = requestId === null ? null : { tenant, queue: requests[0]?.queue ?? '', requestId };
  const fingerprint = place === null ? '' : digest(callText(requests, allOrNothing));
  const outcomes = await inScene(parts, tenant, caller, { weight: requests.length, isSubmission: true }, async (scene) => {
    const known = place === null ? null : await findCall(scene.tx, place);
    if (known !== null && known.fingerprint !== fingerprint) return 'another call';
    const before = { keyed: await KeyedJobs.read(scene.tx, tenant, requests), recorded: recordedJobs(known, prepared) };
    const refused = allOrNothing ? await refusedBatch(scene, before, prepared) : null;
    const repeatable = place === null ? null : { place, fingerprint, callSeq: known?.callSeq ?? null };
    return refused ?? storeAll(parts, scene, before, prepared, repeatable);
  });
  if (outcomes !== 'another call') return outcomes;
  throw new InvalidRequest([{ path: ['input', 'requestId'], message: 'was used for another call; nothing was changed, a new call needs a new one' }]);
}

function recordedJobs(call: KnownCall | null, prepared: readonly Prepared[]): Before['recorded'] {
  const recorded = new Map<Prepared, Recorded>();
  if (call === null) return recorded;
  for (const [place, item] of prepared.entries()) {
    const seq = call.seqs[place] ?? null;
    const job = seq === null ? undefined : call.jobs.get(seq);
    if (seq !== null && job !== undefined) recorded.set(item, { job, seq });
  }
  return recorded;
}

async function storeAll(
  parts: OperationParts,
  scene: Scene,
  before: Before,
  prepared: readonly Prepared[],
  repeatable: Repeatable | null,
): Promise<readonly SubmitOutcome[]> {
  const stored: Stored[] = [];
  for (const item of prepared) stored.push(await storeOne(parts, scene, before, item, repeatable));
  const outcomes = stored.map(({ outcome }) => outcome);
  if (repeatable === null || repeatable.callSeq === null || stored.every(({ made }) => made === null)) return outcomes;
  const { place, fingerprint, callSeq } = repeatable;
  // What failed has no job: a repeat tries it anew.
  const jobs = prepared.map((item, index) => stored[index]?.made ?? before.recorded.get(item)?.seq ?? null);
  scene.tx.newRows.addCall({ ...place, fingerprint, callSeq, atMs: scene.nowMs, jobs });
  return outcomes;
}

/** A batch that is stored whole or not at all cannot hold one key for two different requests: no job of it could exist. */
function refuseSelfConflict(prepared: readonly Prepared[]): void {
  const first = new Map<string, { readonly index: number; readonly fingerprint: string | null }>();
  for (const [index, { request, fingerprint }] of prepared.entries()) {
    if (request.idempotencyKey === null) continue;
    const key = JSON.stringify([request.queue, request.idempotencyKey]);
    const known = first.get(key);
    if (known === undefined) first.set(key, { index, fingerprint });
    else if (known.fingerprint !== fingerprint)
      throw new InvalidRequest([
        { path: ['input', 'jobs', index, 'idempotencyKey'], message: `is the key of item ${known.index} too, which is a different request` },
      ]);
  }
}

/** What the items of a batch before this one will add, where they can be stored. */
interface Planned {
  waitingJobs: number;
  storedBytes: number;
  readonly queues: Set<string>;
  /** A key that comes again later makes no second job. */
  readonly keys: Set<string>;
}

/** Null where every item of the batch can be stored. */
async function refusedBatch(scene: Scene, before: Before, prepared: readonly Prepared[]): Promise<readonly SubmitOutcome[] | null> {
  const planned: Planned = { waitingJobs: 0, storedBytes: 0, queues: new Set(), keys: new Set() };
  const refusals: (IdempotencyConflict | QuotaExceeded | null)[] = [];
  for (const item of prepared) {
    const known = findKnown(before, item);
    refusals.push(known === null ? await planOne(scene, item, planned) : known.conflict);
  }
  if (refusals.every((refusal) => refusal === null)) return null;
  const rolledBack: BatchRolledBack = { code: 'BATCH_ROLLED_BACK' };
  return refusals.map((refusal) => failed(refusal ?? rolledBack));
}

/** Adds the item to the plan, unless it exceeds a quota. */
async function planOne(scene: Scene, { request: { queue, idempotencyKey }, storedBytes: bytes }: Prepared, planned: Planned): Promise<QuotaExceeded | null> {
  const key = idempotencyKey === null ? null : JSON.stringify([queue, idempotencyKey]);
  if (key !== null && planned.keys.has(key)) return null;
  const isNewQueue = !planned.queues.has(queue) && (await findQueueRow(scene.tx, scene.tenant, queue)) === null;
  const [waitingJobs, storedBytes] = [planned.waitingJobs + 1, planned.storedBytes + bytes];
  const exceeded = await quotaExceededBy(scene, { waitingJobs, queues: isNewQueue ? planned.queues.size + 1 : 0, storedBytes });
  if (exceeded !== null) return exceeded;
  Object.assign(planned, { waitingJobs, storedBytes });
  if (isNewQueue) planned.queues.add(queue);
  if (key !== null) planned.keys.add(key);
  return null;
}

function findKnown(before: Before, item: Prepared): { readonly job: Job; readonly conflict: IdempotencyConflict | null } | null {
  const recorded = before.recorded.get(item);
  if (recorded !== undefined) return { job: recorded.job, conflict: null };
  const { request, fingerprint } = item;
  const known = before.keyed.of(request);
  if (known === null || fingerprint === null) return null;
  const { job } = known;
  if (isSameRequest(known.fingerprint, fingerprint)) return { job, conflict: null };
  return { job, conflict: { code: 'IDEMPOTENCY_CONFLICT', existingJob: job, differingFields: differingFields(known.fingerprint, fingerprint) } };
}

async function storeOne(parts: OperationParts, scene: Scene, before: Before, item: Prepared, repeatable: Repeatable | null): Promise<Stored> {
  const known = findKnown(before, item);
  if (known !== null && known.conflict !== null) return { outcome: failed(known.conflict), made: null };
  if (known !== null) {
    scene.tx.tally.deduplicated += 1;
    return { outcome: succeeded({ job: known.job, deduplicated: true }), made: null };
  }
  const { tx, tenant, nowMs } = scene;
  const { queue, idempotencyKey: key } = item.request;
  // Of all jobs of a call but the first there is nothing to wait for.
  const finding = findQueueRow(tx, tenant, queue);
  const row = finding instanceof Promise ? await finding : finding;
  const judging = quotaExceededBy(scene, { waitingJobs: 1, queues: row === null ? 1 : 0, storedBytes: item.storedBytes });
  const exceeded = judging instanceof Promise ? await judging : judging;
  if (exceeded !== null) return { outcome: failed(exceeded), made: null };
  const settings = row ?? (await createQueueRow(tx, tenant, queue, nowMs));
  const next = tx.tally.nextSeq(tenant);
  const eventSeq = next instanceof Promise ? await next : next;
  const isByRequest = repeatable !== null;
  const job = newJob(parts.newId(nowMs, eventSeq), item.request, settings, { nowMs, isByRequest });
  const made = create(scene, job, eventSeq, {
    key: key === null || item.fingerprint === null ? null : { key, fingerprint: item.fingerprint },
    callSeq: isByRequest ? (repeatable.callSeq ?? 'new') : null,
  });
  if (isByRequest) repeatable.callSeq ??= made.row.call_seq;
  return { outcome: succeeded({ job, deduplicated: false }), made };
}

function newJob(id: string, request: SubmitRequest, queue: QueueRow, { nowMs, isByRequest }: { readonly nowMs: number; readonly isByRequest: boolean }): Job {
  const defaults = defaultsOf(queue);
  const retryBaseSeconds = request.retryBaseSeconds ?? defaults.retryBaseSeconds;
  return {
    id,
    queue: request.queue,
    task: request.task,
    state: 'queued',
    payloadJson: request.payloadJson,
    resultJson: null,
    priority: request.priority ?? defaults.priority,
    attempt: 0,
    fence: 0,
    maxAttempts: request.maxAttempts ?? defaults.maxAttempts,
    retryBaseSeconds,
    retryMaxSeconds: Math.max(request.retryMaxSeconds ?? defaults.retryMaxSeconds, retryBaseSeconds),
    runAtMs: startMs(request.start, nowMs) ?? nowMs,
    concurrencyKey: request.concurrencyKey,
    tags: request.tags,
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
    idempotentUntilMs: request.idempotencyKey === null && !isByRequest ? null : nowMs + LIMITS.idempotencyWindowSeconds * 1000,
  };
}
