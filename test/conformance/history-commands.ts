/** Random commands for a queue: plain records that name jobs and leases by number, so that any of them can be left out. */
import * as fc from 'fast-check';
import type { JobState } from '../../src/domain/job.ts';

/** Small enough that commands meet: two tenants, three queues, three workers, two keys. */
export const TENANTS = ['blue', 'green'] as const;
const QUEUES = ['mail', 'video', 'maps'] as const;
const TASKS = ['send', 'render'] as const;
const WORKERS = ['w1', 'w2', 'w3'] as const;

/** The n-th, counted from the newest and around. */
const nth = fc.nat({ max: 30 });
/** Mostly one of the newest. */
const recent = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: nth });
/** A lease: mostly one that somebody holds, else any that there ever was. */
const lease = fc.record({ isHeld: fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0), index: recent });
export interface LeaseAim {
  readonly isHeld: boolean;
  readonly index: number;
}
/** A job: mostly one in a state that the command is meant for, else any. */
const aimAt = (...states: readonly JobState[]): fc.Arbitrary<JobAim> =>
  fc.record({ states: fc.integer({ min: 0, max: 3 }).map((draw) => (draw > 0 ? states : null)), index: recent });
export interface JobAim {
  readonly states: readonly JobState[] | null;
  readonly index: number;
}
const owner = fc.constantFrom(...TENANTS.flatMap((name, index) => Array.from({ length: 4 - index * 3 }, () => name)));
const queue = fc.constantFrom(...QUEUES);
const waitSeconds = fc.constantFrom(0, 0, 1, 5, 30, 600);
const start = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ inSeconds: fc.constantFrom(0, 1, 20, 300) }) },
  { weight: 1, arbitrary: fc.record({ agoMs: fc.constantFrom(-90_000, 0, 5_000) }) },
);

const commands = {
  /** What a command shrinks to: with it in its place, the others keep theirs. */
  nothing: fc.record({}),
  submit: fc.record({
    owner,
    queue,
    task: fc.constantFrom(...TASKS),
    priority: fc.constantFrom(null, null, 0, -5, 5, 100),
    maxAttempts: fc.constantFrom(null, 1, 2, 2, 3),
    retryBaseSeconds: fc.constantFrom(null, 1, 10),
    start,
    key: fc.constantFrom(null, null, null, 'canary-key-1', 'canary-key-2'),
    count: fc.constantFrom(1, 1, 1, 2, 3),
    /** Whether the key stands on every item of the batch, or on the first alone. */
    isKeyedThroughout: fc.boolean(),
    allOrNothing: fc.boolean(),
  }),
  claim: fc.record({
    owner,
    workerId: fc.constantFrom(...WORKERS),
    queues: fc.oneof(
      { weight: 1, arbitrary: fc.uniqueArray(queue, { minLength: 1, maxLength: 2 }) },
      { weight: 2, arbitrary: fc.shuffledSubarray([...QUEUES], { minLength: 3 }) },
    ),
    tasks: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.subarray([...TASKS], { minLength: 1 }) }),
    max: fc.constantFrom(1, 1, 2, 5),
    leaseSeconds: fc.constantFrom(null, 5, 5, 30),
    requestId: fc.constantFrom(null, null, 'r1', 'r2', 'r3'),
    completing: fc.oneof({ weight: 4, arbitrary: fc.constant<LeaseAim[]>([]) }, { weight: 1, arbitrary: fc.array(lease, { maxLength: 2 }) }),
  }),
  /** The same claim again, as after a lost answer. */
  repeatClaim: fc.record({ claim: recent }),
  heartbeat: fc.record({
    leases: fc.array(lease, { minLength: 1, maxLength: 2 }),
    extendSeconds: fc.constantFrom(null, 5, 60),
    percent: fc.constantFrom(null, 50),
  }),
  complete: fc.record({ leases: fc.array(lease, { minLength: 1, maxLength: 2 }), resultJson: fc.constantFrom(null, '{"n":1}', '{"n":"é漢😀"}') }),
  fail: fc.record({
    lease,
    afterSeconds: fc.oneof(fc.constant(null), waitSeconds),
    isHopeless: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
  }),
  release: fc.record({ lease, afterSeconds: waitSeconds }),
  /** Claims, then gives back at once, often enough to use up the refunds. */
  spin: fc.record({ owner, queue, times: fc.constantFrom(3, 6, 11) }),
  cancel: fc.record({ job: aimAt('running'), force: fc.constantFrom(false, false, false, true), reason: fc.constantFrom(null, 'enough', 'again') }),
  redrive: fc.record({
    job: aimAt('dead'),
    start,
    maxAttempts: fc.constantFrom(null, null, 1, 4),
    payloadJson: fc.constantFrom(null, '{"secret":"canary-payload-2"}'),
  }),
  reschedule: fc.record({ job: aimAt('queued', 'retry'), start, priority: fc.constantFrom(null, -1, 50) }),
  purge: fc.record({ job: aimAt('completed', 'cancelled', 'dead') }),
  pause: fc.record({ owner, queue }),
  resume: fc.record({ owner, queue }),
  sweep: fc.record({}),
  retain: fc.record({}),
  pass: fc.record({ ms: fc.constantFrom(1, 999, 1_000, 4_999, 5_000, 20_000, 60_000, 3_600_000, 86_400_000, 604_800_000) }),
};

const WEIGHTS: { readonly [Name in keyof typeof commands]: number } = {
  nothing: 1,
  submit: 16,
  claim: 26,
  repeatClaim: 4,
  heartbeat: 6,
  complete: 9,
  fail: 14,
  release: 5,
  spin: 1,
  cancel: 5,
  redrive: 7,
  reschedule: 4,
  purge: 3,
  pause: 1,
  resume: 2,
  sweep: 4,
  retain: 1,
  pass: 14,
};

type Arguments = { readonly [Name in keyof typeof commands]: (typeof commands)[Name] extends fc.Arbitrary<infer Value> ? Value : never };
export type HistoryCommand = { readonly [Name in keyof Arguments]: { readonly name: Name; readonly args: Arguments[Name] } }[keyof Arguments];
export type CommandOf<Name extends HistoryCommand['name']> = Extract<HistoryCommand, { readonly name: Name }>['args'];

const names = Object.keys(commands) as (keyof typeof commands)[];
const command = fc.oneof(
  { withCrossShrink: true },
  ...names.map((name) => ({ weight: WEIGHTS[name], arbitrary: (commands[name] as fc.Arbitrary<unknown>).map((args) => ({ name, args }) as HistoryCommand) })),
);

/** Forty commands and more, from an empty queue; told one a line. */
export const histories = fc.array(command, { minLength: 40, maxLength: 60, size: 'max' }).map((history) => {
  const lines = history.filter(({ name }) => name !== 'nothing').map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  return Object.assign(history, { [fc.toStringMethod]: () => `\n${lines.join('\n')}\n` });
});
