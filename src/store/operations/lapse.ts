/** Ends a lease before its time, as its end would: what follows the crash of a worker, on demand. */
import type { TenantId } from '../../domain/job.ts';
import { move, SERVER } from '../apply.ts';
import { locateById } from '../locate.ts';
import type { LocatedJob } from '../rows.ts';
import { inScene, judge, type OperationParts } from './facts.ts';

/** False where the job is unknown or does not run. */
export function lapse(parts: OperationParts, tenant: TenantId, jobId: string): Promise<boolean> {
  return inScene(parts, tenant, SERVER, {}, async (scene) => {
    const located = await locateById(scene.tx, tenant, jobId);
    const lapsed = located === null ? null : lapsedAt(located, scene.nowMs);
    if (lapsed === null) return false;
    const verdict = await judge(parts, scene, lapsed, { name: 'expire' }, 'unknown_token');
    if (!verdict.allowed) throw new Error(`the lease of job ${jobId} cannot expire`);
    await move(scene, lapsed, verdict, null, null);
    return true;
  });
}

/** As if its lease had been granted until now. */
function lapsedAt(located: LocatedJob, nowMs: number): LocatedJob | null {
  const { job } = located;
  return job.lease === null ? null : { ...located, job: { ...job, lease: { ...job.lease, expiresAtMs: nowMs } } };
}
