/** Calls that submitted jobs under a request id: which of their items became which jobs, so that a repeat is answered with them. */
import type { Job, TenantId } from '../domain/job.ts';
import { inBlocks } from './blocks.ts';
import { type JobSeqs, seqsOf } from './job-seqs.ts';
import { type JobRow, jobOf } from './rows.ts';
import { perCount, statement } from './statements.ts';
import type { Tx } from './transaction.ts';

export interface SubmissionCallTable {
  readonly tenant_id: TenantId;
  /** Of its first item: who may not know of a queue does not learn what was called there. */
  readonly queue_name: string;
  readonly request_id: string;
  readonly fingerprint: string;
  /** Named by the jobs that it made, whose own numbers are given away anew once they are purged. Place in the log of the first event of the first. */
  readonly call_seq: number;
  /** As job-seqs.ts writes them. */
  readonly jobs: string;
  readonly at_ms: number;
}

/** By what a call is found again. */
export interface CallPlace {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly requestId: string;
}

export interface CallMark {
  readonly fingerprint: string;
  readonly callSeq: number;
  readonly atMs: number;
}

/** What is kept of a call, with the jobs that it made and that are stored still. */
export interface KnownCall {
  readonly fingerprint: string;
  readonly callSeq: number;
  readonly seqs: JobSeqs;
  readonly jobs: ReadonlyMap<number, Job>;
}

const CALL = statement((db, values: CallPlace) =>
  db
    .selectFrom('submission_calls')
    .select(['fingerprint', 'call_seq', 'jobs'])
    .where('tenant_id', '=', values.tenant)
    .where('queue_name', '=', values.queue)
    .where('request_id', '=', values.requestId),
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

/** Null where no such call is known. One that this transaction has made is. */
export async function findCall(tx: Tx, place: CallPlace): Promise<KnownCall | null> {
  if (tx.newRows.hasCall(place)) await tx.newRows.write();
  const row = await tx.session.first(CALL, place);
  if (row === null) return null;
  const { fingerprint, call_seq: callSeq } = row;
  const seqs = seqsOf(row.jobs);
  const jobs = new Map<number, Job>();
  for (const block of inBlocks(seqs.filter((seq) => seq !== null))) {
    const found: readonly JobRow[] = await tx.session.all(jobsBySeq(block.length), [place.tenant, ...block]);
    for (const job of found) if (job.call_seq === callSeq) jobs.set(job.seq, jobOf(job));
  }
  return { fingerprint, callSeq, seqs, jobs };
}
