/** What must hold after every step of a history, whatever was done: both queues hold the same, and each is consistent in itself. */
import { expect } from 'vitest';
import { type JobEvent, replay } from '../../src/domain/events.ts';
import type { Job, JobState, TenantId } from '../../src/domain/job.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { inspect } from '../../src/store/inspection/inspect.ts';
import type { LogPosition } from '../../src/store/requests.ts';
import { recountedUsage } from '../support/recounted-usage.ts';
import { replayedRow } from '../../src/store/inspection/replayed-row.ts';
import { tenant } from '../support/tenants.ts';
import { TENANTS } from './history-commands.ts';
import type { Names } from './history-names.ts';
import type { ModelQueue } from './model.ts';
import { WHOLE_PAGE } from './repository-driver.ts';

const NO_JOBS: Readonly<Record<JobState, number>> = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0 };
const EVERYTHING = 1_000;
/** Tokens are 43 characters of base64url; the rest are texts that the commands send. */
const SECRETS = /canary|[A-Za-z0-9_-]{43}/;

export class HistoryChecks {
  readonly #model: ModelQueue;
  readonly #store: LeaseRepository;
  readonly #db: Engine['db'];
  readonly #names: Names;
  /** Events of living jobs, and the last one of purged jobs, as the store has told them so far. */
  readonly #told = new Map<string, readonly JobEvent[]>();
  readonly #read = new Map<string, { readonly model: LogPosition | null; readonly store: LogPosition | null }>();

  constructor({ model, store, engine }: { readonly model: ModelQueue; readonly store: LeaseRepository; readonly engine: Pick<Engine, 'db'> }, names: Names) {
    this.#model = model;
    this.#store = store;
    this.#db = engine.db;
    this.#names = names;
  }

