/** Removes hours of the trends of dead letters that are older than anybody looks back. */
import type { Kysely } from 'kysely';
import type { Clock } from '../../runtime/clock.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import type { Writer } from '../transaction.ts';

/** The day that a trend shows, and a week for whoever looks into the database. */
const KEPT_MS = 8 * 86_400_000;
/** In one step. */
const HOURS_MAX = 200;

interface ForgettingParts {
  readonly writer: Writer;
  readonly clock: Clock;
  /** For looking, beside the writer. */
  readonly reads: Kysely<Tables>;
}

/** One step. True: there may be more. */
export async function forgetTrends({ writer, reads, clock }: ForgettingParts): Promise<boolean> {
  const old = await acrossTenants(reads)
    .selectFrom('dead_group_activity')
    .select(['tenant_id', 'group_id', 'bucket_ms'])
    .where('bucket_ms', '<', clock.nowMs() - KEPT_MS)
    .orderBy('bucket_ms')
    .limit(HOURS_MAX)
    .execute();
  if (old.length === 0) return false;
  await writer.write(
    async ({ db }) => {
      for (const { tenant_id, group_id, bucket_ms } of old)
        await db
          .deleteFrom('dead_group_activity')
          .where('tenant_id', '=', tenant_id)
          .where('group_id', '=', group_id)
          .where('bucket_ms', '=', bucket_ms)
          .execute();
    },
    { weight: old.length },
  );
  return old.length === HOURS_MAX;
}
