/** Reading the event log of a tenant: from a place on, or along one job. */
import type { Kysely } from 'kysely';
import { type EventFilter, type JobEvent, matchesFilter } from '../../domain/events.ts';
import type { TenantId } from '../../domain/job.ts';
import { eventOf } from '../event-rows.ts';
import type { EventPage, LogGap } from '../answers.ts';
import type { LogPosition } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { eventConditions } from './event-filter.ts';
import { hasId } from './jobs-by-id.ts';

interface Head {
  /** Of the last event; of places in a log without events. */
  readonly epoch: string;
  readonly lastSeq: number;
  readonly lowWaterSeq: number;
}

/** Rows that one read looks through for a rare event before it answers with how far it came. */
const SCANNED_MAX = 20_000;

/** Everything up to `seq` was looked at, or will be. */
interface Edge {
  readonly seq: number;
  readonly isEnd: boolean;
}
interface Scanned extends Edge {
  readonly events: readonly JobEvent[];
  readonly passedOver?: number | null;
}
interface Reading {
  readonly tenant: TenantId;
  readonly from: number;
  readonly filter: EventFilter;
  readonly limit: number;
  /** A number of the log that was handed out. */
  readonly knownSeq: number;
}
/** How much of the log: the next events, or the last ones that there are. */
interface Extent {
  readonly limit: number;
  readonly isNewestOnly: boolean;
}

export class EventLog {
  readonly #db: Kysely<Tables>;
  readonly #heads: Kysely<Tables>;

  /** `heads`: where one row is read sooner than elsewhere. What was committed there is seen by `db`, too. */
  constructor(db: Kysely<Tables>, heads = db) {
    this.#db = db;
    this.#heads = heads;
  }

  async latest(tenant: TenantId): Promise<LogPosition> {
    const head = await this.#head(tenant);
    return { epoch: head.epoch, seq: head.lastSeq };
  }

  async after(tenant: TenantId, after: LogPosition | null, filter: EventFilter, { limit, isNewestOnly }: Extent): Promise<EventPage> {
    const before = await this.#head(tenant);
    const knownSeq = before.lastSeq;
    const reading: Reading = { tenant, from: after?.seq ?? 0, filter, limit, knownSeq };
    const rested = await this.#rested(reading);
    const { events, seq, isEnd, passedOver = 0 } = rested ?? (await (isNewestOnly ? this.#newest(reading) : this.#read(reading)));
    // Read last: what retention removed while the rows were read must show as a gap, not as silence.
    const head = rested === null ? await this.#head(tenant) : before;
    const gap = after === null ? null : await this.#gap(tenant, after, head);
    if (gap !== null) return { events: [], gap, position: gap.resumeAt, hasMore: gap.resumeAt.seq < head.lastSeq };
    const position = { epoch: head.epoch, seq: isEnd ? Math.max(seq, knownSeq) : seq };
    return { events, gap: null, position, hasMore: !isEnd, ...(passedOver !== 0 && { passedOver }) };
  }

  async #read(reading: Reading): Promise<Scanned> {
    const { tenant, from, filter, limit } = reading;
    if (Object.keys(filter).length === 0) return this.#next(tenant, from, limit);
    return this.#scan(reading, await this.#edge(reading));
  }

  /** Backwards from the end of the log, so that what lies before the last ones costs nothing. */
  async #newest({ tenant, from, filter, limit, knownSeq }: Reading): Promise<Scanned> {
    const isOfAll = Object.keys(filter).length === 0;
    const after = isOfAll ? from : Math.max(from, knownSeq - SCANNED_MAX);
    const rows = await eventsOf(this.#db, tenant, 'desc')
      .where('events.seq', '>', after)
      .$if(!isOfAll, (all) => all.where((eb) => eb.and([...eventConditions(eb, tenant, filter)])))
      .limit(limit + 1)
      .execute();
    const events = rows
      .slice(0, limit)
      .map(eventOf)
      .filter((event) => matchesFilter(event, filter))
      .toReversed();
    const isCut = rows.length > limit || after > from;
    const passedOver = !isCut ? 0 : isOfAll ? (rows[limit - 1]?.seq ?? 0) - from - 1 : null;
    return { events, seq: Math.max(from, rows[0]?.seq ?? 0), isEnd: true, passedOver };
  }

  /** The answer for jobs that have had no event since; null where the log has to be looked through. */
  async #rested({ tenant, from, filter, knownSeq }: Reading): Promise<Scanned | null> {
    if (filter.jobIds === undefined || !(await this.#haveRested(tenant, from, filter.jobIds))) return null;
    return { events: [], seq: Math.max(from, knownSeq), isEnd: true };
  }

  /**
   * True where every one of the jobs is there and had its last event by then: what happened to others need not be looked through.
   * A screen that follows some jobs of a busy log asks this again and again.
   */
  async #haveRested(tenant: TenantId, from: number, ids: readonly string[]): Promise<boolean> {
    const { found } = await this.#db
      .selectFrom('jobs')
      .select((eb) => eb.fn.countAll<number>().as('found'))
      .where((eb) => hasId(eb, tenant, ids))
      .where('last_event_seq', '<=', from)
      .executeTakeFirstOrThrow();
    return Number(found) === new Set(ids).size;
  }

  async #next(tenant: TenantId, from: number, limit: number): Promise<Scanned> {
    const rows = await eventsOf(this.#db, tenant)
      .where('events.seq', '>', from)
      .limit(limit + 1)
      .execute();
    return { events: rows.slice(0, limit).map(eventOf), seq: rows.slice(0, limit).at(-1)?.seq ?? from, isEnd: rows.length <= limit };
  }

  /** Wanted events after `from` and up to the edge. */
  async #scan({ tenant, from, filter, limit }: Reading, edge: Edge): Promise<Scanned> {
    const rows = await eventsOf(this.#db, tenant)
      .where('events.seq', '>', from)
      .where('events.seq', '<=', edge.seq)
      .where((eb) => eb.and([...eventConditions(eb, tenant, filter)]))
      .limit(limit + 1)
      .execute();
    const events = rows
      .slice(0, limit)
      .map(eventOf)
      .filter((event) => matchesFilter(event, filter));
    const lastRead = rows[limit - 1];
    return rows.length > limit && lastRead !== undefined ? { events, seq: lastRead.seq, isEnd: false } : { events, ...edge };
  }

  /** Where a look from there ends: a rare event is not searched for without end. Retention may have left few of the numbers on the way. */
  async #edge({ tenant, from, knownSeq: lastSeq }: Reading): Promise<Edge> {
    if (lastSeq - from <= SCANNED_MAX) return { seq: Math.max(from, lastSeq), isEnd: true };
    const row = await this.#db
      .selectFrom('events')
      .select('seq')
      .where('tenant_id', '=', tenant)
      .where('seq', '>', from)
      .orderBy('seq')
      .limit(1)
      .offset(SCANNED_MAX - 1)
      .executeTakeFirst();
    return row === undefined ? { seq: lastSeq, isEnd: true } : { seq: row.seq, isEnd: row.seq === lastSeq };
  }