  async compareAll(): Promise<void> {
    const recount = new Map<string, Record<JobState, number>>();
    for (const name of TENANTS) {
      const jobs = await this.#compareRows(tenant(name));
      await this.#compareNewEvents(tenant(name));
      this.#checkReplay(jobs);
      expect(await this.#store.usage(tenant(name))).toEqual(await recountedUsage(this.#store, tenant(name), jobs));
      await this.#checkGroups(tenant(name), jobs);
      for (const { queue, state } of jobs) {
        const counts = recount.get(`${name} ${queue}`) ?? { ...NO_JOBS };
        counts[state] += 1;
        recount.set(`${name} ${queue}`, counts);
      }
    }
    await this.#checkCounters(recount);
    expect((await inspect({ db: this.#db, replays: true })).flatMap(({ breaches }) => breaches)).toEqual([]);
  }

  /** The whole log, and the ledger and the timeline of every job, at the end. */
  async compareLedgers(): Promise<void> {
    for (const name of TENANTS) {
      const [model, store] = [await this.#model.eventsAfter(tenant(name), null, {}), await this.#store.eventsAfter(tenant(name), null, {}, EVERYTHING)];
      await this.#checkWorkers(tenant(name));
      await this.#checkJobsOfGroups(tenant(name));
      this.#names.expectSame('log', { model: this.#byJob(model.events), store: this.#byJob(store.events) });
    }
    for (const { tenant: owner, id } of this.#names.jobs) {
      const [model, store] = [await this.#model.jobById(owner, id.model), await this.#store.jobById(owner, id.store)];
      if (model === null || store === null) continue;
      const ledger = (await this.#store.attempts(owner, store, WHOLE_PAGE)).rows.map(({ row }) => row);
      this.#names.expectSame('ledger', { model: (await this.#model.attempts(owner, model)).rows.map(({ row }) => row), store: ledger });
      const timeline = await this.#store.timeline(owner, id.store, null, EVERYTHING);
      expect(timeline).toMatchObject({ gap: null, hasMore: false });
      expect(timeline.events).toEqual(this.#told.get(id.store));
      expect((await this.#store.queueStats(owner, store.queue)).counts).toEqual((await this.#model.queueStats(owner, store.queue)).counts);
      for (const { outcome } of ledger) this.#names.note(`attempt ${outcome}`);
    }
  }

  /** What workers are said to hold equals what is leased to them. */
  async #checkWorkers(owner: TenantId): Promise<void> {
    const { rows } = await this.#store.jobs(owner, { states: ['running'] }, 'oldest_first', { ...WHOLE_PAGE, limit: EVERYTHING });
    const recount = Object.fromEntries([...Map.groupBy(rows, ({ row }) => row.lease?.workerId ?? '')].map(([id, held]) => [id, held.length]));
    const told = (await this.#store.workers(owner, 0)).filter(({ runningJobs }) => runningJobs > 0).map(({ id, runningJobs }) => [id, runningJobs]);
    expect(Object.fromEntries(told)).toEqual(recount);
  }

  async #compareRows(owner: TenantId): Promise<readonly Job[]> {
    const rows = (await this.#store.jobs(owner, {}, 'oldest_first', { ...WHOLE_PAGE, limit: EVERYTHING })).rows.map(({ row }) => row);
    const known = this.#names.jobs.filter((job) => job.tenant === owner);
    const expected = await Promise.all(known.map(({ id }) => this.#model.jobById(owner, id.model)));
    this.#names.expectSame('rows', { model: expected.filter((job) => job !== null), store: rows });
    expect(rows.filter(({ state, lease }) => (lease !== null) !== (state === 'running'))).toEqual([]);
    return rows;
  }

  async #compareNewEvents(owner: TenantId): Promise<void> {
    const read = this.#read.get(owner) ?? { model: null, store: null };
    const [model, store] = [await this.#model.eventsAfter(owner, read.model, {}), await this.#store.eventsAfter(owner, read.store, {}, EVERYTHING)];
    expect(store).toMatchObject({ gap: null, hasMore: false });
    expect(store.events.map(({ seq }) => seq)).toEqual(store.events.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(store.events.every(({ seq }) => seq > (read.store?.seq ?? 0) && seq <= store.position.seq)).toBe(true);
    // Jobs that one command changes together may be written in any order; the events of each job may not.
    this.#names.expectSame('events', { model: this.#byJob(model.events), store: this.#byJob(store.events) });
    expect(JSON.stringify(store.events.map(({ detail }) => detail))).not.toMatch(SECRETS);
    for (const event of store.events) {
      this.#names.note(`event ${event.kind}`);
      this.#told.set(event.jobId, event.kind === 'PURGED' ? [event] : [...(this.#told.get(event.jobId) ?? []), event]);
    }
    this.#read.set(owner, { model: model.position, store: store.position });
  }

  /** A job's row always equals the replay of its events. */
  #checkReplay(jobs: readonly Job[]): void {
    expect(jobs.map(({ id }) => replay(this.#told.get(id) ?? []))).toEqual(jobs.map(replayedRow));
  }

  /** Counters equal a recount of the jobs. */
  async #checkCounters(recount: ReadonlyMap<string, Readonly<Record<JobState, number>>>): Promise<void> {
    const gauges = await this.#store.gauges(EVERYTHING);
    expect(gauges.map(({ counts }) => counts)).toEqual(gauges.map(({ tenant: owner, queue }) => recount.get(`${owner} ${queue}`) ?? NO_JOBS));
    expect(gauges.filter(({ counts, ready, delayed }) => ready + delayed !== counts.queued + counts.retry)).toEqual([]);
  }

  /** Groups equal a recount of the dead jobs. */
  async #checkGroups(owner: TenantId, jobs: readonly Job[]): Promise<void> {
    const dead = Map.groupBy(
      jobs.filter(({ state }) => state === 'dead'),
      ({ deadGroup }) => deadGroup ?? 'none',
    );
    const { rows } = await this.#store.deadLetterGroups(owner, {}, 'count', { ...WHOLE_PAGE, limit: EVERYTHING });
    const told = rows.map(({ row: { id, queue, task, count } }) => ({ id, queue, task, count }));
    const recount = [...dead].map(([id, members]) => ({ id, queue: members[0]?.queue, task: members[0]?.task, count: members.length }));
    expect(told.toSorted(byId)).toEqual(recount.toSorted(byId));
  }

  /** The list and the count of each group hold its jobs, and no other. */
  async #checkJobsOfGroups(owner: TenantId): Promise<void> {
    const all = (await this.#store.jobs(owner, { states: ['dead'] }, 'oldest_first', { ...WHOLE_PAGE, limit: EVERYTHING })).rows.map(({ row }) => row);
    for (const [id, members] of Map.groupBy(all, ({ deadGroup }) => deadGroup ?? 'none')) {
      const filter = { deadLetterGroups: [id] };
      const found = await this.#store.jobs(owner, filter, 'oldest_first', { ...WHOLE_PAGE, limit: EVERYTHING });
      expect(found.rows.map(({ row }) => row.id)).toEqual(members.map((job) => job.id));
      expect(await this.#store.countJobs(owner, filter)).toEqual({ value: members.length, exact: true });
      if (members.length > 1) this.#names.note('group of several');
    }
  }

  #byJob(events: readonly JobEvent[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...Map.groupBy(events, ({ jobId }) => this.#names.label(jobId))].toSorted(([a], [b]) => a.localeCompare(b)));
  }
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id.localeCompare(b.id);
}
