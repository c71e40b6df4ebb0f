/** A program that uses the queue, such as one with a worker in it: a client and a clock of its own, and how it dies. */
import { LeaseQueue, type LeaseQueueOptions } from '../client/client.ts';
import type { Transport } from '../client/transport.ts';
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';

export interface ProgramParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Makes its client. Absent: a plain one. */
  readonly createClient?: (options: LeaseQueueOptions) => LeaseQueue;
}

/** Of a server that has no address. */
const URL_OF_NOWHERE = 'http://test-queue.invalid';

export class Program {
  readonly lq: LeaseQueue;
  readonly #death = new AbortController();
  #waiting = 0;

  constructor({ transport, clock, chance, createClient = (options) => new LeaseQueue(options) }: ProgramParts) {
    this.lq = createClient({ url: URL_OF_NOWHERE, transport: this.#mortal(transport), clock: this.#mortalClock(clock), chance });
  }

  get isDead(): boolean {
    return this.#death.signal.aborted;
  }

  /** Requests that have no answer yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** As a crash does: the server loses its connections, and nothing that waited here ever goes on. */
  kill(): void {
    this.#death.abort();
  }

  #mortal(transport: Transport): Transport {
    return {
      send: (request) => this.#answered(transport.send({ ...request, signal: this.#orDeath(request.signal) })),
      open: (request) => this.#answered(transport.open({ ...request, signal: this.#orDeath(request.signal) })),
    };
  }

  #mortalClock(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: (ms, signal) => this.#whileAlive(clock.sleep(ms, this.#orDeath(signal))),
      after: (ms, then) => clock.after(ms, () => this.#death.signal.aborted || then()),
    };
  }

  #orDeath(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#death.signal : AbortSignal.any([signal, this.#death.signal]);
  }

  #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#waiting += 1;
    const answered = answer.finally(() => {
      this.#waiting -= 1;
    });
    return this.#whileAlive(answered);
  }

  #whileAlive<Result>(promise: Promise<Result>): Promise<Result> {
    const { signal } = this.#death;
    return new Promise((resolve, reject) => {
      promise.then(
        (result) => {
          if (!signal.aborted) resolve(result);
        },
        (error: unknown) => {
          if (!signal.aborted) reject(error);
        },
      );
    });
  }
}
