/**
 * Rows that a transaction has made and not yet written: new jobs and the calls that made them, events, and ended attempts.
 * Together they cost half of what they cost one by one. Whoever reads such rows in the same transaction writes them first; an
 * idempotency key is found among them too.
 */
import type { Job, TenantId } from '../domain/job.ts';
import { INSERT_ATTEMPTS, INSERT_EVENTS, INSERT_JOBS, INSERT_TAG, KEEP_CALL } from './apply-statements.ts';
import { textOf } from './job-seqs.ts';
import type { Session } from './statements.ts';
import type { CallMark, CallPlace } from './submission-calls.ts';
import type { AttemptTable, EventTable } from './tables.ts';
import type { NewJobRow } from './written-columns.ts';

/** With its first event. */
export interface NewJob {
  readonly job: Job;
  readonly row: NewJobRow;
  readonly event: Omit<EventTable, 'job_seq'>;
  /** Null until it is written. */
  seq: number | null;
}

/** A call that may be repeated, or one that was, with what it made now. */
export interface NewCall extends CallPlace, CallMark {
  /** By the places of its items: a job that it made, the number of one that an earlier try made, or null. */
  readonly jobs: readonly (NewJob | number | null)[];
}

export class NewRows {
  readonly #session: Session;
  #jobs: NewJob[] = [];
  #events: EventTable[] = [];
  #attempts: AttemptTable[] = [];
  readonly #calls = new Map<string, NewCall>();
  readonly #byKey = new Map<string, NewJob>();

  constructor(session: Session) {
    this.#session = session;
  }

  addJob(made: NewJob): void {
    this.#jobs.push(made);
    const { tenant_id: tenant, queue_name: queue, idempotency_key: key } = made.row;
    if (key !== null) this.#byKey.set(placeOf(tenant, queue, key), made);
  }

  /** Of a job that is written already. */
  addEvent(event: EventTable): void {
    this.#events.push(event);
  }

  addAttempt(attempt: AttemptTable): void {
    this.#attempts.push(attempt);
  }

  /** After its jobs. */
  addCall(call: NewCall): void {
    this.#calls.set(placeOf(call.tenant, call.queue, call.requestId), call);
  }

  hasCall({ tenant, queue, requestId }: CallPlace): boolean {
    return this.#calls.size > 0 && this.#calls.has(placeOf(tenant, queue, requestId));
  }

  jobOfKey(tenant: TenantId, queue: string, key: string): NewJob | null {
    return this.#byKey.size === 0 ? null : (this.#byKey.get(placeOf(tenant, queue, key)) ?? null);
  }

  /** In the order in which they were made: of jobs it is the order in which they are claimed. */
  async write(): Promise<void> {
    if (this.#jobs.length > 0) await this.#writeJobs();
    if (this.#attempts.length > 0) await this.#writeAttempts();
    if (this.#events.length > 0) await this.#writeEvents();
  }

  async #writeJobs(): Promise<void> {
    const made = this.#jobs;
    this.#jobs = [];
    this.#byKey.clear();
    const numbers: number[] = [];
    for (const { statement, values, rows } of INSERT_JOBS.inserts(made.map(({ row }) => row)))
      numbers.push(...(await this.#session.insert(statement, values, rows)));
    for (const [index, one] of made.entries()) {
      const seq = numbers[index];
      if (seq === undefined) throw new Error('a job that was written has no number');
      one.seq = seq;
      this.#events.push({ ...one.event, job_seq: seq });
      for (const tag of one.job.tags) await this.#session.change(INSERT_TAG, { tenant: one.row.tenant_id, ...tag, seq });
    }
    if (this.#calls.size > 0) await this.#writeCalls();
  }

  async #writeCalls(): Promise<void> {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { jobs, ...call } of calls) {
      const seqs = jobs.map((job) => (job === null || typeof job === 'number' ? job : job.seq));
      await this.#session.change(KEEP_CALL, { ...call, jobs: textOf(seqs) });
    }
  }

  async #writeAttempts(): Promise<void> {
    const attempts = this.#attempts;
    this.#attempts = [];
    for (const { statement, values } of INSERT_ATTEMPTS.inserts(attempts)) await this.#session.change(statement, values);
  }

  async #writeEvents(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    for (const { statement, values } of INSERT_EVENTS.inserts(events)) await this.#session.change(statement, values);
  }
}

/** Of a key or a request id. */
function placeOf(tenant: TenantId, queue: string, name: string): string {
  return `${tenant}\n${queue}\n${name}`;
}
