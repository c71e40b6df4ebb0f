/** Submission: one job per request, or the job that the request's idempotency key already stands for. */
import { canonicalRequest, FINGERPRINT_FIELDS, fingerprintText, type SubmitRequest } from '../../domain/idempotency.ts';
import { type BatchRolledBack, failed, type IdempotencyConflict, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { digest } from '../../runtime/digest.ts';
import { create, type Scene } from '../apply.ts';
import { locateByIdempotencyKey } from '../locate.ts';
import { ensureQueueRow } from '../queue-rows.ts';
import { jobOf, queueOf } from '../rows.ts';
import type { SubmitOutcome } from '../answers.ts';
import type { Caller } from '../requests.ts';
import { InvalidRequest } from '../store.ts';
import { inScene, type OperationParts } from './facts.ts';
import { startMs } from './start.ts';

/** A submission ready for its transaction: nothing is hashed while others wait for the write lock. */
interface Prepared {
  readonly request: SubmitRequest;
  readonly fingerprint: string | null;
}

/** Digest of the whole, then a short digest per field that names what differs. */
function fingerprintOf(request: SubmitRequest): string {
  const canonical = canonicalRequest(request);
  const fields = FINGERPRINT_FIELDS.map((field) => digest(canonical[field]).slice(0, 10));
  return [digest(fingerprintText(canonical)), ...fields].join('.');
}

function differingFields(left: string, right: string): readonly string[] {
  const [, ...leftFields] = left.split('.');
  const [, ...rightFields] = right.split('.');
  return FINGERPRINT_FIELDS.filter((_field, index) => leftFields[index] !== rightFields[index]);
}

export async function submit(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  requests: readonly SubmitRequest[],
  allOrNothing: boolean,
): Promise<readonly SubmitOutcome[]> {
  const prepared = requests.map((request) => ({ request, fingerprint: request.idempotencyKey === null ? null : fingerprintOf(request) }));
  if (allOrNothing) refuseSelfConflict(prepared);
  return inScene(parts, tenant, caller, requests.length, async (scene) => {
    if (allOrNothing) {
      const refused = await refusedBatch(scene, prepared);
      if (refused !== null) return refused;
    }
    const outcomes: SubmitOutcome[] = [];
    for (const item of prepared) outcomes.push(await submitOne(parts, scene, item));
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

/** Null where every item of the batch can be stored. */
async function refusedBatch(scene: Scene, prepared: readonly Prepared[]): Promise<readonly SubmitOutcome[] | null> {
  const conflicts: (IdempotencyConflict | null)[] = [];
  for (const item of prepared) {
    const known = await findKnown(scene, item);
    conflicts.push(known === null || known.conflict === null ? null : known.conflict);
  }
  if (conflicts.every((conflict) => conflict === null)) return null;
  const rolledBack: BatchRolledBack = { code: 'BATCH_ROLLED_BACK' };
  return conflicts.map((conflict) => failed(conflict ?? rolledBack));
}

async function findKnown(
  { tx, tenant }: Scene,
  { request, fingerprint }: Prepared,
): Promise<{ readonly job: Job; readonly conflict: IdempotencyConflict | null } | null> {
  if (request.idempotencyKey === null || fingerprint === null) return null;
  const row = await locateByIdempotencyKey(tx, tenant, request.queue, request.idempotencyKey);
  if (row === null) return null;
  const job = jobOf(row);
  if (row.fingerprint === fingerprint) return { job, conflict: null };
  return { job, conflict: { code: 'IDEMPOTENCY_CONFLICT', existingJob: job, differingFields: differingFields(row.fingerprint ?? '', fingerprint) } };
}

async function submitOne(parts: OperationParts, scene: Scene, item: Prepared): Promise<SubmitOutcome> {
  const known = await findKnown(scene, item);
  if (known !== null && known.conflict !== null) return failed(known.conflict);
  if (known !== null) {
    scene.tx.tally.deduplicated += 1;
    return succeeded({ job: known.job, deduplicated: true });
  }
  const job = await newJob(parts, scene, item.request);
  const { idempotencyKey } = item.request;
  await create(scene, job, idempotencyKey === null || item.fingerprint === null ? null : { key: idempotencyKey, fingerprint: item.fingerprint });
  return succeeded({ job, deduplicated: false });
}

async function newJob(parts: OperationParts, scene: Scene, request: SubmitRequest): Promise<Job> {
  const { nowMs, tx, tenant } = scene;
  const { defaults } = queueOf(await ensureQueueRow(tx, tenant, request.queue, nowMs), parts.retention);
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
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    finishedAtMs: null,
    purgeAtMs: null,
    idempotentUntilMs: request.idempotencyKey === null ? null : nowMs + LIMITS.idempotencyWindowSeconds * 1000,
  };
}
