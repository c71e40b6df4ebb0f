/**
 * The states that a run committed, one after another, and which of them each acknowledgement needs. After a crash the
 * store has to hold exactly one of these, and none older than the last acknowledgement.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Job } from '../../src/domain/job.ts';
import type { Queue } from '../../src/store/answers.ts';
import { ALICE, openTestStore } from '../support/store.ts';
import { inconsistencies, READ_WHOLE } from './consistency.ts';
import { Disk, type DiskFiles } from './disk.ts';
import type { Outcome } from './producer.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { RecoveryBench } from './recovery.ts';

interface CommittedState {
  readonly content: string;
  readonly jobs: Readonly<Record<string, Job>>;
  readonly queues: Readonly<Record<string, Queue>>;
  readonly keys: Readonly<Record<string, string>>;
}

export type Verdict = 'kept' | 'acknowledged work is lost' | 'a state that never was committed';

export class CommittedStates {
  readonly #places: ReadonlyMap<string, number>;
  /** By number of the acknowledgement: the first state that holds it. */
  readonly #needed: readonly number[];
  readonly count: number;
  /** What is wrong with the run itself, whatever crashes. */
  readonly complaints: readonly string[];

  constructor(states: readonly CommittedState[], outcomes: readonly Outcome[], complaints: readonly string[]) {
    this.count = states.length;
    // A commit whose sync failed is seen and then undone: of equal states the last one counts.
    this.#places = new Map(states.map(({ content }, place) => [content, place]));
    const needed: number[] = [];
    const unfulfilled: string[] = [];
    // Acknowledgements come in the order of the commits, so that each one is looked for from the one before it on.
    for (const [number, outcome] of outcomes.entries()) {
      const from = needed.at(-1) ?? 0;
      const place = states.findIndex((state, index) => index >= from && holds(state, outcome));
      if (place === -1) unfulfilled.push(`acknowledgement ${number} was never true: ${JSON.stringify(outcome)}`);
      needed.push(place === -1 ? from : place);
    }
    this.#needed = needed;
    this.complaints = [...complaints, ...unfulfilled];
  }

  /** Whether a store with this content is what a crash may leave after so many acknowledgements. */
  judge(content: string, acknowledged: number): Verdict {
    const place = this.#places.get(content);
    if (place === undefined) return 'a state that never was committed';
    return place < (this.#needed[acknowledged - 1] ?? 0) ? 'acknowledged work is lost' : 'kept';
  }
}

/** Follows the run call by call, as if nothing was ever lost, and looks at each state through the store itself. */
export async function readCommittedStates({ calls, outcomes }: RecordedRun, bench: RecoveryBench): Promise<CommittedStates> {
  const disk = new Disk('visible');
  const states: CommittedState[] = [];
  const complaints: string[] = [];
  const keys = [...new Set(outcomes.flatMap((outcome) => Object.keys(outcome.keys)))];
  let latest = '';
  for (const call of calls) {
    disk.apply(call);
    const everything = disk.after(() => true, 'calls');
    const recovered = bench.recover(everything);
    if (!recovered.isSound) complaints.push(`the running store was damaged: ${recovered.damage}`);
    if (!recovered.isSound || recovered.content === latest) continue;
    latest = recovered.content;
    const { state, found } = await inspect(everything.files, latest, keys, bench);
    states.push(state);
    complaints.push(...found);
  }
  return new CommittedStates(states, outcomes, complaints);
}

async function inspect(
  files: DiskFiles,
  content: string,
  keys: readonly string[],
  bench: RecoveryBench,
): Promise<{ readonly state: CommittedState; readonly found: readonly string[] }> {
  bench.place(files);
  const { store, engine } = await openTestStore({ path: bench.path });
  const jobs = (await store.jobs(ALICE, {}, 'oldest_first', READ_WHOLE)).rows.map(({ row }) => row);
  const queues = (await store.queues(ALICE, READ_WHOLE)).rows.map(({ row }) => row);
  const bound = await Promise.all(keys.map(async (key) => [key, (await store.jobByIdempotencyKey(ALICE, 'q', key))?.id] as const));
  const found = await inconsistencies(engine);
  await store.close();
  const state = {
    content,
    jobs: Object.fromEntries(jobs.map((job) => [job.id, job])),
    queues: Object.fromEntries(queues.map((queue) => [queue.name, queue])),
    keys: Object.fromEntries(bound.flatMap(([key, id]) => (id === undefined ? [] : [[key, id]]))),
  };
  return { state, found };
}

function holds(state: CommittedState, outcome: Outcome): boolean {
  return (
    Object.entries(outcome.jobs).every(([id, job]) => isDeepStrictEqual(state.jobs[id] ?? null, job)) &&
    Object.entries(outcome.queues).every(([name, queue]) => isDeepStrictEqual(state.queues[name], queue)) &&
    Object.entries(outcome.keys).every(([key, id]) => state.keys[key] === id)
  );
}
