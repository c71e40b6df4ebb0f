/**
 * What one transaction adds up: counters, rates, log heads, and the news for whoever waits. Written once per commit
 * instead of once per transition.
 */
import type { JobState, TenantId } from '../domain/job.ts';
import { ActivityTally } from './activity-tally.ts';
import { DeadGroupTally } from './dead-group-tally.ts';
import type { CommittedEvent } from './housekeeping.ts';
import { type Session, type Soon, statement } from './statements.ts';
import type { QueueCounterTable, WaitingLane } from './tables.ts';
import { type UsageChange, UsageTally } from './usage-tally.ts';

export type CounterName = Exclude<keyof QueueCounterTable, 'tenant_id' | 'queue_name'>;

interface Head {
  epoch: string;
  lastSeq: number;
  lowWaterSeq: number;
}

interface QueueTally {
  readonly tenant: TenantId;
  readonly queue: string;
  readonly counters: Partial<Record<CounterName, number>>;
  readonly activity: ActivityTally;
  /** Of the tenant. */
  readonly usage: UsageChange;
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

const COUNTER_NAMES = ['queued', 'running', 'retry', 'completed', 'dead', 'cancelled', 'ready', 'delayed'] as const;
const NO_COUNTS: Readonly<Record<CounterName, number>> = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0, ready: 0, delayed: 0 };

const HEAD = statement((db, { tenant }: { tenant: TenantId }) =>
  db.selectFrom('event_logs').select(['epoch', 'last_seq', 'low_water_seq']).where('tenant_id', '=', tenant),
);
const INSERT_HEAD = statement((db, { tenant }: { tenant: TenantId }) =>
  db.insertInto('event_logs').values({ tenant_id: tenant, epoch: '', last_seq: 0, low_water_seq: 0 }),
);
const UPDATE_HEAD = statement((db, { tenant, epoch, lastSeq, lowWaterSeq }: Head & { tenant: TenantId }) =>
  db.updateTable('event_logs').set({ epoch, last_seq: lastSeq, low_water_seq: lowWaterSeq }).where('tenant_id', '=', tenant),
);
const INSERT_EPOCH = statement((db, { tenant, epoch, firstSeq }: { tenant: TenantId; epoch: string; firstSeq: number }) =>
  db.insertInto('log_epochs').values({ tenant_id: tenant, epoch, first_seq: firstSeq }),
);
const COUNT_WORKER = statement((db, { tenant, id, delta }: { tenant: TenantId; id: string; delta: number }) =>
  db
    .updateTable('workers')
    .set((eb) => ({ running: eb('running', '+', delta) }))
    .where('tenant_id', '=', tenant)
    .where('id', '=', id),
);
const ADD_TO_COUNTERS = statement((db, values: Readonly<Record<CounterName, number>> & { tenant: TenantId; queue: string }) =>
  db
    .updateTable('queue_counters')
    .set((eb) => Object.fromEntries(COUNTER_NAMES.map((name) => [name, eb(name, '+', values[name])])))
    .where('tenant_id', '=', values.tenant)
    .where('queue_name', '=', values.queue),
);
export class Tally {
  readonly #queues = new Map<string, QueueTally>();
  #latest: QueueTally | null = null;
  readonly #workers = new Map<string, { readonly tenant: TenantId; readonly id: string; delta: number }>();
  readonly #heads = new Map<TenantId, Head>();
  readonly #session: Session;
  readonly #epoch: string;
  readonly events: CommittedEvent[] = [];
  ready: ReadyJob[] = [];
  readonly appointments: Appointment[] = [];
  deduplicated = 0;
  readonly usage = new UsageTally();
  readonly deadGroups = new DeadGroupTally();
  /** Tenants that were changed, or whose keys were. */
  readonly changedAccess = new Set<TenantId>();

  /** `epoch`: the part of the log that this process writes. */
  constructor(session: Session, epoch: string) {
    this.#session = session;
    this.#epoch = epoch;
  }

  /** The jobs that came up since the last time. */
  takeReady(): readonly ReadyJob[] {
    const taken = this.ready;
    if (taken.length > 0) this.ready = [];
    return taken;
  }

  get grownLogs(): readonly TenantId[] {
    return [...this.#heads.keys()];
  }

  countState(tenant: TenantId, queue: string, state: JobState, lane: WaitingLane | null, delta: 1 | -1): void {
    const { counters, usage } = this.#queue(tenant, queue);
    add(counters, state, delta);
    if (state === 'queued' || state === 'retry') usage.waitingJobs += delta;
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
    this.#queue(event.tenant, event.queue).activity.note(event, atMs);
  }

  /** The next place in the tenant's log; places are handed out in commit order because one transaction writes at a time. */
  nextSeq(tenant: TenantId): Soon<number> {
    const head = this.#heads.get(tenant);
    return head === undefined || head.epoch !== this.#epoch ? this.#openLog(tenant) : (head.lastSeq += 1);
  }

  async raiseLowWater(tenant: TenantId, removedSeq: number): Promise<void> {
    const head = this.#heads.get(tenant) ?? (await this.#readHead(tenant));
    head.lowWaterSeq = Math.max(head.lowWaterSeq, removedSeq);
  }

  async flush(nowMs: number): Promise<void> {
    for (const queue of this.#queues.values()) await this.#flushQueue(queue, nowMs);
    await this.usage.flush(this.#session);
    await this.deadGroups.flush(this.#session);
    for (const { tenant, id, delta } of this.#workers.values()) if (delta !== 0) await this.#session.change(COUNT_WORKER, { tenant, id, delta });
    for (const [tenant, head] of this.#heads) await this.#session.change(UPDATE_HEAD, { tenant, ...head });
  }

  #queue(tenant: TenantId, queue: string): QueueTally {
    // Most of what one transaction does is about one queue.
    if (this.#latest?.queue === queue && this.#latest.tenant === tenant) return this.#latest;
    const key = `${tenant}\n${queue}`;
    const found: QueueTally = this.#queues.get(key) ?? { tenant, queue, counters: {}, activity: new ActivityTally(), usage: this.usage.of(tenant) };
    this.#queues.set(key, found);
    this.#latest = found;
    return found;
  }

  /** The first place that this transaction writes to. */
  async #openLog(tenant: TenantId): Promise<number> {
    const head = this.#heads.get(tenant) ?? (await this.#readHead(tenant));
    head.lastSeq += 1;
    if (head.epoch === this.#epoch) return head.lastSeq;
    head.epoch = this.#epoch;
    await this.#session.change(INSERT_EPOCH, { tenant, epoch: this.#epoch, firstSeq: head.lastSeq });
    return head.lastSeq;
  }

  async #readHead(tenant: TenantId): Promise<Head> {
    const row = await this.#session.first(HEAD, { tenant });
    if (row === null) await this.#session.change(INSERT_HEAD, { tenant });
    const head = { epoch: row?.epoch ?? '', lastSeq: row?.last_seq ?? 0, lowWaterSeq: row?.low_water_seq ?? 0 };
    this.#heads.set(tenant, head);
    return head;
  }

  async #flushQueue({ tenant, queue, counters, activity }: QueueTally, nowMs: number): Promise<void> {
    if (COUNTER_NAMES.some((name) => (counters[name] ?? 0) !== 0)) {
      await this.#session.change(ADD_TO_COUNTERS, { ...NO_COUNTS, ...counters, tenant, queue });
    }
    await activity.flush(this.#session, { tenant, queue }, counters, nowMs);
  }
}
