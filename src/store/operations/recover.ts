/** Puts a queue right before anybody looks at it: lapsed leases are recovered, delayed jobs that fell due are let in. */
import { LIMITS } from '../../domain/limits.ts';
import { move, promote, type Scene, SERVER } from '../apply.ts';
import { locateLapsed, nextAppointmentMs } from '../locate.ts';
import { judge, type OperationParts } from './facts.ts';

export interface PutRight {
  readonly expired: number;
  readonly promoted: number;
  /** True: a limit of this step was reached. */
  readonly hasMore: boolean;
}

/** Each lapse is recorded once, wherever it is noticed, as of now. Bounded; call again while `hasMore`. */
export async function putRight(parts: OperationParts, scene: Scene, queue: string): Promise<PutRight> {
  const appointmentMs = await nextAppointmentMs(scene.tx, scene.tenant, queue);
  if (appointmentMs === null || appointmentMs > scene.nowMs) return { expired: 0, promoted: 0, hasMore: false };
  const lapsed = await locateLapsed(scene.tx, scene.tenant, queue, scene.nowMs, LIMITS.recoverJobsPerStepMax);
  const server: Scene = { ...scene, caller: SERVER };
  for (const located of lapsed) {
    const verdict = await judge(parts, server, located, { name: 'expire' }, 'unknown_token');
    if (!verdict.allowed) throw new Error(`the lapsed lease of job ${located.job.id} cannot expire`);
    await move(server, located, verdict, null, null);
  }
  const promoted = await promote(server, queue, LIMITS.promoteJobsPerStepMax);
  return { expired: lapsed.length, promoted, hasMore: lapsed.length === LIMITS.recoverJobsPerStepMax || promoted === LIMITS.promoteJobsPerStepMax };
}
