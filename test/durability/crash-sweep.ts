/** Every point of a run at which the power can fail, and a seeded choice of what the disk may hold then. */
import { seededEntropy } from '../support/seeded-entropy.ts';
import type { CommittedStates, Verdict } from './committed-states.ts';
import { Disk, type Grain, type Survival } from './disk.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { RecoveryBench } from './recovery.ts';

type Failure = Exclude<Verdict, 'kept'> | 'damaged';

export interface SweepReport {
  /** Calls before which the power was cut, and the end. */
  readonly points: number;
  /** Different disks that were opened. */
  readonly states: number;
  /** Of these: disks that lack something that was written. */
  readonly lacking: number;
  readonly failures: Readonly<Record<Failure, number>>;
  /** The first few failures, in words. */
  readonly examples: readonly string[];
}

const EXAMPLES_MAX = 5;
/** Shares of the unsynced parts that survive: little, half, nearly all. */
const SHARES = [0.15, 0.5, 0.9];
/** A point with few unsynced parts has few states: after these tries its share is left to later points. */
const TRIES_PER_STATE = 3;

/** One way in which the disk comes out of a power cut. */
interface Cut {
  readonly name: 'kept' | 'dropped' | 'some' | 'torn';
  readonly grain: Grain;
  readonly survives: Survival;
}

const KEPT: Cut = { name: 'kept', grain: 'calls', survives: () => true };
const DROPPED: Cut = { name: 'dropped', grain: 'calls', survives: () => false };

/** Sweeps one run, once. */
export class CrashSweep {
  readonly #committed: CommittedStates;
  readonly #bench: RecoveryBench;
  readonly #random: () => number;
  readonly #failures: Record<Failure, number> = { 'acknowledged work is lost': 0, 'a state that never was committed': 0, damaged: 0 };
  readonly #examples: string[] = [];
  readonly #disk = new Disk('lost');
  #point = 0;
  #acknowledged = 0;
  #lacking = 0;

  constructor(committed: CommittedStates, bench: RecoveryBench, seed: number) {
    this.#committed = committed;
    this.#bench = bench;
    this.#random = seededEntropy({ seed }).ratio;
  }

  /** Opens about `statesWanted` different disks, evenly over all points; at each at least what is kept and what is dropped. */
  run({ calls }: RecordedRun, statesWanted: number): SweepReport {
    const points = calls.filter(({ kind }) => kind !== 'mark').length + 1;
    const opened = this.#bench.opened;
    const shareUpTo = (point: number): number => opened + Math.ceil(((statesWanted - opened) * point) / points);
    for (const call of calls) {
      if (call.kind === 'mark') this.#acknowledged = Number(call.bytes.toString()) + 1;
      else {
        this.#cut(shareUpTo(this.#point + 1));
        this.#disk.apply(call);
      }
    }
    this.#cut(statesWanted);
    return { points, states: this.#bench.opened, lacking: this.#lacking, failures: this.#failures, examples: this.#examples };
  }

  /** Cuts the power at this point in different ways, until so many disks were opened in all. */
  #cut(statesWanted: number): void {
    this.#point += 1;
    this.#judge(KEPT);
    if (!this.#disk.hasPending()) return;
    this.#judge(DROPPED);
    const tries = TRIES_PER_STATE * Math.max(0, statesWanted - this.#bench.opened);
    for (let number = 0; number < tries && this.#bench.opened < statesWanted; number++) {
      const share = SHARES[number % SHARES.length] ?? 0;
      const survives = (): boolean => this.#random() < share;
      this.#judge(number % 2 === 0 ? { name: 'torn', grain: 'sectors', survives } : { name: 'some', grain: 'calls', survives });
    }
  }

  #judge({ name, grain, survives }: Cut): void {
    const opened = this.#bench.opened;
    const recovered = this.#bench.recover(this.#disk.after(survives, grain));
    if (name !== 'kept') this.#lacking += this.#bench.opened - opened;
    const verdict = recovered.isSound ? this.#committed.judge(recovered.content, this.#acknowledged) : 'damaged';
    if (verdict === 'kept') return;
    this.#failures[verdict] += 1;
    if (this.#examples.length === EXAMPLES_MAX) return;
    const what = recovered.isSound ? verdict : recovered.damage;
    this.#examples.push(`before call ${this.#point}, unsynced ${name}, ${this.#acknowledged} acknowledged: ${what}`);
  }
}
