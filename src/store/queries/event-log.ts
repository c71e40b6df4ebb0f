/** Reading the event log of a tenant: from a place on, or along one job. */
import { type Kysely, sql } from 'kysely';
import { type EventFilter, type JobEvent, matchesFilter } from '../../domain/events.ts';
import type { TenantId } from '../../domain/job.ts';
import { eventOf } from '../rows.ts';
import type { EventPage, LogGap, LogPosition } from '../store.ts';
import type { Tables } from '../tables.ts';

interface Head {
  readonly lastSeq: number;
  readonly lowWaterSeq: number;
}

/** Rows that one read looks through for a rare event before it answers with how far it came. */
const SCANNED_PER_READ = 1_000;
const SCANNED_MAX = 5_000;

export class EventLog {
  readonly #db: Kysely<Tables>;
  readonly #epoch: string;

  /** `epoch` names this log: a restored store has another, so that old places in it are recognised. */
  constructor(db: Kysely<Tables>, epoch: string) {
    this.#db = db;
    this.#epoch = epoch;
  }

  async latest(tenant: TenantId): Promise<LogPosition> {
    return this.#at((await this.#head(tenant)).lastSeq);
  }

  async after(tenant: TenantId, after: LogPosition | null, filter: EventFilter, limit: number): Promise<EventPage> {
    const head = await this.#head(tenant);
    const gap = after === null ? null : await this.#gap(tenant, after, head);
    if (gap !== null) return { events: [], gap, position: gap.resumeAt, hasMore: gap.resumeAt.seq < head.lastSeq };

    const events: JobEvent[] = [];
    let seq = after?.seq ?? 0;
    for (let scanned = 0; events.length < limit && seq < head.lastSeq && scanned < SCANNED_MAX; ) {
      const rows = await this.#db
        .selectFrom('events')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(Math.min(SCANNED_PER_READ, Object.keys(filter).length === 0 ? limit - events.length : SCANNED_PER_READ))
        .execute();
      if (rows.length === 0) {
        seq = head.lastSeq;
        break;
      }
      scanned += rows.length;
      for (const row of rows) {
        if (events.length === limit) break;
        seq = row.seq;
        const event = eventOf(row);
        if (matchesFilter(event, filter)) events.push(event);
      }
    }
    return { events, gap: null, position: this.#at(seq), hasMore: seq < head.lastSeq };
  }

  /** The job's events, oldest first, found along their chain. */
  async timeline(tenant: TenantId, jobId: string, after: LogPosition | null, limit: number): Promise<EventPage> {
    const afterSeq = after?.epoch === this.#epoch ? after.seq : 0;
    const rows = await this.#db
      .selectFrom('events')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('seq', 'in', chainOf(tenant, jobId, afterSeq))
      .orderBy('seq')
      .limit(limit + 1)
      .execute();
    const events = rows.slice(0, limit).map(eventOf);
    return { events, gap: null, position: this.#at(events.at(-1)?.seq ?? afterSeq), hasMore: rows.length > limit };
  }

  async #head(tenant: TenantId): Promise<Head> {
    const row = await this.#db.selectFrom('event_logs').select(['last_seq', 'low_water_seq']).where('tenant_id', '=', tenant).executeTakeFirst();
    return { lastSeq: row?.last_seq ?? 0, lowWaterSeq: row?.low_water_seq ?? 0 };
  }

  async #gap(tenant: TenantId, after: LogPosition, { lastSeq, lowWaterSeq }: Head): Promise<LogGap | null> {
    // A place past the end was handed out by a log that has since lost its tail.
    if (after.epoch !== this.#epoch || after.seq > lastSeq) return this.#gapAt(tenant, 'store_restored', lowWaterSeq);
    return after.seq < lowWaterSeq ? this.#gapAt(tenant, 'retention', lowWaterSeq) : null;
  }

  async #gapAt(tenant: TenantId, reason: LogGap['reason'], resumeSeq: number): Promise<LogGap> {
    const next = await this.#db
      .selectFrom('events')
      .select('seq')
      .where('tenant_id', '=', tenant)
      .where('seq', '>', resumeSeq)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    return { reason, resumeAt: this.#at(resumeSeq), oldestAvailable: next === undefined ? null : this.#at(next.seq - 1) };
  }

  #at(seq: number): LogPosition {
    return { epoch: this.#epoch, seq };
  }
}

function chainOf(tenant: TenantId, jobId: string, afterSeq: number) {
  return sql<number>`(
    with recursive chain(seq, previous_seq) as (
      select events.seq, events.previous_seq from jobs
        join events on events.tenant_id = jobs.tenant_id and events.seq = jobs.last_event_seq
        where jobs.tenant_id = ${tenant} and jobs.id = ${jobId} and events.seq > ${afterSeq}
      union all
      select events.seq, events.previous_seq from chain
        join events on events.tenant_id = ${tenant} and events.seq = chain.previous_seq
        where events.seq > ${afterSeq}
    ) select seq from chain)`;
}
