/** Runs operations on the real store and writes down, in the order of the storage log, which of them were acknowledged. */
import { writeSync } from 'node:fs';
import type { Job } from '../../src/domain/job.ts';
import type { Queue } from '../../src/store/answers.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { ALICE, type TestStore } from '../support/store.ts';

/** What an acknowledgement says: all of this was so in one and the same state of the store. */
export interface Outcome {
  /** By id; null: it is gone. */
  readonly jobs: Readonly<Record<string, Job | null>>;
  /** By name. */
  readonly queues: Readonly<Record<string, Queue>>;
  /** Ids by idempotency key, in the queue `q`. */
  readonly keys: Readonly<Record<string, string>>;
}

/** `before_commit` is a planted fault: it acknowledges what is not even committed. */
export type Acknowledging = 'after_commit' | 'before_commit';

export class Producer {
  readonly #parts: TestStore;
  readonly #acknowledge: (outcome: Promise<Outcome>) => void;
  readonly #acknowledging: Acknowledging;

  constructor(parts: TestStore, acknowledge: (outcome: Promise<Outcome>) => void, acknowledging: Acknowledging) {
    this.#parts = parts;
    this.#acknowledge = acknowledge;
    this.#acknowledging = acknowledging;
  }

  /** No two operations happen at the same instant, so that no two leave the same rows. */
  async run<Answer>(
    operation: (store: LeaseRepository) => Promise<Answer>,
    outcomeOf: (answer: Answer) => Partial<Outcome> | Promise<Partial<Outcome>>,
  ): Promise<Answer> {
    const outcome = Promise.withResolvers<Outcome>();
    this.#parts.clock.advance(1);
    const running = operation(this.#parts.store);
    if (this.#acknowledging === 'before_commit') this.#acknowledge(outcome.promise);
    const answer = await running;
    if (this.#acknowledging === 'after_commit') this.#acknowledge(outcome.promise);
    outcome.resolve({ jobs: {}, queues: {}, keys: {}, ...(await outcomeOf(answer)) });
    return answer;
  }

  /** The jobs as they are now, for answers that do not hold them. */
  async look(ids: readonly string[]): Promise<Pick<Outcome, 'jobs'>> {
    const jobs = await Promise.all(ids.map(async (id) => [id, await this.#parts.store.jobById(ALICE, id)] as const));
    return { jobs: Object.fromEntries(jobs) };
  }

  advance(ms: number): void {
    this.#parts.clock.advance(ms);
  }
}

/** Numbers the acknowledgements in the order in which they are given, and marks each in the storage log. */
export class Acknowledgements {
  readonly #marks: number;
  readonly #first: number;
  readonly #outcomes: Promise<Outcome>[] = [];

  /** `marks`: descriptor of the file that the storage log watches. */
  constructor(marks: number, first: number) {
    this.#marks = marks;
    this.#first = first;
  }

  readonly add = (outcome: Promise<Outcome>): void => {
    const number = this.#first + this.#outcomes.push(outcome) - 1;
    writeSync(this.#marks, `${number}\n`);
  };

  /** By number. */
  outcomes(): Promise<readonly Outcome[]> {
    return Promise.all(this.#outcomes);
  }
}
