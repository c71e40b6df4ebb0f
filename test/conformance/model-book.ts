/** The model's list of jobs: who is in it, and the one way in which it changes. */
import type { Action, Facts } from '../../src/domain/actions.ts';
import { decide } from '../../src/domain/decide.ts';
import type { JobEvent } from '../../src/domain/events.ts';
import type { InvalidTransition, LeaseLost } from '../../src/domain/failures.ts';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import { isDue, isLeaseLive, type LeaseToken, type TenantId } from '../../src/domain/job.ts';
import type { SubmitOutcome } from '../../src/store/answers.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { type ModelEntry, moveEntry, standingOf } from './model-entry.ts';
import type { ModelQueues } from './model-queues.ts';
import { rolledBack, submitOne } from './model-submission.ts';

export class ModelBook {
  readonly #clock: ManualClock;
  readonly #queues: ModelQueues;
  #entries: readonly ModelEntry[] = [];
  /** What is left of the jobs that an operator removed: their last event. */
  #purged: readonly ModelEntry[] = [];
  readonly #seqs = new Map<TenantId, number>();
  #minted = 0;

  constructor(clock: ManualClock, queues: ModelQueues) {
    this.#clock = clock;
    this.#queues = queues;
  }

  get nowMs(): number {
    return this.#clock.nowMs();
  }

  all(tenant: TenantId): readonly ModelEntry[] {
    return this.#entries.filter((entry) => entry.tenant === tenant);
  }

  find(tenant: TenantId, id: string): ModelEntry | null {
    return this.all(tenant).find(({ job }) => job.id === id) ?? null;
  }

  /** The tenant's events in commit order, those that purged jobs have left included. */
  log(tenant: TenantId): readonly JobEvent[] {
    const purged = this.#purged.filter((entry) => entry.tenant === tenant);
    return [...this.all(tenant), ...purged].flatMap(({ events }) => events).toSorted((a, b) => a.seq - b.seq);
  }

  latestSeq(tenant: TenantId): number {
    return this.#seqs.get(tenant) ?? 0;
  }

  isPaused(tenant: TenantId, queue: string): boolean {
    const found = this.#queues.find(tenant, queue);
    return found !== null && found.pausedAtMs !== null;
  }

  /** Jobs of a queue that a claim could take, in the order in which it takes them. */
  inTurn(tenant: TenantId, queue: string): readonly ModelEntry[] {
    if (this.isPaused(tenant, queue)) return [];
    return this.all(tenant)
      .filter(({ job }) => job.queue === queue && isDue(job, this.nowMs))
      .toSorted(byTurn);
  }

  submit(tenant: TenantId, requests: readonly SubmitRequest[], allOrNothing: boolean): readonly SubmitOutcome[] {
    const before = { entries: this.#entries, seq: this.latestSeq(tenant) };
    const outcomes = requests.map((request) => this.#submitOne(tenant, request));
    if (!allOrNothing || outcomes.every(({ ok }) => ok)) return outcomes;
    this.#entries = before.entries;
    this.#seqs.set(tenant, before.seq);
    return outcomes.map(rolledBack);
  }

  /** Does to the job what the table says, or answers with the refusal. Without a token whoever asks needs none. */
  move(entry: ModelEntry, action: Action, token: string | null): LeaseLost | InvalidTransition | null {
    const verdict = this.#judge(entry, action, token);
    if (!verdict.allowed) return verdict.failure;
    moveEntry(entry, action, verdict, this.nowMs, () => this.#nextSeq(entry.tenant));
    if (verdict.to === 'gone') {
      this.#entries = this.#entries.filter((other) => other !== entry);
      this.#purged = [...this.#purged, entry];
    }
    return null;
  }

  /** The refusal that `move` would answer with; changes nothing. */
  refusalOf(entry: ModelEntry, action: Action): LeaseLost | InvalidTransition | null {
    const verdict = this.#judge(entry, action, null);
    return verdict.allowed ? null : verdict.failure;
  }

  /** Recovers the lapsed leases of a tenant's queue, or all there are; answers with their number. */
  recover(place: { readonly tenant: TenantId; readonly queue: string } | null): number {
    const meant = place === null ? this.#entries : this.all(place.tenant).filter(({ job }) => job.queue === place.queue);
    const lapsed = meant.filter(({ job: { lease } }) => lease !== null && !isLeaseLive(lease, this.nowMs));
    for (const entry of lapsed) this.move(entry, { name: 'expire' }, null);
    return lapsed.length;
  }

  /** Removes the jobs whose time is over, without a trace, and what purges have left as long ago; answers with the number of jobs. */
  retain(purgesKeptMs: number): number {
    const kept = this.#entries.filter(({ job: { purgeAtMs } }) => purgeAtMs === null || purgeAtMs > this.nowMs);
    const removed = this.#entries.length - kept.length;
    this.#entries = kept;
    this.#purged = this.#purged.filter(({ events: [last] }) => last !== undefined && last.atMs > this.nowMs - purgesKeptMs);
    return removed;
  }

  mint(): LeaseToken {
    return `token-${++this.#minted}` as LeaseToken;
  }

  #submitOne(tenant: TenantId, request: SubmitRequest): SubmitOutcome {
    const order = ++this.#minted;
    const place = { tenant, id: `model-${order}`, order, nowMs: this.nowMs, nextSeq: () => this.#nextSeq(tenant) };
    const { outcome, entry } = submitOne(this.#entries, request, this.#queues.settingsOf(tenant, request.queue), place);
    if (entry !== null) this.#entries = [...this.#entries, entry];
    return outcome;
  }

  #judge(entry: ModelEntry, action: Action, token: string | null): ReturnType<typeof decide> {
    const { tenant, job } = entry;
    const facts: Facts = {
      nowMs: this.nowMs,
      jitter: 0,
      token: token === null ? 'current' : standingOf(entry, token),
      queuePaused: this.isPaused(tenant, job.queue),
      retention: this.#queues.settingsOf(tenant, job.queue).retention,
    };
    return decide(job, action, facts);
  }

  #nextSeq(tenant: TenantId): number {
    const seq = this.latestSeq(tenant) + 1;
    this.#seqs.set(tenant, seq);
    return seq;
  }
}

/** Priority high to low, then due time, then submission order. */
function byTurn(one: ModelEntry, other: ModelEntry): number {
  return other.job.priority - one.job.priority || one.job.runAtMs - other.job.runAtMs || one.order - other.order;
}
