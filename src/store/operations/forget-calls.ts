/** Forgets calls to submit whose time to be repeated is over. */
import { LIMITS } from '../../domain/limits.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { FORGOTTEN_MAX, type ForgettingParts, forgetRows } from './forgetting.ts';

/** One step. True: there may be more. */
export async function forgetCalls(parts: ForgettingParts): Promise<boolean> {
  const old = await acrossTenants(parts.reads)
    .selectFrom('submission_calls')
    .select(['tenant_id', 'queue_name', 'request_id', 'at_ms'])
    .where('at_ms', '<=', parts.clock.nowMs() - LIMITS.idempotencyWindowSeconds * 1000)
    .orderBy('at_ms')
    .limit(FORGOTTEN_MAX)
    .execute();
  return forgetRows(parts, old, (db, { tenant_id, queue_name, request_id, at_ms }) =>
    db
      .deleteFrom('submission_calls')
      .where('tenant_id', '=', tenant_id)
      .where('queue_name', '=', queue_name)
      .where('request_id', '=', request_id)
      // A repeat may have kept it anew meanwhile.
      .where('at_ms', '=', at_ms)
      .execute(),
  );
}
