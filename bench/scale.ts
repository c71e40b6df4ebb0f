/** How much is measured: briefly, to see that nothing is far off, or long enough for figures to be quoted. */

export interface Scale {
  readonly name: 'quick' | 'full';
  readonly repeats: number;
  /** What was not begun by then is not measured. */
  readonly secondsMax: number;
  /** Of the same load before each measurement, so that compiled code is measured: what a server does once a millisecond takes seconds to be. */
  readonly warmSeconds: number;
  readonly measureSeconds: number;
  /** Jobs that stand ready before workers are measured. */
  readonly jobsPerConcurrency: Readonly<Record<1 | 10 | 100, number>>;
  readonly latencyJobs: number;
  readonly fanOutEvents: number;
  readonly idleSeconds: number;
  /** Whose memory and idle cost are measured. */
  readonly manyFollowers: number;
  /** Jobs of the databases whose claims are compared, the smallest first. */
  readonly depths: readonly Depth[];
  /** At each depth. */
  readonly claims: number;
  readonly diskJobs: number;
  readonly growthCounts: Readonly<Record<'queues' | 'tenants' | 'followers', readonly number[]>>;
  /** Of 20 jobs, at each count. */
  readonly growthBatches: number;
  /** Of two servers: slices in turn, each as long as this. */
  readonly pairs: number;
  /** Of each server, before they count. */
  readonly warmSlices: number;
  readonly sliceSeconds: number;
  readonly mixedSeconds: number;
  readonly mixedJobsPerSecond: number;
  /** The database behind the screens of the console. */
  readonly screens: ScreenShape;
  /** Of each operation of a screen. */
  readonly screenCalls: number;
  /** Phases without and with open consoles, and how long each is. */
  readonly consolePairs: number;
  readonly consoleSeconds: number;
}

export interface ScreenShape {
  readonly jobs: number;
  readonly tenants: number;
  readonly queues: number;
  /** Where the database is kept for another run; null: it goes with this one. */
  readonly path: string | null;
}

export interface Depth {
  readonly name: string;
  readonly queued: number;
  readonly completed: number;
  readonly delayed: number;
}

const SMALL: Depth = { name: '10k', queued: 10_000, completed: 0, delayed: 0 };
const QUICK_DEPTHS: readonly Depth[] = [SMALL, { name: '70k', queued: 30_000, completed: 30_000, delayed: 10_000 }];
const FULL_DEPTHS: readonly Depth[] = [
  SMALL,
  { name: '1m', queued: 1_000_000, completed: 0, delayed: 0 },
  { name: '11m', queued: 5_000_000, completed: 5_000_000, delayed: 1_000_000 },
];

export const QUICK: Scale = {
  name: 'quick',
  repeats: 1,
  secondsMax: 45,
  warmSeconds: 0.1,
  measureSeconds: 0.3,
  jobsPerConcurrency: { 1: 500, 10: 3_000, 100: 10_000 },
  latencyJobs: 40,
  fanOutEvents: 2_000,
  idleSeconds: 1,
  manyFollowers: 200,
  depths: QUICK_DEPTHS,
  claims: 100,
  diskJobs: 3_000,
  growthCounts: { queues: [1, 1_000], tenants: [], followers: [0, 100] },
  growthBatches: 40,
  pairs: 2,
  warmSlices: 1,
  sliceSeconds: 0.1,
  mixedSeconds: 2,
  mixedJobsPerSecond: 200,
  screens: { jobs: 10_000, tenants: 3, queues: 12, path: null },
  screenCalls: 10,
  consolePairs: 1,
  consoleSeconds: 1,
};

export const FULL: Scale = {
  name: 'full',
  repeats: 3,
  secondsMax: Number.POSITIVE_INFINITY,
  warmSeconds: 8,
  measureSeconds: 3,
  jobsPerConcurrency: { 1: 10_000, 10: 40_000, 100: 120_000 },
  latencyJobs: 300,
  fanOutEvents: 20_000,
  idleSeconds: 10,
  manyFollowers: 1_000,
  depths: FULL_DEPTHS,
  claims: 300,
  diskJobs: 20_000,
  growthCounts: { queues: [1, 100, 1_000, 10_000], tenants: [1, 100, 1_000], followers: [0, 100, 400] },
  growthBatches: 400,
  pairs: 8,
  warmSlices: 16,
  sliceSeconds: 0.5,
  mixedSeconds: 600,
  mixedJobsPerSecond: 1_500,
  screens: { jobs: 5_000_000, tenants: 20, queues: 200, path: null },
  screenCalls: 200,
  consolePairs: 6,
  consoleSeconds: 20,
};
