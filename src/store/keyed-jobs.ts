/** The jobs that the idempotency keys of a batch stand for, read together: one by one they cost three times as much. */
import type { Job, TenantId } from '../domain/job.ts';
import { inBlocks } from './blocks.ts';
import { jobOf } from './rows.ts';
import { perCount, statement } from './statements.ts';
import type { Tx } from './transaction.ts';

export interface KeyPlace {
  readonly queue: string;
  /** Null: the request has none. */
  readonly idempotencyKey: string | null;
}

/** A job that a key stands for, and what is known of the request that made it. */
export interface KeyedJob {
  readonly job: Job;
  readonly fingerprint: string;
}

/** The values are the tenant, the queue and the keys. */
const jobsByKey = perCount((count) =>
  statement((db, values: readonly string[]) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('tenant_id', '=', values[0] as TenantId)
      .where('queue_name', '=', values[1] ?? '')
      .where(
        'idempotency_key',
        'in',
        Array.from({ length: count }, (_, index) => values[index + 2] ?? ''),
      ),
  ),
);

/** What is known of keys in one operation. */
export class KeyedJobs {
  readonly #tx: Tx;
  readonly #tenant: TenantId;
  readonly #found = new Map<string, KeyedJob>();

  private constructor(tx: Tx, tenant: TenantId) {
    [this.#tx, this.#tenant] = [tx, tenant];
  }

  static async read(tx: Tx, tenant: TenantId, places: readonly KeyPlace[]): Promise<KeyedJobs> {
    const jobs = new KeyedJobs(tx, tenant);
    for (const [queue, keys] of keysByQueue(places)) await jobs.#read(queue, keys);
    return jobs;
  }

  /** Of the jobs that the transaction has made, too. Null where the key is not known. */
  of({ queue, idempotencyKey: key }: KeyPlace): KeyedJob | null {
    if (key === null) return null;
    const made = this.#tx.newRows.jobOfKey(this.#tenant, queue, key);
    if (made !== null) return { job: made.job, fingerprint: made.row.fingerprint ?? '' };
    return this.#found.size === 0 ? null : (this.#found.get(`${queue}\n${key}`) ?? null);
  }

  async #read(queue: string, keys: readonly string[]): Promise<void> {
    for (const block of inBlocks(keys)) {
      const rows = await this.#tx.session.all(jobsByKey(block.length), [this.#tenant, queue, ...block]);
      for (const row of rows) this.#found.set(`${queue}\n${row.idempotency_key}`, { job: jobOf(row), fingerprint: row.fingerprint ?? '' });
    }
  }
}

function keysByQueue(places: readonly KeyPlace[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { queue, idempotencyKey } of places) {
    if (idempotencyKey === null) continue;
    const ofQueue = keys.get(queue);
    if (ofQueue === undefined) keys.set(queue, [idempotencyKey]);
    else ofQueue.push(idempotencyKey);
  }
  return keys;
}
