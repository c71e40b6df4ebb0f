/**
 * Keeps the leases of a worker alive: renews each at a third of its length, in one request for all that are due, and gives
 * it up by the worker's own clock where no answer came, even if the server stays silent.
 */
import { Batch } from '../client/batch.ts';
import type { Caller } from '../client/caller.ts';
import { LeaseQueueError } from '../client/errors.ts';
import { type HeartbeatItemInput, WorkerBeatDocument, type WorkerBeatFieldsFragment } from '../client/generated/graphql.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { atTurnEnd } from '../runtime/turn.ts';
import type { HeldLease } from './held-lease.ts';
import type { AbortReason } from './outcomes.ts';
import type { Tell } from './worker-events.ts';

type BeatResult = WorkerBeatFieldsFragment['results'][number];

/** A look at the clock each twentieth of the shortest lease. */
const LOOKS_PER_LEASE = 20;
const LOOK_MS_MAX = 1_000;
/** Progress waits this long for company. */
const PROGRESS_EVERY_MS = 1_000;
/** A look that comes this much late says that nothing else could run either. */
const BLOCKED_MS_MIN = 1_000;
/** For the answer to a heartbeat: then it is repeated, while the lease lasts. */
const ANSWER_MS_MAX = 5_000;

const OVERDUE = 'No heartbeat was answered in time: the lease is over by this worker’s own clock.';

/** Heartbeats on their way. */
export interface Turn {
  readonly items: readonly HeartbeatItemInput[];
  end(results: readonly BeatResult[]): void;
}

export interface LeaseKeeperParts {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly tell: Tell;
  /** A heartbeat could travel with something else that is about to be sent. False: it has to go alone. */
  readonly offer: (due: readonly HeldLease[]) => boolean;
}

