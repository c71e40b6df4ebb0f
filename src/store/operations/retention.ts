/** Removes what has been kept long enough, a few rows at a time, so that no claim waits for it. */
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { erase, erasePurgedEvents, type Scene, SERVER } from '../apply.ts';
import { locatedOf } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import type { Tx } from '../transaction.ts';
import type { OperationParts } from './facts.ts';
import { forgetCalls } from './forget-calls.ts';
import { forgetTrends } from './forget-trends.ts';
import { FORGOTTEN_MAX, forgetRows } from './forgetting.ts';
import { moveSeriesOn } from './series-upkeep.ts';

/** A worker that was not heard of for a day and holds nothing is forgotten. */
const WORKER_KEPT_MS = 86_400_000;

/** A step that takes longer stops between two jobs: big payloads, long histories or a slow disk make some jobs dear. */
const STEP_MS_MAX = 5;

interface RetentionParts extends OperationParts {
  /** For looking, in tables that are not read in the order of time, at what may go. */
  readonly reads: Kysely<Tables>;
}

/** One step over all tenants; call again after a pause while `hasMore`. */
export async function retain(parts: RetentionParts): Promise<{ readonly removed: number; readonly hasMore: boolean }> {
  const step = await parts.writer.write(
    async (tx, nowMs) => {
      const jobs = await eraseJobs(tx, parts.clock, nowMs);
      const events = await eraseOldPurges(tx, nowMs, parts.retention.completedSeconds);
      return { removed: jobs.removed + events, hasMore: jobs.hasMore || events > 0 };
    },
    { weight: LIMITS.purgeJobsPerStepMax },
  );
  if (step.hasMore) return step;
  const more = [await moveSeriesOn(parts), await forgetWorkers(parts), await forgetActions(parts), await forgetTrends(parts), await forgetCalls(parts)];
  return { ...step, hasMore: more.includes(true) };
}

async function eraseJobs(tx: Tx, clock: Clock, nowMs: number): Promise<{ readonly removed: number; readonly hasMore: boolean }> {
  const untilMs = clock.monotonicMs() + STEP_MS_MAX;
  const rows = await acrossTenants(tx.db)
    .selectFrom('jobs')
    .selectAll()
    .where('purge_at_ms', '<=', nowMs)
    .orderBy('purge_at_ms')
    .limit(LIMITS.purgeJobsPerStepMax)
    .execute();
  let removed = 0;
  for (const row of rows) {
    if (removed > 0 && clock.monotonicMs() >= untilMs) break;
    await erase(scene(tx, row.tenant_id, nowMs), locatedOf(row));
    removed += 1;
  }
  return { removed, hasMore: removed < rows.length || removed === LIMITS.purgeJobsPerStepMax };
}

/** The last word about a purged job stays as long as a finished job would. One tenant at a time. */
async function eraseOldPurges(tx: Tx, nowMs: number, keepSeconds: number): Promise<number> {
  if (keepSeconds === 0) return 0;
  const beforeMs = nowMs - keepSeconds * 1000;
  const oldest = await acrossTenants(tx.db)
    .selectFrom('events')
    .select('tenant_id')
    .where('kind', '=', sql.lit('PURGED'))
    .where('at_ms', '<=', beforeMs)
    .orderBy('at_ms')
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined ? 0 : erasePurgedEvents(scene(tx, oldest.tenant_id, nowMs), beforeMs, LIMITS.purgeJobsPerStepMax);
}

/** Workers that nobody asks for any more, once a round and not at every step. True: there may be more. */
async function forgetWorkers(parts: RetentionParts): Promise<boolean> {
  const seenBeforeMs = parts.clock.nowMs() - WORKER_KEPT_MS;
  const workers = await acrossTenants(parts.reads)
    .selectFrom('workers')
    .select(['tenant_id', 'id'])
    .where('running', '=', 0)
    .where('last_seen_at_ms', '<', seenBeforeMs)
    .limit(FORGOTTEN_MAX)
    .execute();
  return forgetRows(parts, workers, (db, { tenant_id, id }) =>
    db
      .deleteFrom('workers')
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('running', '=', 0)
      .where('last_seen_at_ms', '<', seenBeforeMs)
      .execute(),
  );
}

/** What operators did long ago, likewise. */
async function forgetActions(parts: RetentionParts): Promise<boolean> {
  const actions = await oldActions(parts.reads, parts.clock.nowMs() - LIMITS.operatorActionKeptSecondsMax * 1000);
  return forgetRows(parts, actions, (db, { tenant_id, seq }) =>
    db.deleteFrom('operator_actions').where('tenant_id', '=', tenant_id).where('seq', '=', seq).execute(),
  );
}

/** All but the latest of each tenant, which the number of the next one is counted from. */
function oldActions(reads: Kysely<Tables>, beforeMs: number): Promise<readonly { readonly tenant_id: TenantId; readonly seq: number }[]> {
  return acrossTenants(reads)
    .selectFrom('operator_actions as action')
    .select(['tenant_id', 'seq'])
    .where('at_ms', '<', beforeMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('operator_actions as later')
          .select('later.seq')
          .whereRef('later.tenant_id', '=', 'action.tenant_id')
          .whereRef('later.seq', '>', 'action.seq'),
      ),
    )
    .orderBy('at_ms')
    .limit(FORGOTTEN_MAX)
    .execute();
}

function scene(tx: Tx, tenant: TenantId, nowMs: number): Scene {
  return { tx, tenant, caller: SERVER, nowMs };
}
