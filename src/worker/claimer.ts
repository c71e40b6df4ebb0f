/**
 * Asks for work, one claim at a time. Once in a turn of the event loop it looks at what there is to say: what is finished
 * and the heartbeats that are due travel with the claim, in one request. Where nothing is to be done the claim waits at
 * the server. No claim is ever given up: where its answer was lost, the next one repeats its request id and gets the same leases.
 */
import { retryPauseMs } from '../client/backoff.ts';
import type { Caller } from '../client/caller.ts';
import { LeaseQueueError } from '../client/errors.ts';
import type { WorkerClaimFieldsFragment } from '../client/generated/graphql.ts';
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import { type ClaimRequest, claimRequest, type Finished, FinishedJobs, isAskedFor, isWaiting, recoveryRequest } from './claim-request.ts';
import { askForWork } from './ask-for-work.ts';
import type { ClaimedLease, HeldLease } from './held-lease.ts';
import { joined, type Lane } from './lanes.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Tell } from './worker-events.ts';

export interface ClaimerParts {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Calls back at the end of the turn. */
  readonly atTurnEnd: (callback: () => void) => void;
  readonly keeper: () => LeaseKeeper;
  readonly tell: Tell;
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly waitSeconds: number;
  /** What may be asked for now. */
  readonly lanes: () => readonly Lane[];
  readonly take: (leases: readonly ClaimedLease[], sentMs: number) => void;
  /** Refused for good. */
  readonly refused: (error: LeaseQueueError) => void;
}

const RECOVERY_TRIES = 3;

/** What the worker was refused as such; anything else may be better next time. */
const FINAL: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
  'GRAPHQL_PARSE_FAILED',
  'BAD_REQUEST',
]);
/** What one of the results may be to blame for. */
const BLAMES_RESULT: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'REQUEST_ENTITY_TOO_LARGE', 'OPERATION_TOO_COMPLEX']);

/** A claim that is on its way. */
interface Flight {
  /** Gives up waiting for jobs; what the server gave meanwhile is asked for again. */
  readonly cut: AbortController;
  readonly claim: ClaimRequest;
  readonly done: Promise<void>;
}

export class Claimer {
  readonly #parts: ClaimerParts;
  readonly #finished = new FinishedJobs();
  readonly #closing = new AbortController();
  #beats: HeldLease[] = [];
  /** Of a claim whose answer did not come. */
  #openRequestId: string | null = null;
  /** The server may have given leases under it. */
  #isInDoubt = false;
  #claims = 0;
  #emptyInARow = 0;
  #failures = 0;
  #isPlanned = false;
  /** Since the server asked for that, or cannot be reached. */
  #isResting = false;
  #flight: Flight | null = null;

  constructor(parts: ClaimerParts) {
    this.#parts = parts;
  }

  /** Reports that a job is done: with the next claim, or at once where none is due. */
  finish(finished: Finished): void {
    this.#finished.add(finished);
    this.plan();
  }

  /** True: the heartbeats travel with the next claim, which is about to be sent. */
  offer(due: readonly HeldLease[]): boolean {
    const isSoon = this.#flight !== null && !isWaiting(this.#flight.claim) && !this.#isClosed;
    if (isSoon) this.#beats = [...due];
    return isSoon;
  }

