/** The workload whose every crash is replayed: each kind of change at least once, commits shared by several, checkpoints, a restart. */
import type { ClaimedJob } from '../../src/store/answers.ts';
import type { Failure, Outcome as Answered } from '../../src/domain/failures.ts';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { Job } from '../../src/domain/job.ts';
import type { BulkAction, ClaimRequest } from '../../src/store/requests.ts';
import { ALICE, CALLER, claimOf, submission } from '../support/store.ts';
import type { Outcome, Producer } from './producer.ts';

const DAY_MS = 86_400_000;
const LATER = { start: null, maxAttempts: null, payloadJson: null };

function must<Value>(outcome: Answered<Value, Failure> | undefined): Value {
  if (outcome?.ok !== true) throw new Error(`the workload was refused: ${JSON.stringify(outcome)}`);
  return outcome.value;
}

function jobsOf(jobs: readonly Job[]): Pick<Outcome, 'jobs'> {
  return { jobs: Object.fromEntries(jobs.map((job) => [job.id, job])) };
}

async function submit(producer: Producer, ...changes: readonly Partial<SubmitRequest>[]): Promise<readonly Job[]> {
  const requests = changes.map(submission);
  const keys = requests.map(({ idempotencyKey }) => idempotencyKey);
  const outcomes = await producer.run(
    (store) => store.submit(ALICE, CALLER, requests, true),
    (answer) => {
      const jobs = answer.map((outcome) => must(outcome).job);
      return { ...jobsOf(jobs), keys: Object.fromEntries(jobs.flatMap(({ id }, index) => (keys[index] == null ? [] : [[keys[index], id]]))) };
    },
  );
  return outcomes.map((outcome) => must(outcome).job);
}

async function claim(producer: Producer, change: Partial<ClaimRequest>): Promise<readonly ClaimedJob[]> {
  const { leases } = await producer.run(
    (store) => store.claim(ALICE, CALLER, claimOf(change)),
    ({ leases }) => jobsOf(leases.map(({ job }) => job)),
  );
  return leases;
}

async function complete(producer: Producer, leases: readonly ClaimedJob[]): Promise<void> {
  const requests = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: `{"of":"${job.id}"}` }));
  await producer.run(
    (store) => store.complete(ALICE, CALLER, requests),
    (answer) => jobsOf(answer.map((outcome) => must(outcome).job)),
  );
}

async function fail(producer: Producer, { job, leaseToken }: ClaimedJob, retry: { readonly never: true } | null): Promise<void> {
  const error = { type: 'Boom', message: 'no', detailsJson: null };
  await producer.run(
    (store) => store.fail(ALICE, CALLER, { jobId: job.id, leaseToken, error, retry }),
    (answer) => jobsOf([must(answer).job]),
  );
}

async function release(producer: Producer, { job, leaseToken }: ClaimedJob): Promise<void> {
  await producer.run(
    (store) => store.release(ALICE, CALLER, [{ jobId: job.id, leaseToken, afterSeconds: 0 }]),
    ([answer]) => jobsOf([must(answer).job]),
  );
}

async function heartbeat(producer: Producer, leases: readonly ClaimedJob[]): Promise<void> {
  const requests = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, extendSeconds: 90, progress: { percent: 50, note: 'half' } }));
  await producer.run(
    (store) => store.heartbeat(ALICE, CALLER, requests),
    () => producer.look(leases.map(({ job }) => job.id)),
  );
}

async function cancel(producer: Producer, jobId: string): Promise<void> {
  await producer.run(
    (store) => store.cancel(ALICE, CALLER, { jobId, reason: 'not needed', force: false }),
    (answer) => jobsOf([must(answer).job]),
  );
}

async function redrive(producer: Producer, jobId: string): Promise<void> {
  await producer.run(
    (store) => store.redrive(ALICE, CALLER, { ...LATER, jobId }),
    (answer) => jobsOf([must(answer).job]),
  );
}