  /** The job's events, oldest first, found along their chain. */
  async timeline(tenant: TenantId, jobId: string, after: LogPosition | null, limit: number): Promise<EventPage> {
    const head = await this.#head(tenant);
    const isKnown = after !== null && !(await this.#isForeign(tenant, after, head));
    const afterSeq = isKnown ? after.seq : 0;
    const rows = await eventsOf(this.#db, tenant)
      .where('events.seq', 'in', chainOf(this.#db, tenant, jobId, afterSeq))
      .limit(limit + 1)
      .execute();
    const events = rows.slice(0, limit).map(eventOf);
    return { events, gap: null, position: { epoch: head.epoch, seq: events.at(-1)?.seq ?? afterSeq }, hasMore: rows.length > limit };
  }

  async #head(tenant: TenantId): Promise<Head> {
    const row = await this.#heads.selectFrom('event_logs').select(['epoch', 'last_seq', 'low_water_seq']).where('tenant_id', '=', tenant).executeTakeFirst();
    return { epoch: row?.epoch ?? '', lastSeq: row?.last_seq ?? 0, lowWaterSeq: row?.low_water_seq ?? 0 };
  }

  async #gap(tenant: TenantId, after: LogPosition, head: Head): Promise<LogGap | null> {
    if (await this.#isForeign(tenant, after, head)) return this.#gapAt(tenant, 'store_restored', head);
    return after.seq < head.lowWaterSeq ? this.#gapAt(tenant, 'retention', head) : null;
  }

  /** True for a place that this log never handed out: it is of a log that went on after a backup and was lost. */
  async #isForeign(tenant: TenantId, { epoch, seq }: LogPosition, head: Head): Promise<boolean> {
    if (seq > head.lastSeq) return true;
    if (epoch === head.epoch || epoch === '') return false;
    const parts = await this.#db.selectFrom('log_epochs').select(['epoch', 'first_seq']).where('tenant_id', '=', tenant).orderBy('first_seq').execute();
    const index = parts.findIndex((part) => part.epoch === epoch);
    const next = parts[index + 1];
    return index === -1 || (next !== undefined && seq >= next.first_seq);
  }

  async #gapAt(tenant: TenantId, reason: LogGap['reason'], { epoch, lowWaterSeq }: Head): Promise<LogGap> {
    const next = await this.#db
      .selectFrom('events')
      .select('seq')
      .where('tenant_id', '=', tenant)
      .where('seq', '>', lowWaterSeq)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    return { reason, resumeAt: { epoch, seq: lowWaterSeq }, oldestAvailable: next === undefined ? null : { epoch, seq: next.seq - 1 } };
  }
}

/** Events in order, with what their jobs' rows say. */
function eventsOf(db: Kysely<Tables>, tenant: TenantId, direction: 'asc' | 'desc' = 'asc') {
  return db
    .selectFrom('events')
    .leftJoin('jobs', (join) => join.onRef('jobs.seq', '=', 'events.job_seq').onRef('jobs.tenant_id', '=', 'events.tenant_id'))
    .selectAll('events')
    .select(['jobs.id as job_id', 'jobs.queue_name', 'jobs.task'])
    .where('events.tenant_id', '=', tenant)
    .orderBy('events.seq', direction);
}

/** `cross join` keeps the order: the planner may else search the whole log for the events that a chain leads to. */
function chainOf(db: Kysely<Tables>, tenant: TenantId, jobId: string, afterSeq: number) {
  return db
    .withRecursive('chain(seq, previous_seq)', (cte) =>
      cte
        .selectFrom('jobs')
        .innerJoin('events', (join) => join.onRef('events.tenant_id', '=', 'jobs.tenant_id').onRef('events.seq', '=', 'jobs.last_event_seq'))
        .select(['events.seq', 'events.previous_seq'])
        .where((eb) => hasId(eb, tenant, [jobId]))
        .where('events.seq', '>', afterSeq)
        .unionAll(
          cte
            .selectFrom('chain')
            .crossJoin('events')
            .select(['events.seq', 'events.previous_seq'])
            .where('events.tenant_id', '=', tenant)
            .whereRef('events.seq', '=', 'chain.previous_seq')
            .where('events.seq', '>', afterSeq),
        ),
    )
    .selectFrom('chain')
    .select('chain.seq');
}
