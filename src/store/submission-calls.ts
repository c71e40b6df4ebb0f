/** Calls that submitted jobs under a request id: which of their items became which jobs, so that a repeat is answered with them. */
import type { Job, TenantId } from '../domain/job.ts';
import { inBlocks } from './blocks.ts';
import { type JobSeqs, seqsOf } from './job-seqs.ts';
import { type JobRow, jobOf } from './rows.ts';
import { perCount, statement } from './statements.ts';
import type { Tx } from './transaction.ts';

export interface SubmissionCallTable {
  readonly tenant_id: TenantId;
  readonly request_id: string;
  readonly fingerprint: string;
  /** As job-seqs.ts writes them. */
  readonly jobs: string;
  readonly at_ms: number;
}

/** What is kept of a call, with the jobs that it made and that are stored still. */
export interface KnownCall {
  readonly fingerprint: string;
  readonly seqs: JobSeqs;
  readonly jobs: ReadonlyMap<number, Job>;
}

interface Place {
  readonly tenant: TenantId;
  readonly requestId: string;
}

const CALL = statement((db, values: Place) =>
  db.selectFrom('submission_calls').select(['fingerprint', 'jobs']).where('tenant_id', '=', values.tenant).where('request_id', '=', values.requestId),
);

/** The values are the tenant and the numbers. */
const jobsBySeq = perCount((count) =>
  statement((db, values: readonly (TenantId | number)[]) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('tenant_id', '=', values[0] as TenantId)
      .where(
        'seq',
        'in',
        Array.from({ length: count }, (_, index) => values[index + 1] as number),
      ),
  ),
);

/** Null where the tenant's log knows of no such call. One that this transaction has made is known. */
export async function findCall(tx: Tx, place: Place): Promise<KnownCall | null> {
  if (tx.newRows.hasCall(place.tenant, place.requestId)) await tx.newRows.write();
  const row = await tx.session.first(CALL, place);
  if (row === null) return null;
  const seqs = seqsOf(row.jobs);
  const jobs = new Map<number, Job>();
  for (const block of inBlocks(seqs.filter((seq) => seq !== null)))
    for (const found of (await tx.session.all(jobsBySeq(block.length), [place.tenant, ...block])) as readonly JobRow[]) jobs.set(found.seq, jobOf(found));
  return { fingerprint: row.fingerprint, seqs, jobs };
}
