/** Reading jobs and their ledger: by id, by key, in keyset pages. */
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { type Attempt, type Job, JOB_STATES, type JobState, type TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { attemptOf, jobOf, type JobRow, runningAttemptOf } from '../rows.ts';
import type { CappedCount, Page } from '../answers.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { evenly, inState, jobConditions } from './job-filter.ts';
import { type JobSeqs, mergedSeqs, statesOf } from './merged-states.ts';
import { pageOf, rowsToRead } from './page.ts';

type JobRows<Row> = SelectQueryBuilder<Tables, 'jobs', Row>;
type JobSelect = JobRows<JobRow>;

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
    const rows = await (rule.timeColumn === null ? this.#bySubmission(tenant, filter, rule, request) : this.#byTime(tenant, filter, rule, request))
      .orderBy('seq', direction)
      .limit(rowsToRead(request))
      .execute();
    return pageOf(rows, request, (row) => (rule.timeColumn === null ? [row.seq] : [row[rule.timeColumn] ?? 0, row.seq]), jobOf);
  }

  #bySubmission(tenant: TenantId, filter: JobFilter, rule: OrderRule, request: PageRequest): JobSelect {
    const direction = request.fromEnd ? opposite(rule.direction) : rule.direction;
    const narrow = (query: JobSeqs): JobSeqs => within(query, rule, request);
    const seqs = mergedSeqs(this.#db, { tenant, filter, direction, limit: rowsToRead(request), narrow });
    return this.#db
      .selectFrom('jobs')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('seq', 'in', seqs ?? []);
  }

  #byTime(tenant: TenantId, filter: JobFilter, rule: OrderRule, request: PageRequest): JobSelect {
    const query = this.#db
      .selectFrom('jobs')
      .selectAll()
      .where((eb) => jobConditions(eb, tenant, filter));
    const direction = request.fromEnd ? opposite(rule.direction) : rule.direction;
    const placed = rule.only === null ? query : query.where(rule.only, 'is not', null);
    const narrowed = within(placed, rule, request);
    return rule.timeColumn === null ? narrowed : narrowed.orderBy(rule.timeColumn, direction);
  }

  /**
   * Counts up to the cap. By queue and state alone the counters answer; otherwise only the newest jobs are looked
   * through, the same number of each state, and the count is not exact where there are more.
   */
  async count(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean): Promise<CappedCount> {
    const { queues, states: _states, ...others } = filter;
    const totals = await this.#counted(tenant, queues, statesOf(filter));
    const sum = totals.reduce((all, { jobs }) => all + jobs, 0);
    if (!withoutCancelRequested && Object.keys(others).length === 0) return cappedCount(sum, true);
    const each = Math.floor(LIMITS.countedJobsMax / Math.max(1, totals.length));
    const found = await Promise.all(totals.map(({ state }) => this.#countNewest(tenant, filter, state, each, withoutCancelRequested)));
    return cappedCount(
      found.reduce((all, jobs) => all + jobs, 0),
      totals.every(({ jobs }) => jobs <= each),
    );
  }

  /** Matching jobs among the newest `newest` of the state. */
  async #countNewest(tenant: TenantId, { queues, ...others }: JobFilter, state: JobState, newest: number, withoutCancelRequested: boolean): Promise<number> {
    const looked = this.#db
      .selectFrom('jobs')
      .selectAll()
      .where((eb) => eb.and([jobConditions(eb, tenant, queues === undefined ? {} : { queues }), inState(eb, state)]))
      .orderBy('seq', 'desc')
      .limit(newest);
    const capped = this.#db
      .selectFrom(looked.as('jobs'))
      .select('seq')
      .where((eb) => jobConditions(eb, tenant, others))
      .$if(withoutCancelRequested, (query) => query.where('cancel_requested_at_ms', 'is', null))
      .limit(LIMITS.countMax + 1);
    const { found } = await this.#db
      .selectFrom(capped.as('capped'))
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .executeTakeFirstOrThrow();
    return Number(found);
  }

  async #counted(
    tenant: TenantId,
    queues: JobFilter['queues'],
    states: readonly JobState[],
  ): Promise<readonly { readonly state: JobState; readonly jobs: number }[]> {
    const rows = await this.#db
      .selectFrom('queue_counters')
      .select(JOB_STATES)
      .where('tenant_id', '=', tenant)
      .$if(queues !== undefined, (query) => query.where('queue_name', 'in', queues ?? []))
      .execute();
    return states.map((state) => ({ state, jobs: rows.reduce((sum, row) => sum + row[state], 0) }));
  }

  /** Ids of matching jobs, oldest submission first. */
  async ids(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean, limit: number): Promise<readonly string[]> {
    const narrow = (query: JobSeqs): JobSeqs => (withoutCancelRequested ? query.where('cancel_requested_at_ms', 'is', null) : query);
    const seqs = mergedSeqs(this.#db, { tenant, filter, direction: 'asc', limit, narrow });
    const rows = await this.#db
      .selectFrom('jobs')
      .select('id')
      .where('tenant_id', '=', tenant)
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

/** Rows between the cursors of the request. */
function within<Row>(query: JobRows<Row>, rule: OrderRule, { after, before }: PageRequest): JobRows<Row> {
  const following = after === null ? query : beyond(query, rule, after, rule.direction);
  return before === null ? following : beyond(following, rule, before, opposite(rule.direction));
}

/** Rows strictly further along in `direction` than the place. */
function beyond<Row>(query: JobRows<Row>, { timeColumn }: OrderRule, key: PageKey, direction: 'asc' | 'desc'): JobRows<Row> {
  const compare = direction === 'asc' ? '>' : '<';
  if (timeColumn === null) return query.where('seq', compare, Number(key[0]));
  const [time, seq] = [Number(key[0]), Number(key[1])];
  return query.where((eb) => eb(eb.refTuple(timeColumn, 'seq'), compare, eb.tuple(time, seq)));
}
