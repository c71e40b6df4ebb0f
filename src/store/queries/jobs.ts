/** Reading jobs and their ledger: by id, by key, in keyset pages. */
import { type Expression, type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Attempt, Job, TenantId } from '../../domain/job.ts';
import { attemptOf, jobOf, type JobRow, runningAttemptOf } from '../rows.ts';
import type { CappedCount, Page } from '../answers.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { countJobs } from './job-counts.ts';
import { evenly, jobConditions } from './job-filter.ts';
import { groupParts, type JobPlaces, type MergedRequest, mergedSeqs, statesOf, submissionParts, waitingParts } from './merged-parts.ts';
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

/** Parts of a list that are read side by side; SQLite joins up to 500 selects. */
const PARTS_MAX = 200;

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
    const direction = readingDirection(rule, request);
    const columns = rule.timeColumn === null ? (['seq'] as const) : ([rule.timeColumn, 'seq'] as const);
    const asked = await this.#asked(tenant, filter, rule, request);
    const inOrder = columns.reduce((query: JobSelect, column) => query.orderBy(column, direction), asked);
    const rows = await inOrder.limit(rowsToRead(request)).execute();
    return pageOf(rows, request, (row) => columns.map((column) => row[column] ?? 0), jobOf);
  }

  /** The rows of a page, not in order yet, and maybe more. */
  async #asked(tenant: TenantId, filter: JobFilter, rule: OrderRule, request: PageRequest): Promise<JobSelect> {
    const merging = await this.#merging(tenant, filter, rule);
    const all = this.#db.selectFrom('jobs').selectAll();
    if (merging === null) {
      const matching = all.where((eb) => jobConditions(eb, tenant, filter));
      return within(rule.only === null ? matching : matching.where(rule.only, 'is not', null), rule, request);
    }
    const direction = readingDirection(rule, request);
    const narrow = (query: JobPlaces): JobPlaces =>
      within(
        query.where((eb) => jobConditions(eb, tenant, merging.filter)),
        rule,
        request,
      );
    const seqs = mergedSeqs(this.#db, { ...merging, direction, limit: rowsToRead(request), narrow });
    return all.where((eb) => byPlace(eb, tenant)).where('seq', 'in', seqs ?? []);
  }

  /** The parts of the list that an index has in its order, and what is left of the filter; null where there are none, or too many. */
  async #merging(
    tenant: TenantId,
    filter: JobFilter,
    { timeColumn, only }: OrderRule,
  ): Promise<(Pick<MergedRequest, 'parts' | 'order'> & { readonly filter: JobFilter }) | null> {
    const { states: _states, deadLetterGroups: groups, ...others } = filter;
    if (timeColumn === null) return { parts: submissionParts(filter), order: ['seq'], filter: others };
    if (groups !== undefined) {
      // A dead letter waits for nothing.
      const isNone = only === 'waiting' || !statesOf(filter).includes('dead');
      return { parts: isNone ? [] : groupParts(groups), order: [timeColumn, 'seq'], filter: others };
    }
    if (only !== 'waiting') return null;
    const { queues, ...withoutQueues } = filter;
    const parts = waitingParts(queues ?? (await this.#waitingQueues(tenant)));
    return parts.length > PARTS_MAX ? null : { parts, order: ['run_at_ms', 'seq'], filter: withoutQueues };
  }

  /** Queues in which jobs wait, or as many of them as are too many to merge. */
  async #waitingQueues(tenant: TenantId): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('queue_counters')
      .select('queue_name')
      .where('tenant_id', '=', tenant)
      .where((eb) => eb.or([eb('ready', '>', 0), eb('delayed', '>', 0)]))
      .limit(PARTS_MAX)
      .execute();
    return rows.map(({ queue_name }) => queue_name);
  }

  count(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean): Promise<CappedCount> {
    return countJobs(this.#db, tenant, filter, withoutCancelRequested);
  }

  /** Ids of matching jobs, oldest submission first. */
  async ids(tenant: TenantId, filter: JobFilter, withoutCancelRequested: boolean, limit: number): Promise<readonly string[]> {
    const { states: _states, deadLetterGroups: _groups, ...others } = filter;
    const narrow = (query: JobPlaces): JobPlaces =>
      query.where((eb) => jobConditions(eb, tenant, others)).$if(withoutCancelRequested, (matching) => matching.where('cancel_requested_at_ms', 'is', null));
    const seqs = mergedSeqs(this.#db, { parts: submissionParts(filter), order: ['seq'], direction: 'asc', limit, narrow });
    const rows = await this.#db
      .selectFrom('jobs')
      .select('id')
      .where((eb) => byPlace(eb, tenant))
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

/** Not the column alone, so that the planner does not read all of the tenant's jobs where a few places are given. */
function byPlace(eb: ExpressionBuilder<Tables, 'jobs'>, tenant: TenantId): Expression<SqlBool> {
  return eb(eb(eb.ref('tenant_id').$castTo<string>(), '||', sql.lit('')), '=', tenant);
}

/** From the end the nearest rows come first. */
function readingDirection({ direction }: OrderRule, { fromEnd }: PageRequest): 'asc' | 'desc' {
  return fromEnd ? opposite(direction) : direction;
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
