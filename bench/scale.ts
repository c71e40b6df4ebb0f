/** How much is measured: briefly, to see that nothing is far off, or long enough for figures to be quoted. */

export interface Scale {
  readonly name: 'quick' | 'full';
  readonly repeats: number;
  /** Before each measurement, so that compiled code is measured. */
  readonly warmSeconds: number;
  readonly measureSeconds: number;
  /** Jobs that stand ready before workers are measured. */
  readonly jobsPerConcurrency: Readonly<Record<1 | 10 | 100, number>>;
  readonly latencyJobs: number;
  readonly fanOutEvents: number;
  readonly idleSeconds: number;
  /** Jobs of the databases whose claims are compared, the smallest first. */
  readonly depths: readonly Depth[];
  /** At each depth. */
  readonly claims: number;
  readonly diskJobs: number;
  readonly growthCycles: number;
  readonly mixedSeconds: number;
}

export interface Depth {
  readonly name: string;
  readonly queued: number;
  readonly completed: number;
  readonly delayed: number;
}

const SMALL: Depth = { name: '10k', queued: 10_000, completed: 0, delayed: 0 };

export const QUICK: Scale = {
  name: 'quick',
  repeats: 1,
  warmSeconds: 0.1,
  measureSeconds: 0.4,
  jobsPerConcurrency: { 1: 1_000, 10: 4_000, 100: 10_000 },
  latencyJobs: 40,
  fanOutEvents: 2_000,
  idleSeconds: 1,
  depths: [SMALL, { name: '100k', queued: 100_000, completed: 50_000, delayed: 20_000 }],
  claims: 100,
  diskJobs: 3_000,
  growthCycles: 1_000,
  mixedSeconds: 3,
};

export const FULL: Scale = {
  name: 'full',
  repeats: 3,
  warmSeconds: 0.5,
  measureSeconds: 3,
  jobsPerConcurrency: { 1: 10_000, 10: 40_000, 100: 120_000 },
  latencyJobs: 300,
  fanOutEvents: 20_000,
  idleSeconds: 10,
  depths: [SMALL, { name: '1m', queued: 1_000_000, completed: 0, delayed: 0 }, { name: '11m', queued: 5_000_000, completed: 5_000_000, delayed: 1_000_000 }],
  claims: 300,
  diskJobs: 20_000,
  growthCycles: 10_000,
  mixedSeconds: 600,
};
