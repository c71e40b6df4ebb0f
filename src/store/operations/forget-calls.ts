/** Forgets calls to submit whose time to be repeated is over. */
import type { Kysely } from 'kysely';
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import type { Writer } from '../transaction.ts';

/** In one step. */
const CALLS_MAX = 200;

interface ForgettingParts {
  readonly writer: Writer;
  readonly clock: Clock;
  /** For looking, beside the writer. */
  readonly reads: Kysely<Tables>;
}

/** One step. True: there may be more. */
export async function forgetCalls({ writer, reads, clock }: ForgettingParts): Promise<boolean> {
  const old = await acrossTenants(reads)
    .selectFrom('submission_calls')
    .select(['tenant_id', 'queue_name', 'request_id', 'at_ms'])
    .where('at_ms', '<=', clock.nowMs() - LIMITS.idempotencyWindowSeconds * 1000)
    .orderBy('at_ms')
    .limit(CALLS_MAX)
    .execute();
  if (old.length === 0) return false;
  await writer.write(
    async ({ db }) => {
      for (const { tenant_id, queue_name, request_id, at_ms } of old)
        await db
          .deleteFrom('submission_calls')
          .where('tenant_id', '=', tenant_id)
          .where('queue_name', '=', queue_name)
          .where('request_id', '=', request_id)
          .where('at_ms', '=', at_ms)
          .execute();
    },
    { weight: old.length },
  );
  return old.length === CALLS_MAX;
}
