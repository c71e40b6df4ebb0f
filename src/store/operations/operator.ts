/** What an operator does to one job. */
import type { Action, ActionOf } from '../../domain/actions.ts';
import type { Verdict } from '../../domain/decide.ts';
import { failed, type InvalidTransition, type JobNotFound, type Outcome, type QuotaExceeded, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { move, type Scene, storedBytesOf } from '../apply.ts';
import { locateById } from '../locate.ts';
import { quotaExceededBy } from '../quotas.ts';
import type { LocatedJob } from '../rows.ts';
import type { Cancelled } from '../answers.ts';
import type { CancelRequest, Caller, RedriveRequest, RescheduleRequest } from '../requests.ts';
import { inScene, judge, type OperationParts } from './facts.ts';
import { startMs } from './start.ts';

type Refusal = InvalidTransition | JobNotFound;

export function cancel(parts: OperationParts, tenant: TenantId, caller: Caller, { jobId, reason, force }: CancelRequest): Promise<Outcome<Cancelled, Refusal>> {
  return inScene(parts, tenant, caller, 1, async (scene) => {
    const outcome = await act(parts, scene, jobId, { name: 'cancel', reason, force });
    return outcome.ok ? succeeded({ job: outcome.value, finished: outcome.value.state === 'cancelled' }) : outcome;
  });
}

export function redrive(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  { jobId, start, maxAttempts, payloadJson }: RedriveRequest,
): Promise<Outcome<{ readonly job: Job }, Refusal | QuotaExceeded>> {
  return inScene(parts, tenant, caller, 1, async (scene) => {
    const outcome = await redriveOne(parts, scene, jobId, { name: 'redrive', runAtMs: startMs(start, scene.nowMs), maxAttempts, payloadJson });
    return outcome.ok ? succeeded({ job: outcome.value }) : outcome;
  });
}

export function reschedule(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  { jobId, start, priority }: RescheduleRequest,
): Promise<Outcome<{ readonly job: Job }, Refusal>> {
  return inScene(parts, tenant, caller, 1, async (scene) => {
    const outcome = await act(parts, scene, jobId, { name: 'reschedule', runAtMs: startMs(start, scene.nowMs), priority });
    return outcome.ok ? succeeded({ job: outcome.value }) : outcome;
  });
}

/** Locate, decide, apply: every verb of an operator that quotas do not concern, alone or in bulk. */
export async function act(parts: OperationParts, scene: Scene, jobId: string, action: Action): Promise<Outcome<Job, Refusal>> {
  const judged = await judgedJob(parts, scene, jobId, action);
  return judged.ok ? succeeded(await move(scene, judged.value.located, judged.value.verdict, null, null)) : judged;
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
