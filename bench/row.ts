/** What a row of the benchmark is, what measuring it gives, and how a suite hands its measurements in. */
import type { LoadProcess } from './load/load-process.ts';
import type { Scale } from './scale.ts';
import type { Workspace } from './workspace.ts';

/** Numbers by name, the unit last in the name: `jobsPerSecond`, `p99Ms`. */
export type Figures = Readonly<Record<string, number>>;

/** Work that every queue can do, so that rows of several queues can be compared. */
export type Work = 'submit-1' | 'submit-64' | 'bulk' | 'process-1' | 'process-10' | 'process-100' | 'process-prefetch' | 'together' | 'latency';

/** Another queue. */
export interface PeerName {
  readonly name: string;
  /** What it has acknowledged survives a power loss, as with ours. */
  readonly durable: boolean;
  /** Reached over a network, as ours is. One that lives in the process of its user saves the way, and cannot be shared. */
  readonly isServer: boolean;
}

export interface Row {
  /** Parts from the general to the special: `submit/http/64`. `--only` takes a beginning of it. */
  readonly name: string;
  /** What is measured, as a sentence. */
  readonly what: string;
  /** The figure that stands for the row, and that its ratios are made of. */
  readonly headline: string;
  readonly better: 'higher' | 'lower';
  /** The row that says what the machine could do at most. */
  readonly ceiling?: string;
  readonly work?: Work;
  readonly peer?: PeerName;
  /** Absent: in both. */
  readonly scale?: Scale['name'];
}

/** What became of a row. */
export interface Measurement {
  readonly row: Row;
  /** One per repeat, in order. */
  readonly runs: readonly Figures[];
  /** Of each figure. Empty where nothing was measured. */
  readonly median: Figures;
  /** (largest - smallest) / median of the headline. */
  readonly spread: number;
  /** Why there is no figure, where there is none. */
  readonly problem: { readonly kind: 'not measured' | 'failed'; readonly reason: string } | null;
  /** What a reader has to know beside the figures, such as a peer's settings as its server reports them. */
  readonly note: string | null;
}

export type Case = () => Promise<Figures>;

/** One run of the benchmark, as a suite sees it. */
export interface Run {
  readonly scale: Scale;
  readonly workspace: Workspace;
  /** A process of its own that makes the load. */
  readonly load: LoadProcess;
  wants(row: string): boolean;
  /** Measures the wanted ones in turn, as often as the run repeats, so that they meet the same weather. */
  alternate(cases: Readonly<Record<string, Case>>): Promise<void>;
  /** Says why rows have no figure. */
  skip(rows: readonly string[], reason: string): void;
  note(row: string, text: string): void;
}

export interface Suite {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Called only where at least one of the rows is wanted. */
  readonly measure: (run: Run) => Promise<void>;
}

/** Rows of the same kind, from what differs. */
export function rowsOf<Value>(values: readonly Value[], make: (value: Value) => Row): readonly Row[] {
  return values.map(make);
}
