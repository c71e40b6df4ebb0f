/** Removes what has been kept long enough, a few jobs at a time, so that no claim waits for it. */
import { sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { erase, erasePurgedEvents, type Scene, SERVER } from '../apply.ts';
import { locatedOf } from '../rows.ts';
import { ACTIVITY_BUCKET_MS } from '../tally.ts';
import type { Tx } from '../transaction.ts';
import type { OperationParts } from './facts.ts';

/** Rates are shown over a minute; what is older has no reader. */
const ACTIVITY_KEPT_MS = 120_000;
/** A worker that was not heard of for a day and holds nothing is forgotten. */
const WORKER_KEPT_MS = 86_400_000;

/** One step over all tenants; call again after a pause while `hasMore`. */
export function retain({ writer, retention }: OperationParts): Promise<{ readonly removed: number; readonly hasMore: boolean }> {
  return writer.write(async (tx, nowMs) => {
    const jobs = await eraseJobs(tx, nowMs);
    const events = await eraseOldPurges(tx, nowMs, retention.completedSeconds);
    const hasMore = jobs === LIMITS.purgeJobsPerStepMax || events > 0;
    if (!hasMore) await forget(tx, nowMs);
    return { removed: jobs + events, hasMore };
  }, LIMITS.purgeJobsPerStepMax);
}

async function eraseJobs(tx: Tx, nowMs: number): Promise<number> {
  const rows = await tx.db.selectFrom('jobs').selectAll().where('purge_at_ms', '<=', nowMs).orderBy('purge_at_ms').limit(LIMITS.purgeJobsPerStepMax).execute();
  for (const row of rows) await erase(scene(tx, row.tenant_id, nowMs), locatedOf(row));
  return rows.length;
}

/** The last word about a purged job stays as long as a finished job would. One tenant at a time. */
async function eraseOldPurges(tx: Tx, nowMs: number, keepSeconds: number): Promise<number> {
  if (keepSeconds === 0) return 0;
  const beforeMs = nowMs - keepSeconds * 1000;
  const oldest = await tx.db
    .selectFrom('events')
    .select('tenant_id')
    .where('kind', '=', sql.lit('PURGED'))
    .where('at_ms', '<=', beforeMs)
    .orderBy('at_ms')
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined ? 0 : erasePurgedEvents(scene(tx, oldest.tenant_id, nowMs), beforeMs, LIMITS.purgeJobsPerStepMax);
}

/** Reads two small tables from end to end, so once a round and not at every step. */
async function forget({ db }: Tx, nowMs: number): Promise<void> {
  await db
    .deleteFrom('queue_activity')
    .where('bucket_ms', '<', nowMs - ACTIVITY_KEPT_MS - ACTIVITY_BUCKET_MS)
    .execute();
  await db
    .deleteFrom('workers')
    .where('running', '=', 0)
    .where('last_seen_at_ms', '<', nowMs - WORKER_KEPT_MS)
    .execute();
}

function scene(tx: Tx, tenant: TenantId, nowMs: number): Scene {
  return { tx, tenant, caller: SERVER, nowMs };
}
