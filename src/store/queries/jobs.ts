/** Reading jobs and their ledger: by id, by key, in keyset pages. */
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { type Attempt, type Job, JOB_STATES, type TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { attemptOf, jobOf, type JobRow, runningAttemptOf } from '../rows.ts';
import type { CappedCount, Page } from '../answers.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { evenly, jobConditions } from './job-filter.ts';
import { pageOf, rowsToRead } from './page.ts';

type JobSelect = SelectQueryBuilder<Tables, 'jobs', JobRow>;

/** A keyset order: time column (null: submission alone), direction, and the rows that have a place in it. */
interface OrderRule {
  readonly timeColumn: 'run_at_ms' | 'finished_at_ms' | null;
  readonly direction: 'asc' | 'desc';
  readonly only: 'waiting' | 'finished_at_ms' | null;
}

const ORDER_RULES: { readonly [Order in JobOrder]: OrderRule } = {
  newest_first: { timeColumn: null, direction: 'desc', only: null },
  oldest_first: { timeColumn: null, direction: 'asc', only: null },
  next_to_run: { timeColumn: 'run_at_ms', direction: 'asc', only: 'waiting' },
  recently_finished: { timeColumn: 'finished_at_ms', direction: 'desc', only: 'finished_at_ms' },
};

export class JobQueries {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async byId(tenant: TenantId, id: string): Promise<Job | null> {
    const row = await this.#db.selectFrom('jobs').selectAll().where('tenant_id', '=', tenant).where('id', '=', id).executeTakeFirst();
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

  async page(tenant: TenantId, filter: JobFilter, order: JobOrder, request: PageRequest): Promise<Page<Job>> {
    const rule = ORDER_RULES[order];
    const direction = request.fromEnd ? opposite(rule.direction) : rule.direction;
    let query: JobSelect = this.#db
      .selectFrom('jobs')
      .selectAll()
      .where((eb) => jobConditions(eb, tenant, filter));
    if (rule.only !== null) query = query.where(rule.only, 'is not', null);
    if (request.after !== null) query = beyond(query, rule, request.after, rule.direction);
    if (request.before !== null) query = beyond(query, rule, request.before, opposite(rule.direction));
    if (rule.timeColumn !== null) query = query.orderBy(rule.timeColumn, direction);
    const rows = await query.orderBy('seq', direction).limit(rowsToRead(request)).execute();
    return pageOf(rows, request, (row) => (rule.timeColumn === null ? [row.seq] : [row[rule.timeColumn] ?? 0, row.seq]), jobOf);
  }

  /**
   * Counts up to the cap. By queue and state alone the counters answer; otherwise only the newest jobs are looked
   * through, and the count is not exact where there are more.
   */
  async count(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean): Promise<CappedCount> {
    const { queues, states, ...others } = filter;
    if (!withoutCancelRequested && Object.keys(others).length === 0) return cappedCount(await this.#counted(tenant, queues, states), true);
    const oldestSeq = await this.#lookThroughFrom(tenant);
    const capped = this.#matching(tenant, filter, withoutCancelRequested)
      .select('seq')
      .$if(oldestSeq !== null, (query) => query.where('seq', '>=', oldestSeq ?? 0))
      .limit(LIMITS.countMax + 1);
    const { found } = await this.#db
      .selectFrom(capped.as('capped'))
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .executeTakeFirstOrThrow();
    return cappedCount(Number(found), oldestSeq === null);
  }

  async #counted(tenant: TenantId, queues: JobFilter['queues'], states: JobFilter['states'] = JOB_STATES): Promise<number> {
    const rows = await this.#db
      .selectFrom('queue_counters')
      .select(JOB_STATES)
      .where('tenant_id', '=', tenant)
      .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
      .execute();
    const wanted = new Set(states);
    return rows.reduce((sum, row) => sum + [...wanted].reduce((own, state) => own + row[state], 0), 0);
  }

  /** The oldest of the jobs that a count looks through; null where that is all of them. */
  async #lookThroughFrom(tenant: TenantId): Promise<number | null> {
    const row = await this.#db
      .selectFrom('jobs')
      .select('seq')
      .where('tenant_id', '=', tenant)
      .orderBy('seq', 'desc')
      .offset(LIMITS.countedJobsMax)
      .limit(1)
      .executeTakeFirst();
    return row?.seq ?? null;
  }

  /** Ids of matching jobs, oldest submission first. */
  async ids(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean, limit: number): Promise<readonly string[]> {
    const rows = await this.#matching(tenant, filter, withoutCancelRequested).select('id').orderBy('seq').limit(limit).execute();
    return rows.map(({ id }) => id);
  }

  /** How many of the ids are jobs of the tenant. */
  async countIds(tenant: TenantId, ids: readonly string[]): Promise<number> {
    const { found } = await this.#db
      .selectFrom('jobs')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where('tenant_id', '=', tenant)
      .where('id', 'in', evenly(ids))
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
      .where('job_seq', '=', (eb) => eb.selectFrom('jobs').select('jobs.seq').where('jobs.tenant_id', '=', tenant).where('jobs.id', '=', job.id));
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

  #matching(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean) {
    return this.#db
      .selectFrom('jobs')
      .where((eb) => jobConditions(eb, tenant, filter))
      .$if(withoutCancelRequested, (query) => query.where('cancel_requested_at_ms', 'is', null));
  }
}

function cappedCount(found: number, isWhole: boolean): CappedCount {
  return { value: Math.min(found, LIMITS.countMax), exact: isWhole && found <= LIMITS.countMax };
}

function opposite(direction: 'asc' | 'desc'): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc';
}

function fenceOf(key: PageKey | null): number | null {
  return key === null ? null : Number(key[0]);
}

/** Rows strictly further along in `direction` than the place. */
function beyond(query: JobSelect, { timeColumn }: OrderRule, key: PageKey, direction: 'asc' | 'desc'): JobSelect {
  const compare = direction === 'asc' ? '>' : '<';
  if (timeColumn === null) return query.where('seq', compare, Number(key[0]));
  const [time, seq] = [Number(key[0]), Number(key[1])];
  return query.where((eb) => eb(eb.refTuple(timeColumn, 'seq'), compare, eb.tuple(time, seq)));
}
