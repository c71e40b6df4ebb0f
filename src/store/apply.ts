/** The only code that changes a job, ends an attempt or records an event, always inside the caller's transaction. */
import { sql } from 'kysely';
import type { Verdict } from '../domain/decide.ts';
import { type EventFact, submittedFact } from '../domain/events.ts';
import type { Job, LeaseToken, TenantId } from '../domain/job.ts';
import { digest } from '../runtime/digest.ts';
import { leaseColumns, type LocatedJob, newJobColumns, patchColumns, waitingLane } from './rows.ts';
import type { Caller } from './requests.ts';
import type { Tx } from './transaction.ts';

type Allowed = Extract<Verdict, { readonly allowed: true }>;

/** Who changes what, and when: the same for every change of one operation. */
export interface Scene {
  readonly tx: Tx;
  readonly tenant: TenantId;
  readonly caller: Caller;
  readonly nowMs: number;
}

export interface IdempotencyRecord {
  readonly key: string;
  readonly fingerprint: string;
}

/** Nobody in particular: the server's own upkeep. */
export const SERVER: Caller = { actor: null };

/** Stores a new job with its first event. */
export async function create(scene: Scene, job: Job, idempotency: IdempotencyRecord | null): Promise<void> {
  const { tx, tenant, nowMs } = scene;
  const lane = waitingLane(job.state, job.runAtMs, nowMs);
  const lastEventSeq = await record(scene, job, [submittedFact(job)], null, null);
  const { seq } = await tx.db
    .insertInto('jobs')
    .values({
      ...newJobColumns(job, lane),
      tenant_id: tenant,
      idempotency_key: idempotency?.key ?? null,
      fingerprint: idempotency?.fingerprint ?? null,
      last_event_seq: lastEventSeq,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  for (const tag of job.tags)
    await tx.db
      .insertInto('job_tags')
      .values({ tenant_id: tenant, ...tag, job_seq: seq })
      .execute();
  tx.tally.countState(tenant, job.queue, job.state, lane, 1);
  announce(scene, job, null);
}

/** Carries out a verdict: one row, the ledger's line where an attempt ends, and the events. Answers the job as it is now. */
export async function move(
  scene: Scene,
  located: LocatedJob,
  verdict: Allowed,
  token: LeaseToken | null,
  settledBy: 'complete' | 'fail' | 'release' | null,
): Promise<Job> {
  if (verdict.to === 'gone') return remove(scene, located, verdict.events);
  const { tx, tenant, nowMs } = scene;
  const before = located.job;
  const after: Job = { ...before, ...verdict.patch, updatedAtMs: nowMs };
  const lane = waitingLane(after.state, after.runAtMs, nowMs);
  const lastEventSeq = await record(scene, after, verdict.events, located.lastEventSeq, before);
  const tokenHash = token === null ? located.leaseTokenHash : digest(token);
  const { numUpdatedRows } = await tx.db
    .updateTable('jobs')
    .set({
      ...patchColumns(verdict.patch),
      ...(verdict.patch.lease !== undefined && leaseColumns(after.lease, after.lease === null ? null : tokenHash)),
      waiting: lane,
      updated_at_ms: nowMs,
      last_event_seq: lastEventSeq,
    })
    .where('tenant_id', '=', tenant)
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .where('fence', '=', before.fence)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`job ${before.id} changed under its own transaction`);
  if (verdict.ends !== null) await endAttempt(scene, located, after, verdict.ends, settledBy);
  recount(scene, located, after);
  announce(scene, after, before);
  return after;
}

/** Gives a live lease a fresh token; the old one is worthless from then on. */
export async function rekey({ tx, tenant }: Scene, job: Job, token: LeaseToken): Promise<void> {
  await tx.db
    .updateTable('jobs')
    .set({ lease_token_hash: digest(token) })
    .where('tenant_id', '=', tenant)
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .execute();
}

/** Moves delayed jobs of a queue whose time has come among the claimable ones. Not a transition: the state stays. */
export async function promote({ tx, tenant, nowMs }: Scene, queue: string, limit: number): Promise<number> {
  const due = tx.db
    .selectFrom('jobs')
    .select('seq')
    .where('tenant_id', '=', tenant)
    .where('queue_name', '=', queue)
    .where('waiting', '=', sql.lit('delayed'))
    .where('run_at_ms', '<=', nowMs)
    .orderBy('run_at_ms')
    .limit(limit);
  const promoted = await tx.db.updateTable('jobs').set({ waiting: 'due' }).where('tenant_id', '=', tenant).where('seq', 'in', due).returning('task').execute();
  if (promoted.length === 0) return 0;
  tx.tally.countLane(tenant, queue, 'delayed', -promoted.length);
  tx.tally.countLane(tenant, queue, 'due', promoted.length);
  for (const { task } of promoted) tx.tally.ready.push({ tenant, queue, task });
  return promoted.length;
}

/** Removes a finished job with its ledger and events; with `lastEvents` these stay as the last word about it. */
async function remove(scene: Scene, located: LocatedJob, lastEvents: readonly EventFact[]): Promise<Job> {
  await erase(scene, located);
  await record(scene, located.job, lastEvents, null, located.job);
  return located.job;
}

/** Removes a finished job, its ledger and its events without a trace but the log's low-water mark. */
export async function erase({ tx, tenant }: Scene, { job, seq, lastEventSeq }: LocatedJob): Promise<void> {
  const chain = sql<number>`(
    with recursive chain(seq, previous_seq) as (
      select seq, previous_seq from events where tenant_id = ${tenant} and seq = ${lastEventSeq}
      union all
      select events.seq, events.previous_seq from chain join events on events.tenant_id = ${tenant} and events.seq = chain.previous_seq
    ) select seq from chain)`;
  await tx.db.deleteFrom('events').where('tenant_id', '=', tenant).where('seq', 'in', chain).execute();
  await tx.db.deleteFrom('attempts').where('tenant_id', '=', tenant).where('job_id', '=', job.id).execute();
  for (const tag of job.tags)
    await tx.db
      .deleteFrom('job_tags')
      .where('tenant_id', '=', tenant)
      .where('key', '=', tag.key)
      .where('value', '=', tag.value)
      .where('job_seq', '=', seq)
      .execute();
  await tx.db.deleteFrom('jobs').where('tenant_id', '=', tenant).where('id', '=', job.id).execute();
  await tx.tally.raiseLowWater(tx.db, tenant, lastEventSeq);
  tx.tally.countState(tenant, job.queue, job.state, null, -1);
}

/** Removes events of purged jobs that are older than `beforeMs`. Answers how many went. */
export async function erasePurgedEvents({ tx, tenant }: Scene, beforeMs: number, limit: number): Promise<number> {
  const old = tx.db
    .selectFrom('events')
    .select('seq')
    .where('tenant_id', '=', tenant)
    .where('kind', '=', sql.lit('PURGED'))
    .where('at_ms', '<=', beforeMs)
    .orderBy('at_ms')
    .limit(limit);
  const removed = await tx.db.deleteFrom('events').where('tenant_id', '=', tenant).where('seq', 'in', old).returning('seq').execute();
  for (const { seq } of removed) await tx.tally.raiseLowWater(tx.db, tenant, seq);
  return removed.length;
}

/** Writes events in order, each chained to the job's previous one. Answers the seq of the last. */
async function record(
  { tx, tenant, caller, nowMs }: Scene,
  job: Job,
  facts: readonly EventFact[],
  previousSeq: number | null,
  before: Job | null,
): Promise<number> {
  let last = previousSeq;
  const runMs = job.lease === null && before?.lease ? nowMs - before.lease.startedAtMs : null;
  for (const [index, fact] of facts.entries()) {
    const seq = await tx.tally.nextSeq(tx.db, tenant);
    await tx.db
      .insertInto('events')
      .values({
        tenant_id: tenant,
        seq,
        previous_seq: last,
        job_id: job.id,
        queue_name: job.queue,
        task: job.task,
        kind: fact.kind,
        from_state: fact.fromState,
        to_state: fact.toState,
        attempt: fact.attempt,
        fence: fact.fence,
        at_ms: nowMs,
        worker_id: fact.workerId,
        actor: caller.actor,
        detail: fact.detail === null ? null : JSON.stringify(fact.detail),
      })
      .execute();
    last = seq;
    const waitMs = fact.kind === 'CLAIMED' && before !== null ? nowMs - before.runAtMs : null;
    tx.tally.noteEvent({ tenant, queue: job.queue, kind: fact.kind, waitMs, runMs: index === 0 ? runMs : null }, nowMs);
  }
  if (last === null) throw new Error(`job ${job.id} would have no event`);
  return last;
}

async function endAttempt(
  { tx, tenant, nowMs }: Scene,
  { job, leaseTokenHash }: LocatedJob,
  after: Job,
  outcome: NonNullable<Allowed['ends']>,
  settledBy: 'complete' | 'fail' | 'release' | null,
): Promise<void> {
  if (job.lease === null || leaseTokenHash === null) throw new Error(`job ${job.id} has no attempt to end`);
  const isReported = settledBy === 'fail' || outcome === 'lease_expired';
  await tx.db
    .insertInto('attempts')
    .values({
      tenant_id: tenant,
      job_id: job.id,
      fence: job.fence,
      number: job.attempt,
      worker_id: job.lease.workerId,
      token_hash: leaseTokenHash,
      started_at_ms: job.lease.startedAtMs,
      heartbeat_at_ms: job.lease.heartbeatAtMs,
      finished_at_ms: nowMs,
      outcome,
      settled_by: settledBy,
      settled_to: after.state,
      retry_at_ms: after.state === 'retry' ? after.runAtMs : null,
      error: isReported && after.lastError !== null ? JSON.stringify(after.lastError) : null,
    })
    .execute();
}

function recount({ tx, tenant, nowMs }: Scene, { job: before, lane }: LocatedJob, after: Job): void {
  tx.tally.countState(tenant, before.queue, before.state, lane, -1);
  tx.tally.countState(tenant, after.queue, after.state, waitingLane(after.state, after.runAtMs, nowMs), 1);
  if (before.lease === null && after.lease !== null) tx.tally.countWorker(tenant, after.lease.workerId, 1);
  if (before.lease !== null && after.lease === null) tx.tally.countWorker(tenant, before.lease.workerId, -1);
}

/** Tells those who wait what this change means for them, once it is durable. */
function announce({ tx, tenant, nowMs }: Scene, after: Job, before: Job | null): void {
  const lane = waitingLane(after.state, after.runAtMs, nowMs);
  if (lane === 'due') tx.tally.ready.push({ tenant, queue: after.queue, task: after.task });
  if (lane === 'delayed') tx.tally.appointments.push({ tenant, queue: after.queue, atMs: after.runAtMs });
  if (after.lease !== null && before?.lease == null) tx.tally.appointments.push({ tenant, queue: after.queue, atMs: after.lease.expiresAtMs });
}