export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  readonly #held = new Set<HeldLease>();
  readonly #batch: Batch<HeartbeatItemInput, BeatResult>;
  #looking: AbortController | null = null;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
    this.#batch = new Batch({ list: 'leases', send: (items) => this.#send(items), atTurnEnd, monotonicMs: () => parts.clock.monotonicMs() });
  }

  get size(): number {
    return this.#held.size;
  }

  add(lease: HeldLease): void {
    this.#held.add(lease);
    if (this.#looking === null) void this.#look();
  }

  /** Nothing more is done for it. */
  remove(lease: HeldLease): void {
    this.#held.delete(lease);
  }

  /** Looks no more. */
  close(): void {
    this.#held.clear();
    this.#looking?.abort();
  }

  [Symbol.iterator](): Iterator<HeldLease> {
    return this.#held.values();
  }

  /** The lease is over: whoever works under it is told. */
  lose(lease: HeldLease, message: string): void {
    if (!this.#held.has(lease)) return;
    this.remove(lease);
    this.abort(lease, 'lease-lost');
    this.#parts.tell({ type: 'lease-lost', job: lease.job, message });
  }

  /** Whether work may be done under it. It is given up where its time is over: nothing may have looked at the clock for long. */
  isAlive(lease: HeldLease): boolean {
    if (this.#parts.clock.monotonicMs() >= lease.deadlineMs) this.lose(lease, OVERDUE);
    return !lease.signal.aborted;
  }

  abort(lease: HeldLease, reason: AbortReason): void {
    if (lease.abort(reason)) this.#parts.tell({ type: 'job-aborted', job: lease.job, reason });
  }

  /** Heartbeats that somebody else sends, now. `end` has to be called with their results, or with none where there is no answer. */
  begin(leases: readonly HeldLease[]): Turn {
    const sentMs = this.#parts.clock.monotonicMs();
    const sent = leases.filter((lease) => this.#held.has(lease) && !lease.isBeating);
    return {
      items: sent.map((lease) => this.#itemOf(lease)),
      end: (results) => {
        for (const [index, lease] of sent.entries()) this.#beaten(lease, sentMs, results[index] ?? null);
      },
    };
  }

  /** Its progress counts as sent. */
  #itemOf(lease: HeldLease): HeartbeatItemInput {
    const { job, token, registration, progress } = lease;
    [lease.isBeating, lease.progress] = [true, null];
    return { jobId: job.id, leaseToken: token, extendSeconds: registration.leaseSeconds, ...(progress !== null && { progress: { ...progress } }) };
  }

  /** Null: whether it was renewed is unknown. */
  #beaten(lease: HeldLease, sentMs: number, result: BeatResult | null): void {
    lease.isBeating = false;
    lease.beatenMs = sentMs;
    if (result === null) lease.nextBeatMs = this.#parts.clock.monotonicMs() + this.#lookMs();
    else if (result.__typename !== 'LeaseRenewed') this.#gone(lease, result.message);
    else {
      lease.renewed(sentMs, result.leaseSeconds);
      if (result.cancelRequested) this.abort(lease, 'cancelled');
    }
  }

  #gone(lease: HeldLease, message: string): void {
    if (!lease.isSettling) this.lose(lease, message);
  }

  async #look(): Promise<void> {
    const { clock, tell } = this.#parts;
    const looking = (this.#looking = new AbortController());
    while (this.#held.size > 0) {
      const pauseMs = this.#lookMs();
      const expectedMs = clock.monotonicMs() + pauseMs;
      await clock.sleep(pauseMs, looking.signal);
      const blockedMs = clock.monotonicMs() - expectedMs;
      if (blockedMs >= BLOCKED_MS_MIN) tell({ type: 'event-loop-blocked', blockedMs });
      this.#act(clock.monotonicMs());
    }
    this.#looking = null;
  }

  #lookMs(): number {
    let shortestSeconds: number = LIMITS.leaseSecondsMax;
    for (const { registration } of this.#held) shortestSeconds = Math.min(shortestSeconds, registration.leaseSeconds);
    return Math.min(LOOK_MS_MAX, (shortestSeconds * 1_000) / LOOKS_PER_LEASE);
  }

  #act(nowMs: number): void {
    const due: HeldLease[] = [];
    for (const lease of this.#held) {
      if (nowMs >= lease.deadlineMs) this.lose(lease, OVERDUE);
      else if (!lease.isBeating && isDue(lease, nowMs)) due.push(lease);
    }
    if (due.length > 0 && !this.#parts.offer(due)) this.beat(due);
  }

  /** Sends heartbeats of their own. */
  beat(leases: readonly HeldLease[]): void {
    const sentMs = this.#parts.clock.monotonicMs();
    for (const lease of leases) {
      if (!this.#held.has(lease) || lease.isBeating) continue;
      this.#batch.add(this.#itemOf(lease)).then(
        (result) => this.#beaten(lease, sentMs, result),
        (error: unknown) => this.#unbeaten(lease, sentMs, error),
      );
    }
  }

  /** Who is refused by name would be refused again. Everything else is tried again while the lease lasts. */
  #unbeaten(lease: HeldLease, sentMs: number, error: unknown): void {
    this.#beaten(lease, sentMs, null);
    const isRefused = error instanceof LeaseQueueError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');
    if (isRefused) lease.nextBeatMs = lease.deadlineMs;
  }

  async #send(items: readonly string[]): Promise<readonly BeatResult[]> {
    const answered = await this.#parts.caller.callText(WorkerBeatDocument, `{"heartbeat":{"leases":[${items.join(',')}]}}`, {
      isRepeatable: true,
      patienceMs: 0,
      answerMs: ANSWER_MS_MAX,
    });
    return answered.heartbeat?.results ?? [];
  }
}

function isDue(lease: HeldLease, nowMs: number): boolean {
  return nowMs >= lease.nextBeatMs || (lease.progress !== null && nowMs - lease.beatenMs >= PROGRESS_EVERY_MS);
}
