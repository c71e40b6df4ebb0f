/** What an operator does to one job. */
import type { Action } from '../../domain/actions.ts';
import { failed, type InvalidTransition, type JobNotFound, type Outcome, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { move, type Scene } from '../apply.ts';
import { locateById } from '../locate.ts';
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
): Promise<Outcome<{ readonly job: Job }, Refusal>> {
  return inScene(parts, tenant, caller, 1, async (scene) => {
    const outcome = await act(parts, scene, jobId, { name: 'redrive', runAtMs: startMs(start, scene.nowMs), maxAttempts, payloadJson });
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

/** Locate, decide, apply: every verb of an operator, alone or in bulk. */
export async function act(parts: OperationParts, scene: Scene, jobId: string, action: Action): Promise<Outcome<Job, Refusal>> {
  const located = await locateById(scene.tx, scene.tenant, jobId);
  if (located === null) return failed({ code: 'JOB_NOT_FOUND', jobId });
  const verdict = await judge(parts, scene, located, action, 'unknown_token');
  if (verdict.allowed) return succeeded(await move(scene, located, verdict, null, null));
  if (verdict.failure.code !== 'INVALID_TRANSITION') throw new Error(`an operator's verb was refused with ${verdict.failure.code}`);
  return failed(verdict.failure);
}
