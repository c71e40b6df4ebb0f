/** Submission: one job per request, or the job that the request's idempotency key already stands for. */
import { canonicalRequest, FINGERPRINT_FIELDS, type FingerprintField, fingerprintText, type SubmitRequest, USUAL_REQUEST } from '../../domain/idempotency.ts';
import { type BatchRolledBack, failed, type IdempotencyConflict, type QuotaExceeded, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { digest } from '../../runtime/digest.ts';
import { create, type Scene, storedBytesOf } from '../apply.ts';
import { KeyedJobs } from '../keyed-jobs.ts';
import { createQueueRow, findQueueRow } from '../queue-rows.ts';
import { quotaExceededBy } from '../quotas.ts';
import { type QueueRow, queueOf } from '../rows.ts';
import type { SubmitOutcome } from '../answers.ts';
import type { Caller } from '../requests.ts';
import { InvalidRequest } from '../store.ts';
import { inScene, type OperationParts } from './facts.ts';
import { startMs } from './start.ts';

/** A submission ready for its transaction: nothing is hashed while others wait for the write lock. */
interface Prepared {
  readonly request: SubmitRequest;
  readonly fingerprint: string | null;
  readonly storedBytes: number;
}

/** Of a field that differs, to name it: six characters tell a million million apart. */
const FIELD_CHARACTERS = 6;

function shortDigest(text: string): string {
  return digest(text).slice(0, FIELD_CHARACTERS);
}

const NAMES_MAX = 1_000;
const digestsOfNames = new Map<string, string>();

/** Of texts that come again and again. */
function nameDigest(name: string): string {
  const known = digestsOfNames.get(name);
  if (known !== undefined) return known;
  if (digestsOfNames.size >= NAMES_MAX) digestsOfNames.clear();
  const fresh = shortDigest(name);
  digestsOfNames.set(name, fresh);
  return fresh;
}

/** Digest of the whole, then a short one of each field that is not as it usually is, which names what differs. */
function fingerprintOf(request: SubmitRequest): string {
  const canonical = canonicalRequest(request);
  let fingerprint = digest(fingerprintText(canonical));
  for (const field of FINGERPRINT_FIELDS) {
    const text = canonical[field];
    fingerprint += '.';
    if (text !== USUAL_REQUEST[field]) fingerprint += field === 'queue' || field === 'task' ? nameDigest(text) : shortDigest(text);
  }
  return fingerprint;
}

function isSameRequest(left: string, right: string): boolean {
  return left.split('.', 1)[0] === right.split('.', 1)[0];
}

function differingFields(left: string, right: string): readonly string[] {
  const [, ...leftFields] = left.split('.');
  const [, ...rightFields] = right.split('.');
  return FINGERPRINT_FIELDS.filter((field, index) => fieldDigest(field, leftFields[index]) !== fieldDigest(field, rightFields[index]));
}

/** Earlier ones are longer, and written out for usual fields too. */
function fieldDigest(field: FingerprintField, written = ''): string {
  return written === '' ? shortDigest(USUAL_REQUEST[field]) : written.slice(0, FIELD_CHARACTERS);
}

function preparedOf(request: SubmitRequest): Prepared {
  const fingerprint = request.idempotencyKey === null ? null : fingerprintOf(request);
  return { request, fingerprint, storedBytes: storedBytesOf({ payloadJson: request.payloadJson, resultJson: null }) };
}

export async function submit(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  requests: readonly SubmitRequest[],
  allOrNothing: boolean,
): Promise<readonly SubmitOutcome[]> {
  const prepared = requests.map(preparedOf);
  if (allOrNothing) refuseSelfConflict(prepared);
  return inScene(parts, tenant, caller, { weight: requests.length, isSubmission: true }, async (scene) => {
    const keyed = await KeyedJobs.read(scene.tx, tenant, requests);
    if (allOrNothing) {
      const refused = await refusedBatch(scene, keyed, prepared);
      if (refused !== null) return refused;
    }
    const outcomes: SubmitOutcome[] = [];
    for (const item of prepared) outcomes.push(await submitOne(parts, scene, keyed, item));
    return outcomes;
  });
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
async function refusedBatch(scene: Scene, keyed: KeyedJobs, prepared: readonly Prepared[]): Promise<readonly SubmitOutcome[] | null> {
  const planned: Planned = { waitingJobs: 0, storedBytes: 0, queues: new Set(), keys: new Set() };
  const refusals: (IdempotencyConflict | QuotaExceeded | null)[] = [];
  for (const item of prepared) {
    const known = findKnown(keyed, item);
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

function findKnown(keyed: KeyedJobs, { request, fingerprint }: Prepared): { readonly job: Job; readonly conflict: IdempotencyConflict | null } | null {
  const known = keyed.of(request);
  if (known === null || fingerprint === null) return null;
  const { job } = known;
  if (isSameRequest(known.fingerprint, fingerprint)) return { job, conflict: null };
  return { job, conflict: { code: 'IDEMPOTENCY_CONFLICT', existingJob: job, differingFields: differingFields(known.fingerprint, fingerprint) } };
}

async function submitOne(parts: OperationParts, scene: Scene, keyed: KeyedJobs, item: Prepared): Promise<SubmitOutcome> {
  const known = findKnown(keyed, item);
  if (known !== null && known.conflict !== null) return failed(known.conflict);
  if (known !== null) {
    scene.tx.tally.deduplicated += 1;
    return succeeded({ job: known.job, deduplicated: true });
  }
  const { tx, tenant, nowMs } = scene;
  const { queue } = item.request;
  const row = await findQueueRow(tx, tenant, queue);
  const exceeded = await quotaExceededBy(scene, { waitingJobs: 1, queues: row === null ? 1 : 0, storedBytes: item.storedBytes });
  if (exceeded !== null) return failed(exceeded);
  const job = newJob(parts, item.request, row ?? (await createQueueRow(tx, tenant, queue, nowMs)), nowMs);
  const { idempotencyKey } = item.request;
  await create(scene, job, idempotencyKey === null || item.fingerprint === null ? null : { key: idempotencyKey, fingerprint: item.fingerprint });
  return succeeded({ job, deduplicated: false });
}

function newJob(parts: OperationParts, request: SubmitRequest, queue: QueueRow, nowMs: number): Job {
  const { defaults } = queueOf(queue, parts.retention);
  const retryBaseSeconds = request.retryBaseSeconds ?? defaults.retryBaseSeconds;
  return {
    id: parts.newId(nowMs),
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
    idempotentUntilMs: request.idempotencyKey === null ? null : nowMs + LIMITS.idempotencyWindowSeconds * 1000,
  };
}