  /** Looks at the end of this turn what there is to ask for. */
  plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#parts.atTurnEnd(() => {
      this.#isPlanned = false;
      this.#turn();
    });
  }

  /** Takes nothing more. Ends when it is certain that no lease is left behind at the server, as far as that can be told. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#flight !== null && isWaiting(this.#flight.claim)) this.#flight.cut.abort();
    await this.#flight?.done;
    this.#flush();
    if (this.#isInDoubt) await this.#recover();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #turn(): void {
    const lanes = this.#isClosed || this.#isResting ? [] : this.#parts.lanes();
    if (this.#flight !== null) this.#beside(this.#flight, lanes);
    else if (lanes.length === 0) this.#flush();
    else this.#send(this.#nextClaim(lanes));
  }

  /** While a claim is on its way: one that waits holds nothing up, and is asked anew where a task has room that had none. */
  #beside({ claim, cut }: Flight, lanes: readonly Lane[]): void {
    if (!isWaiting(claim)) return;
    this.#flush();
    if (lanes.some((lane) => !isAskedFor(claim, lane))) cut.abort();
  }

  /** What is finished goes alone, and heartbeats too. */
  #flush(): void {
    this.#finished.sendAlone();
    this.#beat(this.#beats.splice(0));
  }

  #beat(leases: readonly HeldLease[]): void {
    if (leases.length > 0) this.#parts.keeper().beat(leases);
  }

  /** A quick one carries what is finished and takes turns among the lanes; one that waits asks for everything. */
  #nextClaim(lanes: readonly Lane[]): ClaimRequest {
    const { workerId, queues, chance, waitSeconds } = this.#parts;
    const completing = this.#finished.take();
    const isQuick = completing.length > 0 || (lanes.length > 1 && this.#emptyInARow < lanes.length);
    const lane = (isQuick ? lanes[this.#claims++ % lanes.length] : undefined) ?? joined(lanes);
    const requestId = (this.#openRequestId ??= chance.word());
    return claimRequest({ workerId, queues, requestId, lane, waitSeconds: isQuick ? 0 : waitSeconds, completing });
  }

  #send(claim: ClaimRequest): void {
    const cut = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#flight = { cut, claim, done };
    const beats = this.#beats.splice(0);
    if (isWaiting(claim)) this.#beat(beats);
    void this.#ask(claim, isWaiting(claim) ? [] : beats, cut.signal).then((pauseMs) => {
      this.#flight = null;
      resolve();
      if (pauseMs > 0) void this.#rest(pauseMs);
      this.plan();
    });
  }

  async #rest(pauseMs: number): Promise<void> {
    this.#isResting = true;
    await this.#parts.clock.sleep(pauseMs, this.#closing.signal);
    this.#isResting = false;
    this.plan();
  }

  /** Answers with how long to rest before the next claim, in milliseconds. */
  async #ask(claim: ClaimRequest, beats: readonly HeldLease[], signal: AbortSignal): Promise<number> {
    const sentMs = this.#parts.clock.monotonicMs();
    try {
      return this.#answered(claim, await askForWork(this.#parts.caller, this.#parts.keeper(), claim.input, beats, signal), sentMs);
    } catch (error) {
      if (signal.aborted) return this.#cut(claim);
      if (!(error instanceof LeaseQueueError)) throw error;
      return this.#stumbled(claim, error);
    }
  }

  #answered({ input, completing }: ClaimRequest, { completed, leases, pollAgainInMs, idle }: WorkerClaimFieldsFragment, sentMs: number): number {
    if (this.#failures > 0) this.#parts.tell({ type: 'server-reachable' });
    this.#failures = 0;
    [this.#openRequestId, this.#isInDoubt] = [null, false];
    for (const [index, { answered }] of completing.entries()) answered(completed[index] ?? null);
    this.#emptyInARow = leases.length === 0 ? this.#emptyInARow + 1 : 0;
    if (leases.length > 0) this.#parts.take(leases, sentMs);
    if (leases.length === 0 && input.waitSeconds > 0 && idle !== 'SHUTTING_DOWN') this.#parts.tell({ type: 'no-work' });
    const isToRest = leases.length === 0 && (input.waitSeconds > 0 || idle === 'SHUTTING_DOWN');
    return isToRest ? pollAgainInMs : 0;
  }

  #cut({ completing }: ClaimRequest): number {
    this.#isInDoubt = true;
    this.#finished.putBack(completing);
    return 0;
  }

  #stumbled({ completing }: ClaimRequest, error: LeaseQueueError): number {
    const isOfResult = completing.length > 0 && BLAMES_RESULT.has(error.code);
    this.#finished.putBack(completing);
    if (error.isOutcomeUnknown) this.#isInDoubt = true;
    if (isOfResult) {
      this.#finished.sendAlone();
      return 0;
    }
    if (FINAL.has(error.code)) {
      this.#openRequestId = null;
      this.#closing.abort();
      this.#parts.refused(error);
      return 0;
    }
    if (this.#failures === 0) this.#parts.tell({ type: 'server-unreachable', error });
    this.#failures += 1;
    return retryPauseMs(this.#failures - 1, this.#parts.chance, error.retryAfterMs);
  }

  /** Finds the leases of a claim whose answer did not come, by its id, in a claim that can take nothing new. */
  async #recover(): Promise<void> {
    for (let tries = 0; this.#openRequestId !== null && tries < RECOVERY_TRIES; tries++) {
      const { workerId, queues, clock, chance } = this.#parts;
      const claim = recoveryRequest({ workerId, queues, requestId: this.#openRequestId });
      const pauseMs = await this.#ask(claim, [], new AbortController().signal);
      if (this.#openRequestId !== null) await clock.sleep(Math.max(pauseMs, retryPauseMs(tries, chance, null)));
    }
  }
}
