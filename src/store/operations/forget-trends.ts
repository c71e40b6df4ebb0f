/** Removes hours of the trends of dead letters that are older than anybody looks back. */
import { acrossTenants } from '../tenant-guard.ts';
import { FORGOTTEN_MAX, type ForgettingParts, forgetRows } from './forgetting.ts';

/** The day that a trend shows, and a week for whoever looks into the database. */
const KEPT_MS = 8 * 86_400_000;

/** One step. True: there may be more. */
export async function forgetTrends(parts: ForgettingParts): Promise<boolean> {
  const old = await acrossTenants(parts.reads)
    .selectFrom('dead_group_activity')
    .select(['tenant_id', 'group_id', 'bucket_ms'])
    .where('bucket_ms', '<', parts.clock.nowMs() - KEPT_MS)
    .orderBy('bucket_ms')
    .limit(FORGOTTEN_MAX)
    .execute();
  return forgetRows(parts, old, (db, { tenant_id, group_id, bucket_ms }) =>
    db.deleteFrom('dead_group_activity').where('tenant_id', '=', tenant_id).where('group_id', '=', group_id).where('bucket_ms', '=', bucket_ms).execute(),
  );
}
