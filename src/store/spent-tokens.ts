/** Looks up, in a job's ledger, which ended attempt a token belonged to. */
import type { AttemptOutcome, JobState, TenantId } from '../domain/job.ts';
import { equalDigests } from '../runtime/digest.ts';
import type { Scene } from './apply.ts';
import type { LocatedJob } from './rows.ts';
import { statement } from './statements.ts';

export interface SpentToken {
  readonly fence: number;
  readonly outcome: AttemptOutcome;
  readonly settledBy: 'complete' | 'fail' | 'release' | null;
  readonly settledTo: JobState;
  readonly retryAtMs: number | null;
}

const ENDED_WITH_TOKEN = statement((db, values: { readonly tenant: TenantId; readonly seq: number; readonly tokenDigest: string }) =>
  db
    .selectFrom('attempts')
    .select(['fence', 'token_hash', 'outcome', 'settled_by', 'settled_to', 'retry_at_ms'])
    .where('tenant_id', '=', values.tenant)
    .where('job_seq', '=', values.seq)
    // Narrows what is compared; what is compared is compared in constant time.
    .where('token_hash', '=', values.tokenDigest),
);

export async function findSpentToken({ tx, tenant }: Scene, { seq }: LocatedJob, tokenDigest: string): Promise<SpentToken | null> {
  await tx.newRows.write();
  const rows = await tx.session.all(ENDED_WITH_TOKEN, { tenant, seq, tokenDigest });
  const row = rows.find(({ token_hash }) => equalDigests(tokenDigest, token_hash));
  if (row === undefined) return null;
  return { fence: row.fence, outcome: row.outcome, settledBy: row.settled_by, settledTo: row.settled_to, retryAtMs: row.retry_at_ms };
}
