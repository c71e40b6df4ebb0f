/** Puts the repository together: a migrated database, the writer, the operations and the queries behind one interface. */
import type { Retention, TenantId } from '../domain/job.ts';
import { type Clock, forwardOnly } from '../runtime/clock.ts';
import { createIdMaker, type Entropy, mintSecret } from '../runtime/entropy.ts';
import { settled } from '../runtime/turn.ts';
import { createTenantStore } from './create-tenant-store.ts';
import { ClaimWaiters } from './claim-waiters.ts';
import type { Engine } from './engines/engine.ts';
import type { CommitReport, LeaseRepository } from './housekeeping.ts';
import { createKeyStore } from './create-key-store.ts';
import { bulk } from './operations/bulk.ts';
import { claim } from './operations/claim.ts';
import { complete, fail, heartbeat, release } from './operations/holder.ts';
import { lapse } from './operations/lapse.ts';
import { cancel, redrive, reschedule } from './operations/operator.ts';
import { configureQueue, pauseQueue, resumeQueue } from './operations/queue-settings.ts';
import { retain } from './operations/retention.ts';
import { submit } from './operations/submit.ts';
import { DeadGroupQueries } from './queries/dead-groups.ts';
import { EventLog } from './queries/event-log.ts';
import { JobQueries } from './queries/jobs.ts';
import { QueueFigures } from './queries/queue-figures.ts';
import { QueueQueries } from './queries/queues.ts';
import { SeriesQueries } from './queries/series.ts';
import { TroubledQueues } from './queries/troubled-queues.ts';
import { seriesSinceMs } from './series-since.ts';
import { prepare } from './prepare.ts';
import { WorkerQueries } from './queries/workers.ts';
import { type JobStore, StoreFault } from './store.ts';
import type { Tally } from './tally.ts';
import { Writer } from './transaction.ts';
import { loadAgenda, probe, sweep } from './upkeep.ts';

export interface StoreParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** The server's own retention, which a queue may override. */
  readonly retention: Retention;
  /** Called once if the database fails in a way after which nothing may be answered; the process must stop. */
  readonly onFatal: (error: Error) => void;
  /** Jobs that one commit touches at most, for measuring what group commit is worth. Absent: as many as are good. */
  readonly groupWeightMax?: number | undefined;
}

/**
 * Migrates the database if it is older, a guest refuses it then, and answers with the repository. Throws `DatabaseUnusable`
 * where it cannot.
 */
export async function createJobStore(parts: StoreParts): Promise<LeaseRepository> {
  const { engine, entropy, retention, onFatal, groupWeightMax } = parts;
  const clock = forwardOnly(parts.clock);
  await prepare(engine, clock.nowMs());
  const sinceMs = await seriesSinceMs(engine.db);
  const agenda = await loadAgenda(engine.db, clock.nowMs());
  const waiters = new ClaimWaiters();
  const commits: ((report: CommitReport) => void)[] = [];
  const growths: ((tenant: TenantId) => void)[] = [];
  const accessChanges: ((tenant: TenantId) => void)[] = [];

  const onCommitted = (tally: Tally, operations: number, durationMs: number): void => {
    for (const appointment of tally.appointments) agenda.note(appointment);
    const report = { operations, durationMs, events: tally.events, deduplicated: tally.deduplicated };
    for (const tenant of tally.grownLogs) for (const listener of growths) tell(listener, tenant);
    for (const listener of commits) tell(listener, report);
    for (const tenant of tally.changedAccess) for (const listener of accessChanges) tell(listener, tenant);
    void keepLogShort(engine, writer);
  };
  const writer = new Writer({
    engine,
    clock,
    epoch: mintSecret(entropy).slice(0, 12),
    onReady: (jobs) => waiters.wake(jobs),
    onCommitted,
    onFatal,
    groupWeightMax,
  });
  const operationParts = { writer, clock, entropy, retention, newId: createIdMaker(entropy), waiters, queries: new JobQueries(engine.reads) };

  let closed: Promise<void> | null = null;

  return {
    ...commands(operationParts),
    ...explained(reads({ engine, retention, clock, sinceMs }), writer),
    ...createKeyStore(operationParts, engine),
    ...createTenantStore({ engine, writer, listeners: accessChanges }, guarding(writer)),
    sweep: () => sweep(operationParts, agenda),
    lapse: (tenant, jobId) => lapse(operationParts, tenant, jobId),
    retain: () => retain({ ...operationParts, reads: engine.reads }).catch(explaining(writer)),
    probe: () => probe(operationParts),
    logFigures: () => engine.logFigures(),
    onCommit: (listener) => void commits.push(listener),
    onLogGrown: (listener) => void growths.push(listener),
    stopWaiting: () => waiters.stop(),
    close: () => (closed ??= closeStore(engine, writer, waiters)),
  };
}

