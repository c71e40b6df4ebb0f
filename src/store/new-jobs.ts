/**
 * Jobs that a transaction has made and not yet written, each with its first event. Written together they cost half of what
 * they cost one by one. Whoever reads jobs in the same transaction writes them first; a key is found among them too.
 */
import type { Job, TenantId } from '../domain/job.ts';
import { INSERT_EVENTS, INSERT_JOBS, INSERT_TAG } from './apply-statements.ts';
import type { Session } from './statements.ts';
import type { EventTable } from './tables.ts';
import type { NewJobRow } from './written-columns.ts';

export interface NewJob {
  readonly job: Job;
  readonly row: NewJobRow;
  /** Of the job's own number, which it gets when it is written, it knows nothing yet. */
  readonly event: Omit<EventTable, 'job_seq'>;
}

export class NewJobs {
  readonly #session: Session;
  #made: NewJob[] = [];
  readonly #byKey = new Map<string, NewJob>();

  constructor(session: Session) {
    this.#session = session;
  }

  get isEmpty(): boolean {
    return this.#made.length === 0;
  }

  add(made: NewJob): void {
    this.#made.push(made);
    const { tenant_id: tenant, queue_name: queue, idempotency_key: key } = made.row;
    if (key !== null) this.#byKey.set(placeOf(tenant, queue, key), made);
  }

  ofIdempotencyKey(tenant: TenantId, queue: string, key: string): NewJob | null {
    return this.#byKey.size === 0 ? null : (this.#byKey.get(placeOf(tenant, queue, key)) ?? null);
  }

  /** In the order in which they were made, which is the order in which they are claimed. */
  async write(): Promise<void> {
    const made = this.#made;
    if (made.length === 0) return;
    this.#made = [];
    this.#byKey.clear();
    const seqs: number[] = [];
    for (const { statement, values, rows } of INSERT_JOBS.inserts(made.map(({ row }) => row)))
      seqs.push(...(await this.#session.insert(statement, values, rows)));
    const events = made.map(({ event }, index): EventTable => ({ ...event, job_seq: seqs[index] ?? missing() }));
    for (const { statement, values } of INSERT_EVENTS.inserts(events)) await this.#session.change(statement, values);
    for (const [index, { job, row }] of made.entries())
      for (const tag of job.tags) await this.#session.change(INSERT_TAG, { tenant: row.tenant_id, ...tag, seq: seqs[index] ?? missing() });
  }
}

function placeOf(tenant: TenantId, queue: string, key: string): string {
  return `${tenant}\n${queue}\n${key}`;
}

function missing(): never {
  throw new Error('a job that was written has no number');
}
