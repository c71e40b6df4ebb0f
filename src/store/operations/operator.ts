/** What an operator does to one job. */
import type { Action, ActionOf } from '../../domain/actions.ts';
import type { Verdict } from '../../domain/decide.ts';
import { failed, type InvalidTransition, type JobNotFound, type Outcome, type QuotaExceeded, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { move, type Scene, storedBytesOf } from '../apply.ts';
import { type NewAction, recordAction } from '../audit-log.ts';
import { locateById } from '../locate.ts';
import { quotaExceededBy } from '../quotas.ts';
import type { LocatedJob } from '../rows.ts';
import type { Cancelled } from '../answers.ts';
import type { CancelRequest, Caller, RedriveRequest, RescheduleRequest } from '../requests.ts';
import { InvalidRequest } from '../store.ts';
import { inScene, judge, type OperationParts } from './facts.ts';
import { withHiddenValues } from './redaction.ts';
import { startMs } from './start.ts';

type Refusal = InvalidTransition | JobNotFound;

export function cancel(parts: OperationParts, tenant: TenantId, caller: Caller, { jobId, reason, force }: CancelRequest): Promise<Outcome<Cancelled, Refusal>> {
  return inScene(parts, tenant, caller, {}, async (scene) => {
    const outcome = await actOnOne(parts, scene, jobId, { name: 'cancel', reason, force }, { kind: 'cancel_job', asked: force ? { force } : {}, reason });
    return outcome.ok ? succeeded({ job: outcome.value, finished: outcome.value.state === 'cancelled' }) : outcome;
  });
}

export async function redrive(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  { jobId, start, maxAttempts, payloadJson }: RedriveRequest,
): Promise<Outcome<{ readonly job: Job }, Refusal | QuotaExceeded>> {
  const outcome = await inScene(parts, tenant, caller, {}, async (scene) => {
    const edited = await withHiddenValues(scene, jobId, payloadJson);
    if ('issues' in edited) return edited;
    const redriven = await redriveOne(parts, scene, jobId, { name: 'redrive', runAtMs: startMs(start, scene.nowMs), maxAttempts, ...edited });
    if (!redriven.ok) return redriven;
    await record(scene, redriven.value, { kind: 'redrive_job', asked: payloadJson === null ? {} : { payload: 'replaced' }, reason: null });
    return succeeded({ job: redriven.value });
  });
  // Thrown here and not inside: a transaction that fails makes those that share it run again, each in one of its own.
  if ('issues' in outcome) throw new InvalidRequest(outcome.issues);
  return outcome;
}

export function reschedule(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  { jobId, start, priority }: RescheduleRequest,
): Promise<Outcome<{ readonly job: Job }, Refusal>> {
  return inScene(parts, tenant, caller, {}, async (scene) => {
    const action = { name: 'reschedule', runAtMs: startMs(start, scene.nowMs), priority } as const;
    const outcome = await actOnOne(parts, scene, jobId, action, { kind: 'reschedule_job', asked: priority === null ? {} : { priority }, reason: null });
    return outcome.ok ? succeeded({ job: outcome.value }) : outcome;
  });
}

/** Locate, decide, apply: every verb of an operator that quotas do not concern, alone or in bulk. */
export async function act(parts: OperationParts, scene: Scene, jobId: string, action: Action): Promise<Outcome<Job, Refusal>> {
  const judged = await judgedJob(parts, scene, jobId, action);
  return judged.ok ? succeeded(await move(scene, judged.value.located, judged.value.verdict, null, null)) : judged;
}

interface Recording extends Pick<NewAction, 'kind' | 'reason'> {
  /** What the call said beside the job. */
  readonly asked: NewAction['target'];
}

function record(scene: Scene, { id, queue }: Job, { kind, asked, reason }: Recording): Promise<unknown> {
  return recordAction(scene, { kind, target: { jobId: id, queue, ...asked }, changed: 1, skipped: 0, reason });
}

/** The same for a call about this job alone, which is written down where it changes anything. */
async function actOnOne(parts: OperationParts, scene: Scene, jobId: string, action: Action, recording: Recording): Promise<Outcome<Job, Refusal>> {
  const judged = await judgedJob(parts, scene, jobId, action);
  if (!judged.ok) return judged;
  const { located, verdict } = judged.value;
  const job = await move(scene, located, verdict, null, null);
  if (verdict.events.length > 0) await record(scene, job, recording);
  return succeeded(job);
}

/** The same for a redrive, which makes one more job wait, perhaps with a larger payload. */
export async function redriveOne(
  parts: OperationParts,
  scene: Scene,
  jobId: string,
  action: ActionOf<'redrive'>,
): Promise<Outcome<Job, Refusal | QuotaExceeded>> {
  const judged = await judgedJob(parts, scene, jobId, action);
  if (!judged.ok) return judged;
  const { located, verdict } = judged.value;
  const grown = storedBytesOf({ ...located.job, ...verdict.patch }) - storedBytesOf(located.job);
  const exceeded = await quotaExceededBy(scene, { waitingJobs: 1, queues: 0, storedBytes: grown });
  return exceeded === null ? succeeded(await move(scene, located, verdict, null, null)) : failed(exceeded);
}

interface Judged {
  readonly located: LocatedJob;
  readonly verdict: Extract<Verdict, { readonly allowed: true }>;
}

async function judgedJob(parts: OperationParts, scene: Scene, jobId: string, action: Action): Promise<Outcome<Judged, Refusal>> {
  const located = await locateById(scene.tx, scene.tenant, jobId);
  if (located === null) return failed({ code: 'JOB_NOT_FOUND', jobId });
  const verdict = await judge(parts, scene, located, action, 'unknown_token');
  if (verdict.allowed) return succeeded({ located, verdict });
  if (verdict.failure.code !== 'INVALID_TRANSITION') throw new Error(`an operator's verb was refused with ${verdict.failure.code}`);
  return failed(verdict.failure);
}
