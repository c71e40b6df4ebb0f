/**
 * What one transaction adds up: counters, rates, log heads, and the news for whoever waits. Written once per commit
 * instead of once per transition.
 */
import type { Kysely } from 'kysely';
import type { EventKind } from '../domain/events.ts';
import type { JobState, TenantId } from '../domain/job.ts';
import type { CommittedEvent } from './housekeeping.ts';
import type { QueueActivityTable, QueueCounterTable, Tables, WaitingLane } from './tables.ts';

export type CounterName = Exclude<keyof QueueCounterTable, 'tenant_id' | 'queue_name'>;
type ActivityName = Exclude<keyof QueueActivityTable, 'tenant_id' | 'queue_name' | 'bucket_ms'>;

/** Rates are kept per this many milliseconds. */
export const ACTIVITY_BUCKET_MS = 5_000;

const ACTIVITY_OF_KIND: { readonly [Kind in EventKind]?: ActivityName } = {
  SUBMITTED: 'submitted',
  CLAIMED: 'claimed',
  COMPLETED: 'completed',
  RETRY_SCHEDULED: 'failed',
  DEAD_LETTERED: 'failed',
};

interface Head {
  epoch: string;
  lastSeq: number;
  lowWaterSeq: number;
}

interface QueueTally {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly counters: Partial<Record<CounterName, number>>;
  readonly activity: Map<number, Partial<Record<ActivityName, number>>>;
}

/** A job that a waiting claim could take since this commit. */
export interface ReadyJob {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly task: string;
}
/** When something in a queue needs attention: a delayed job falls due, or a lease runs out. */
export interface Appointment {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly atMs: number;
}

function add<Name extends string>(sums: Partial<Record<Name, number>>, name: Name, delta: number): void {
  sums[name] = (sums[name] ?? 0) + delta;
}

export class Tally {
  readonly #queues = new Map<string, QueueTally>();
  readonly #workers = new Map<string, { readonly tenant: TenantId; readonly id: string; delta: number }>();
  readonly #heads = new Map<TenantId, Head>();
  readonly #epoch: string;
  readonly events: CommittedEvent[] = [];
  readonly ready: ReadyJob[] = [];
  readonly appointments: Appointment[] = [];
  deduplicated = 0;

  /** `epoch`: the part of the log that this process writes. */
  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  get grownLogs(): readonly TenantId[] {
    return [...this.#heads.keys()];
  }

  countState(tenant: TenantId, queue: string, state: JobState, lane: WaitingLane | null, delta: 1 | -1): void {
    const { counters } = this.#queue(tenant, queue);
    add(counters, state, delta);
    if (lane !== null) add(counters, lane === 'due' ? 'ready' : 'delayed', delta);
  }

  countLane(tenant: TenantId, queue: string, lane: WaitingLane, delta: number): void {
    add(this.#queue(tenant, queue).counters, lane === 'due' ? 'ready' : 'delayed', delta);
  }

  countWorker(tenant: TenantId, id: string, delta: 1 | -1): void {
    const key = `${tenant}\n${id}`;
    const known = this.#workers.get(key);
    if (known === undefined) this.#workers.set(key, { tenant, id, delta });
    else known.delta += delta;
  }

  noteEvent(event: CommittedEvent, atMs: number): void {
    this.events.push(event);
    const name = ACTIVITY_OF_KIND[event.kind];
    if (name === undefined) return;
    const { activity } = this.#queue(event.tenant, event.queue);
    const bucket = atMs - (atMs % ACTIVITY_BUCKET_MS);
    const sums = activity.get(bucket) ?? {};
    add(sums, name, 1);
    activity.set(bucket, sums);
  }

  /** The next place in the tenant's log; places are handed out in commit order because one transaction writes at a time. */
  async nextSeq(db: Kysely<Tables>, tenant: TenantId): Promise<number> {
    const head = await this.#head(db, tenant);
    head.lastSeq += 1;
    if (head.epoch !== this.#epoch) {
      head.epoch = this.#epoch;
      await db.insertInto('log_epochs').values({ tenant_id: tenant, epoch: this.#epoch, first_seq: head.lastSeq }).execute();
    }
    return head.lastSeq;
  }

  async raiseLowWater(db: Kysely<Tables>, tenant: TenantId, removedSeq: number): Promise<void> {
    const head = await this.#head(db, tenant);
    head.lowWaterSeq = Math.max(head.lowWaterSeq, removedSeq);
  }

  async flush(db: Kysely<Tables>): Promise<void> {
    for (const queue of this.#queues.values()) await flushQueue(db, queue);
    for (const { tenant, id, delta } of this.#workers.values()) {
      if (delta === 0) continue;
      await db
        .updateTable('workers')
        .set((eb) => ({ running: eb('running', '+', delta) }))
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .execute();
    }
    for (const [tenant, { epoch, lastSeq, lowWaterSeq }] of this.#heads) {
      const columns = { epoch, last_seq: lastSeq, low_water_seq: lowWaterSeq };
      await db.updateTable('event_logs').set(columns).where('tenant_id', '=', tenant).execute();
    }
  }

  #queue(tenant: TenantId, queue: string): QueueTally {
    const key = `${tenant}\n${queue}`;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const fresh: QueueTally = { tenant, queue, counters: {}, activity: new Map() };
    this.#queues.set(key, fresh);
    return fresh;
  }

  async #head(db: Kysely<Tables>, tenant: TenantId): Promise<Head> {
    const known = this.#heads.get(tenant);
    if (known !== undefined) return known;
    const row = await db.selectFrom('event_logs').select(['epoch', 'last_seq', 'low_water_seq']).where('tenant_id', '=', tenant).executeTakeFirst();
    if (row === undefined) await db.insertInto('event_logs').values({ tenant_id: tenant, epoch: '', last_seq: 0, low_water_seq: 0 }).execute();
    const head = { epoch: row?.epoch ?? '', lastSeq: row?.last_seq ?? 0, lowWaterSeq: row?.low_water_seq ?? 0 };
    this.#heads.set(tenant, head);
    return head;
  }
}

const COUNTER_NAMES = ['queued', 'running', 'retry', 'completed', 'dead', 'cancelled', 'ready', 'delayed'] as const;
const ACTIVITY_NAMES = ['submitted', 'claimed', 'completed', 'failed'] as const;

async function flushQueue(db: Kysely<Tables>, { tenant, queue, counters, activity }: QueueTally): Promise<void> {
  if (COUNTER_NAMES.some((name) => (counters[name] ?? 0) !== 0)) {
    await db
      .updateTable('queue_counters')
      .set((eb) => Object.fromEntries(COUNTER_NAMES.map((name) => [name, eb(name, '+', counters[name] ?? 0)])))
      .where('tenant_id', '=', tenant)
      .where('queue_name', '=', queue)
      .execute();
  }
  for (const [bucket, sums] of activity) {
    const row = { submitted: sums.submitted ?? 0, claimed: sums.claimed ?? 0, completed: sums.completed ?? 0, failed: sums.failed ?? 0 };
    await db
      .insertInto('queue_activity')
      .values({ tenant_id: tenant, queue_name: queue, bucket_ms: bucket, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'queue_name', 'bucket_ms'])
          .doUpdateSet((eb) => Object.fromEntries(ACTIVITY_NAMES.map((name) => [name, eb(`queue_activity.${name}`, '+', eb.ref(`excluded.${name}`))]))),
      )
      .execute();
  }
}
