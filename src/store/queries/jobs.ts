/** Reading jobs and their ledger: by id, by key, in keyset pages. */
import type { Kysely } from 'kysely';
import type { Attempt, Job, TenantId } from '../../domain/job.ts';
import { attemptOf, jobOf, runningAttemptOf } from '../rows.ts';
import type { CappedCount, JobPage, Page } from '../answers.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { countJobs } from './job-counts.ts';
import { byPlace, jobConditions } from './job-filter.ts';
import { jobPage } from './job-page.ts';
import { hasId } from './jobs-by-id.ts';
import { type JobPlaces, mergedSeqs, submissionParts } from './merged-parts.ts';
import { pageOf, rowsToRead } from './page.ts';

export class JobQueries {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async byId(tenant: TenantId, id: string): Promise<Job | null> {
    const row = await this.#db
      .selectFrom('jobs')
      .selectAll()
      .where((eb) => hasId(eb, tenant, [id]))
      .executeTakeFirst();
    return row === undefined ? null : jobOf(row);
  }

  async byIdempotencyKey(tenant: TenantId, queue: string, key: string): Promise<Job | null> {
    const row = await this.#db
      .selectFrom('jobs')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('queue_name', '=', queue)
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    return row === undefined ? null : jobOf(row);
  }

  page(tenant: TenantId, filter: JobFilter, order: JobOrder, request: PageRequest, lookThroughMax: number | null): Promise<JobPage> {
    return jobPage(this.#db, tenant, filter, order, request, lookThroughMax);
  }

  count(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean, lookThroughMax?: number): Promise<CappedCount> {
    return countJobs(this.#db, tenant, filter, withoutCancelRequested, lookThroughMax);
  }

  /** Ids of matching jobs, oldest submission first. */
  async ids(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean, limit: number): Promise<readonly string[]> {
    const { states: _states, deadLetterGroups: _groups, ...others } = filter;
    const narrow = (query: JobPlaces): JobPlaces =>
      query.where((eb) => jobConditions(eb, tenant, others)).$if(withoutCancelRequested, (matching) => matching.where('cancel_requested_at_ms', 'is', null));
    const seqs = mergedSeqs(this.#db, { parts: submissionParts(filter), order: ['seq'], direction: 'asc', narrow }, limit);
    const rows = await this.#db
      .selectFrom('jobs')
      .select('id')
      .where((eb) => byPlace(eb.ref('jobs.tenant_id'), tenant))
      .where('seq', 'in', seqs ?? [])
      .orderBy('seq')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** How many of the ids are jobs of the tenant. */
  async countIds(tenant: TenantId, ids: readonly string[]): Promise<number> {
    const { found } = await this.#db
      .selectFrom('jobs')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where((eb) => hasId(eb, tenant, ids))
      .executeTakeFirstOrThrow();
    return Number(found);
  }

  /** Newest first; the running attempt is on the job itself. */
  async attempts(tenant: TenantId, job: Job, request: PageRequest): Promise<Page<Attempt>> {
    const direction = request.fromEnd ? 'asc' : 'desc';
    let query = this.#db
      .selectFrom('attempts')
      .selectAll('attempts')
      .where('tenant_id', '=', tenant)
      .where('job_seq', '=', (eb) =>
        eb
          .selectFrom('jobs')
          .select('jobs.seq')
          .where((jobs) => hasId(jobs, tenant, [job.id])),
      );
    const [after, before] = [fenceOf(request.after), fenceOf(request.before)];
    if (after !== null) query = query.where('fence', '<', after);
    if (before !== null) query = query.where('fence', '>', before);
    const ended = await query.orderBy('fence', direction).limit(rowsToRead(request)).execute();
    const running = runningAttemptOf(job);
    // The job may have been read before its attempt ended: the ledger then knows better.
    const isEnded = ended.some(({ fence }) => fence === running?.fence);
    const isWanted = running !== null && !isEnded && (after === null || running.fence < after) && (before === null || running.fence > before);
    const attempts = ended.map(attemptOf);
    const all = isWanted ? (request.fromEnd ? [...attempts, running] : [running, ...attempts]) : attempts;
    return pageOf(
      all,
      request,
      ({ fence }) => [fence],
      (attempt) => attempt,
    );
  }
}

function fenceOf(key: PageKey | null): number | null {
  return key === null ? null : Number(key[0]);
}