/** What a listener throws is its own defect: the process learns of it, the commit's callers and the next commit do not. */
function tell<News>(listener: (news: News) => void, news: News): void {
  try {
    listener(news);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** A copy that failed can mean a damaged database as much as a failed write does. */
async function keepLogShort(engine: Engine, writer: Writer): Promise<void> {
  // The answers to the commit go out first.
  await settled();
  try {
    await engine.keepLogShort();
  } catch (error) {
    const answer = writer.explain(error);
    // Nobody waits for the log: what is not a defect is tried again after a later commit.
    if (!(answer instanceof StoreFault)) throw answer;
  }
}

async function closeStore(engine: Engine, writer: Writer, waiters: ClaimWaiters): Promise<void> {
  waiters.stop();
  await writer.stop();
  try {
    engine.checkpoint();
  } catch (error) {
    throw writer.explain(error);
  } finally {
    await engine.close();
  }
}

type Commands = Pick<
  JobStore,
  | 'submit'
  | 'claim'
  | 'heartbeat'
  | 'complete'
  | 'fail'
  | 'release'
  | 'cancel'
  | 'redrive'
  | 'reschedule'
  | 'bulk'
  | 'configureQueue'
  | 'pauseQueue'
  | 'resumeQueue'
>;

function commands(parts: Parameters<typeof claim>[0] & Parameters<typeof bulk>[0]): Commands {
  return {
    submit: (tenant, caller, requests, allOrNothing, requestId) => submit(parts, tenant, caller, { requests, allOrNothing, requestId: requestId ?? null }),
    claim: (tenant, caller, request, signal) => claim(parts, tenant, caller, request, signal),
    heartbeat: (tenant, caller, requests) => heartbeat(parts, tenant, caller, requests),
    complete: (tenant, caller, requests) => complete(parts, tenant, caller, requests),
    fail: (tenant, caller, request) => fail(parts, tenant, caller, request),
    release: (tenant, caller, requests) => release(parts, tenant, caller, requests),
    cancel: (tenant, caller, request) => cancel(parts, tenant, caller, request),
    redrive: (tenant, caller, request) => redrive(parts, tenant, caller, request),
    reschedule: (tenant, caller, request) => reschedule(parts, tenant, caller, request),
    bulk: (tenant, caller, request) => bulk(parts, tenant, caller, request).catch(explaining(parts.writer)),
    configureQueue: (tenant, caller, request) => configureQueue(parts, tenant, caller, request),
    pauseQueue: (tenant, caller, name, reason) => pauseQueue(parts, tenant, caller, name, reason),
    resumeQueue: (tenant, caller, name) => resumeQueue(parts, tenant, caller, name),
  };
}

type Reads = Omit<JobStore, keyof Commands> & Pick<LeaseRepository, 'gauges'>;

function explaining(writer: Writer): (error: unknown) => never {
  return (error) => {
    throw writer.explain(error);
  };
}

/** A read that the database could not serve fails with a StoreFault, as a write does. */
function guarding(writer: Writer) {
  return <Args extends readonly unknown[], Result>(query: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      query(...args).catch(explaining(writer));
}

function explained(queries: Reads, writer: Writer): Reads {
  const guard = guarding(writer);
  return {
    jobById: guard(queries.jobById),
    jobByIdempotencyKey: guard(queries.jobByIdempotencyKey),
    jobs: guard(queries.jobs),
    countJobs: guard(queries.countJobs),
    deadLetterGroups: guard(queries.deadLetterGroups),
    deadLetterGroup: guard(queries.deadLetterGroup),
    attempts: guard(queries.attempts),
    timeline: guard(queries.timeline),
    eventsAfter: guard(queries.eventsAfter),
    latestPosition: guard(queries.latestPosition),
    queue: guard(queries.queue),
    queues: guard(queries.queues),
    troubledQueues: guard(queries.troubledQueues),
    queueStats: guard(queries.queueStats),
    statsOfQueues: guard(queries.statsOfQueues),
    series: guard(queries.series),
    stats: guard(queries.stats),
    workers: guard(queries.workers),
    gauges: guard(queries.gauges),
    nowMs: queries.nowMs,
  };
}

type ReadParts = Pick<StoreParts, 'engine' | 'retention' | 'clock'> & { readonly sinceMs: number };

/**
 * Reads of rows by key, and of neighbours up to a limit, cost the writing connection less than a message to another
 * thread would. Whatever may look at more than it answers runs beside it.
 */
function reads({ engine: { db, reads: beside }, retention, clock, sinceMs }: ReadParts): Reads {
  const queriesOf = (handle: Engine['db']) => ({
    jobs: new JobQueries(handle),
    queues: new QueueQueries(handle, retention),
    log: new EventLog(handle, db),
    groups: new DeadGroupQueries(handle),
  });
  const series = new SeriesQueries(beside, sinceMs);
  const [near, far] = [queriesOf(db), { ...queriesOf(beside), figures: new QueueFigures(beside, series), workers: new WorkerQueries(beside) }];
  const troubled = new TroubledQueues(beside, retention);
  return {
    jobById: (tenant, id) => near.jobs.byId(tenant, id),
    jobByIdempotencyKey: (tenant, queue, key) => near.jobs.byIdempotencyKey(tenant, queue, key),
    attempts: (tenant, job, page) => near.jobs.attempts(tenant, job, page),
    latestPosition: (tenant) => near.log.latest(tenant),
    queue: (tenant, name) => near.queues.queue(tenant, name),
    eventsAfter: (tenant, after, filter, limit, isNewestOnly = false) =>
      (Object.keys(filter).length === 0 ? near : far).log.after(tenant, after, filter, { limit, isNewestOnly }),
    timeline: (tenant, jobId, after, limit) => far.log.timeline(tenant, jobId, after, limit),
    jobs: (tenant, filter, order, page, lookThroughMax = null) => far.jobs.page(tenant, filter, order, page, lookThroughMax),
    countJobs: (tenant, filter, lookThroughMax) => far.jobs.count(tenant, filter, false, lookThroughMax),
    deadLetterGroups: (tenant, filter, order, page) => far.groups.page(tenant, filter, order, page, clock.nowMs()),
    deadLetterGroup: (tenant, id) => near.groups.byId(tenant, id, clock.nowMs()),
    queues: (tenant, page, namePrefix) => far.queues.page(tenant, page, namePrefix ?? ''),
    troubledQueues: (tenant, limit, among) => troubled.first({ tenant, among: among ?? null, nowMs: clock.nowMs() }, limit),
    queueStats: (tenant, name) => far.figures.one(tenant, name, clock.nowMs()),
    statsOfQueues: (tenant, names) => far.figures.of(tenant, names, clock.nowMs()),
    series: (tenant, queues, period) => series.series(tenant, queues, period, clock.nowMs()),
    stats: (tenant) => far.queues.stats(tenant, clock.nowMs()),
    workers: (tenant, seenSinceMs, selection) => far.workers.workers(tenant, seenSinceMs, clock.nowMs(), selection),
    gauges: (limit) => far.queues.gauges(limit, clock.nowMs()),
    nowMs: () => clock.nowMs(),
  };
}
