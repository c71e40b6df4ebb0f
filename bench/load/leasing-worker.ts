/**
 * A worker as the library for users works: it asks for as many jobs as it has room for, brings along what is finished,
 * waits at the server where nothing is to be done, and keeps the leases of what waits in it.
 */
import type { CoalescingClient, Lease } from './coalescing-client.ts';
import type { WorkOptions } from './queue.ts';

const CLAIM_MAX = 100;
const WAIT_SECONDS = 10;
/** Short, so that leases are renewed within a measurement. */
const LEASE_SECONDS = 6;
const HEARTBEAT_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;

let workers = 0;

export interface LeasingOptions extends WorkOptions {
  /** Claims that are on their way at the same time, each for a share of the room: while one travels, another's jobs run. */
  readonly claimsAtOnce: number;
}

export class LeasingWorker {
  readonly #client: CoalescingClient;
  readonly #options: LeasingOptions;
  readonly #workerId: string;
  readonly #claimMax: number;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting: Lease[] = [];
  #finished: Lease[] = [];
  #running = 0;
  #asked = 0;
  #claims = 0;
  #isPlanned = false;
  #isStopped = false;

  constructor(client: CoalescingClient, options: LeasingOptions) {
    this.#client = client;
    this.#options = options;
    workers += 1;
    this.#workerId = `bench-${process.pid}-${workers}`;
    this.#claimMax = Math.min(CLAIM_MAX, Math.ceil((options.concurrency + options.prefetch) / options.claimsAtOnce));
    this.#timer = setInterval(() => this.#renew(), HEARTBEAT_EVERY_MS);
    this.#plan();
  }

  /** Takes nothing more. Leases that it holds are left to lapse. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Once a turn, so that everything of the turn travels together. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (!this.#isStopped) this.#send();
    });
  }

  #send(): void {
    const { claimsAtOnce, concurrency, prefetch } = this.#options;
    const room = Math.min(this.#claimMax, concurrency + prefetch - this.#running - this.#waiting.length - this.#asked);
    const isWorthIt = room >= Math.min(this.#claimMax, Math.max(1, prefetch / 4));
    if (room > 0 && isWorthIt && this.#claims < claimsAtOnce) this.#claim(room).catch(this.#fail);
    else if (this.#finished.length > 0) this.#settle();
  }

  readonly #fail = (error: unknown): void => {
    if (!this.#isStopped) this.#options.onProblem(error instanceof Error ? error : new Error(String(error)));
  };

  async #claim(max: number): Promise<void> {
    const completing = this.#finished.slice(0, CLAIM_MAX);
    this.#finished = this.#finished.slice(CLAIM_MAX);
    this.#asked += max;
    this.#claims += 1;
    // The answer about what it brings along would come only after the wait.
    const waitSeconds = completing.length > 0 ? 0 : WAIT_SECONDS;
    const leases = await this.#client.claim({ max, waitSeconds, leaseSeconds: LEASE_SECONDS, workerId: this.#workerId }, completing);
    this.#asked -= max;
    this.#claims -= 1;
    for (const _ of completing) this.#options.onDone();
    this.#waiting.push(...leases);
    this.#start();
    this.#plan();
  }

  #settle(): void {
    const finished = this.#finished;
    this.#finished = [];
    for (const lease of finished) this.#client.complete(lease).then(this.#options.onDone, this.#fail);
  }

  #start(): void {
    while (this.#running < this.#options.concurrency) {
      const lease = this.#waiting.shift();
      if (lease === undefined) return;
      this.#running += 1;
      this.#options.onStart(lease.job.payload.n);
      // A handler that does nothing still ends in a turn of its own microtasks, as any handler does.
      void Promise.resolve().then(() => this.#finish(lease));
    }
  }

  #finish(lease: Lease): void {
    this.#running -= 1;
    this.#finished.push(lease);
    this.#start();
    this.#plan();
  }

  #renew(): void {
    for (const lease of this.#waiting) this.#client.heartbeat(lease).catch(this.#fail);
  }
}
