/**
 * Moves the figures over time on: seconds into minutes, minutes into hours, and hours out, a few queues at a time. What
 * is moved is added and removed in one commit, so that sums over all of it are right however late upkeep comes.
 */
import { type Kysely, sql } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ACTIVITY_BUCKET_MS } from '../activity-tally.ts';
import type { Statement } from '../statements.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import type { Writer } from '../transaction.ts';
import { ADD_MINUTES_TO_HOURS, ADD_SECONDS_TO_QUEUE, ADD_SECONDS_TO_TENANT, DELETE_HOURS, DELETE_MINUTES, DELETE_SECONDS } from './series-statements.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Rates are shown over a minute, from the seconds. */
const SECONDS_KEPT_MS = MINUTE_MS + ACTIVITY_BUCKET_MS;
/** Queues of one step. */
const QUEUES_MAX = 50;
/** Rows that are looked at to find them: a queue may have a few. */
const ROWS_MAX = 500;
/** A step that takes longer stops between two queues. */
const STEP_MS_MAX = 5;

interface UpkeepParts {
  readonly writer: Writer;
  readonly clock: Clock;
  /** For looking, beside the writer, at what is old. */
  readonly reads: Kysely<Tables>;
}
interface Place {
  readonly tenant: TenantId;
  readonly queue: string;
}
type MoveOn = Statement<Place & { readonly beforeMs: number }, unknown>;

/** One step of what is due. True: call again, there may be more. */
export async function moveSeriesOn(parts: UpkeepParts): Promise<boolean> {
  const nowMs = parts.clock.nowMs();
  // Whole minutes and hours, so that each is moved once.
  const secondsBeforeMs = startOf(nowMs - SECONDS_KEPT_MS, MINUTE_MS);
  const minutesBeforeMs = startOf(nowMs - LIMITS.seriesMinutesKeptSeconds * 1_000, HOUR_MS);
  const hoursBeforeMs = startOf(nowMs - LIMITS.seriesHoursKeptSeconds * 1_000, HOUR_MS);
  return (
    (await move(parts, await oldSeconds(parts, secondsBeforeMs), secondsBeforeMs, [ADD_SECONDS_TO_QUEUE, ADD_SECONDS_TO_TENANT, DELETE_SECONDS])) ||
    (await move(parts, await oldRows(parts, 60, minutesBeforeMs), minutesBeforeMs, [ADD_MINUTES_TO_HOURS, DELETE_MINUTES])) ||
    (await move(parts, await oldRows(parts, 3600, hoursBeforeMs), hoursBeforeMs, [DELETE_HOURS]))
  );
}

function startOf(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}

/** True where there was anything to move. */
async function move({ writer, clock }: UpkeepParts, places: readonly Place[], beforeMs: number, moves: readonly MoveOn[]): Promise<boolean> {
  if (places.length === 0) return false;
  const taken = places.slice(0, QUEUES_MAX);
  await writer.write(
    async ({ session }) => {
      const untilMs = clock.monotonicMs() + STEP_MS_MAX;
      for (const place of taken) {
        for (const one of moves) await session.change(one, { ...place, beforeMs });
        if (clock.monotonicMs() >= untilMs) return;
      }
    },
    { weight: taken.length },
  );
  return true;
}

async function oldSeconds({ reads }: UpkeepParts, beforeMs: number): Promise<readonly Place[]> {
  return acrossTenants(reads)
    .selectFrom('queue_activity')
    .select(['tenant_id as tenant', 'queue_name as queue'])
    .where('bucket_ms', '<', beforeMs)
    .distinct()
    .limit(QUEUES_MAX)
    .execute();
}

async function oldRows({ reads }: UpkeepParts, stepSeconds: 60 | 3600, beforeMs: number): Promise<readonly Place[]> {
  const rows = await acrossTenants(reads)
    .selectFrom('queue_series')
    .select(['tenant_id as tenant', 'queue_name as queue'])
    .where('step_seconds', '=', sql.lit(stepSeconds))
    .where('bucket_ms', '<', beforeMs)
    .orderBy('bucket_ms')
    .limit(ROWS_MAX)
    .execute();
  return [...new Map(rows.map((row) => [`${row.tenant}\n${row.queue}`, row])).values()];
}