async function bulk(producer: Producer, ids: readonly string[], action: BulkAction): Promise<void> {
  await producer.run(
    (store) => store.bulk(ALICE, CALLER, { target: { ids }, action, limit: 100, dryRun: false }),
    () => producer.look(ids),
  );
}

async function pause(producer: Producer, name: string): Promise<void> {
  await producer.run(
    (store) => store.pauseQueue(ALICE, CALLER, name, 'repairs'),
    (answer) => ({ queues: { [name]: must(answer).queue } }),
  );
}

async function resume(producer: Producer, name: string): Promise<void> {
  await producer.run(
    (store) => store.resumeQueue(ALICE, CALLER, name),
    (answer) => ({ queues: { [name]: must(answer).queue } }),
  );
}

async function configure(producer: Producer, name: string): Promise<void> {
  await producer.run(
    (store) => store.configureQueue(ALICE, CALLER, { name, expectedVersion: null, defaults: { maxAttempts: 5 }, retention: { deadSeconds: 3_600 } }),
    (answer) => ({ queues: { [name]: must(answer).queue } }),
  );
}

/** Producers and workers one after another, each change in a commit of its own. */
export async function lonelyCommits(producer: Producer): Promise<void> {
  await configure(producer, 'configured');
  await submit(producer, { idempotencyKey: 'k1', payloadJson: '{"n":1}' });
  await submit(producer, { idempotencyKey: 'k1', payloadJson: '{"n":1}' });
  await submit(producer, { idempotencyKey: 'k2', tags: [{ key: 'color', value: 'red' }] }, { priority: 5 }, {}, {}, { queue: 'configured' });
  const [first, second, third, fourth] = (await claim(producer, { max: 4, requestId: 'r1' })) as [ClaimedJob, ClaimedJob, ClaimedJob, ClaimedJob];
  await heartbeat(producer, [first, second]);
  await complete(producer, [first]);
  await fail(producer, second, null);
  await fail(producer, third, { never: true });
  await release(producer, fourth);
  await redrive(producer, third.job.id);
}

/** Several operations in flight, so that they share commits. Answers the leases that nobody holds on to. */
export async function sharedCommits(producer: Producer): Promise<readonly ClaimedJob[]> {
  const doomed = await submit(producer, {}, {}, {});
  const [leases] = await Promise.all([
    claim(producer, { max: 2, workerId: 'w2' }),
    submit(producer, { idempotencyKey: 'k3' }),
    submit(producer, { queue: 'other' }, { queue: 'other' }),
    cancel(producer, doomed[2]?.id ?? ''),
    submit(producer, { start: { inSeconds: 3_600 }, concurrencyKey: 'c' }),
  ]);
  const [lapsing] = await Promise.all([
    claim(producer, { workerId: 'w3', leaseSeconds: 5 }),
    complete(producer, leases),
    submit(producer, {}),
    pause(producer, 'other'),
  ]);
  return lapsing;
}

/** Operators, leases that lapse, and what retention removes. */
export async function upkeep(producer: Producer, lapsing: readonly ClaimedJob[]): Promise<void> {
  await resume(producer, 'other');
  const jobs = await submit(producer, { queue: 'bulk' }, { queue: 'bulk' }, { queue: 'bulk' });
  const ids = jobs.map(({ id }) => id);
  await bulk(producer, ids, { name: 'cancel', reason: null, force: false });
  await bulk(producer, ids.slice(0, 2), { name: 'purge' });
  producer.advance(100_000);
  await producer.run(
    (store) => store.sweep(),
    () => producer.look(lapsing.map(({ job }) => job.id)),
  );
  const [dead] = await claim(producer, { queues: ['configured'] });
  if (dead === undefined) throw new Error('nothing was there to fail');
  await fail(producer, dead, { never: true });
  producer.advance(2 * 3_600_000);
  await producer.run(
    (store) => store.retain(),
    () => ({ jobs: { [dead.job.id]: null } }),
  );
  producer.advance(8 * DAY_MS);
  await producer.run(
    (store) => store.retain(),
    () => producer.look(ids),
  );
}
