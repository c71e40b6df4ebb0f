/** The only code that changes a job, ends an attempt or records an event, always inside the caller's transaction. */
import type { Verdict } from '../domain/decide.ts';
import { type EventFact, submittedFact } from '../domain/events.ts';
import type { Job, LeaseToken, TenantId } from '../domain/job.ts';
import { digest } from '../runtime/digest.ts';
import {
  DELETE_ATTEMPTS_OF_JOB,
  DELETE_EVENTS_OF_JOB,
  DELETE_JOB,
  DELETE_OLD_PURGES,
  DELETE_TAG,
  PROMOTE_JOBS,
  REKEY_JOB,
  updateJob,
} from './apply-statements.ts';
import { deadGroupOf } from './dead-groups.ts';
import { eventColumns } from './event-rows.ts';
import type { NewJob } from './new-rows.ts';
import { changedColumns, changedLeaseColumns, type LocatedJob, newJobColumns, waitingLane } from './rows.ts';
import type { Caller } from './requests.ts';
import type { EventTable } from './tables.ts';
import type { Tx } from './transaction.ts';

type Allowed = Extract<Verdict, { readonly allowed: true }>;

/** Who changes what, and when: the same for every change of one operation. */
export interface Scene {
  readonly tx: Tx;
  readonly tenant: TenantId;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** How a repeat of the submission will be known. */
export interface Repeatability {
  readonly key: { readonly key: string; readonly fingerprint: string } | null;
  /** By the request id of its call: the call's number, which is `new` for the first job that it makes. */
  readonly callSeq: number | 'new' | null;
}

/** What of a job counts towards its tenant's quota: payload and result, in UTF-8. */
export function storedBytesOf({ payloadJson, resultJson }: Pick<Job, 'payloadJson' | 'resultJson'>): number {
  return Buffer.byteLength(payloadJson) + (resultJson === null ? 0 : Buffer.byteLength(resultJson));
}

/** Nobody in particular: the server's own upkeep. */
export const SERVER: Caller = { actor: null };

/** Stores a new job with its first event, whose place its id names, together with others that the transaction makes. */
export function create(scene: Scene, job: Job, eventSeq: number, { key, callSeq }: Repeatability): NewJob {
  const { tx, tenant, nowMs } = scene;
  const lane = waitingLane(job.state, job.runAtMs, nowMs);
  const row = {
    ...newJobColumns(job, lane),
    tenant_id: tenant,
    idempotency_key: key?.key ?? null,
    fingerprint: key?.fingerprint ?? null,
    call_seq: callSeq === 'new' ? eventSeq : callSeq,
    last_event_seq: eventSeq,
    old_id: null,
  };
  const fact = submittedFact(job);
  const made: NewJob = { job, row, event: eventRow(scene, { seq: eventSeq, previousSeq: null, job, fact }), seq: null };
  tx.newRows.addJob(made);
  note(scene, null, job, [fact]);
  tx.tally.countState(tenant, job.queue, job.state, lane, 1);
  tx.tally.usage.of(tenant).storedBytes += storedBytesOf(job);
  announce(scene, job, null);
  return made;
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
  const after = grouped({ ...before, ...verdict.patch, updatedAtMs: nowMs });
  const lane = waitingLane(after.state, after.runAtMs, nowMs);
  const lastEventSeq = await recordAll(scene, located, after, verdict.events, located.lastEventSeq);
  const tokenHash = token === null ? located.leaseTokenHash : digest(token);
  const change = {
    ...changedColumns(before, after),
    ...changedLeaseColumns(before.lease, after.lease, tokenHash),
    ...(lane !== located.lane && { waiting: lane }),
    ...(lastEventSeq !== located.lastEventSeq && { last_event_seq: lastEventSeq }),
  };
  const guard = { tenant, seqBefore: located.seq, stateBefore: before.state, fenceBefore: before.fence };
  const changed = await tx.session.change(updateJob(change), { ...change, ...guard });
  if (changed !== 1) throw new Error(`job ${before.id} changed under its own transaction`);
  if (verdict.ends !== null) endAttempt(scene, located, after, verdict.ends, settledBy);
  recount(scene, located, after);
  announce(scene, after, before);
  return after;
}

/** A job has a group if and only if it is dead. */
function grouped(job: Job): Job {
  if (job.state === 'dead') return { ...job, deadGroup: deadGroupOf(job) };
  return job.deadGroup === null ? job : { ...job, deadGroup: null };
}

/** Gives a live lease a fresh token; the old one is worthless from then on. */
export async function rekey({ tx, tenant }: Scene, { seq }: LocatedJob, token: LeaseToken): Promise<void> {
  await tx.session.change(REKEY_JOB, { tenant, seq, tokenHash: digest(token) });
}

/** Moves delayed jobs of a queue whose time has come among the claimable ones. Not a transition: the state stays. */
export async function promote({ tx, tenant, nowMs }: Scene, queue: string, limit: number): Promise<number> {
  const promoted = await tx.session.all(PROMOTE_JOBS, { tenant, queue, nowMs, limit });
  if (promoted.length === 0) return 0;
  tx.tally.countLane(tenant, queue, 'delayed', -promoted.length);
  tx.tally.countLane(tenant, queue, 'due', promoted.length);
  for (const { task } of promoted) tx.tally.ready.push({ tenant, queue, task });
  return promoted.length;
}

/** Removes a finished job with its ledger and events; with `lastEvents` these stay as the last word about it. */
async function remove(scene: Scene, located: LocatedJob, lastEvents: readonly EventFact[]): Promise<Job> {
  await erase(scene, located);
  await recordAll(scene, located, located.job, lastEvents, null);
  return located.job;
}

/** Removes a finished job, its ledger and its events without a trace but the log's low-water mark. */
export async function erase({ tx, tenant }: Scene, { job, seq, lastEventSeq }: LocatedJob): Promise<void> {
  await tx.newRows.write();
  await tx.session.change(DELETE_EVENTS_OF_JOB, { tenant, lastEventSeq });
  await tx.session.change(DELETE_ATTEMPTS_OF_JOB, { tenant, seq });
  for (const tag of job.tags) await tx.session.change(DELETE_TAG, { tenant, ...tag, seq });
  await tx.session.change(DELETE_JOB, { tenant, seq });
  await tx.tally.raiseLowWater(tenant, lastEventSeq);
  tx.tally.countState(tenant, job.queue, job.state, null, -1);
  if (job.deadGroup !== null) tx.tally.deadGroups.leave(tenant, job.deadGroup);
  tx.tally.usage.of(tenant).storedBytes -= storedBytesOf(job);
}

/** Removes events of purged jobs that are older than `beforeMs`. Answers how many went. */
export async function erasePurgedEvents({ tx, tenant }: Scene, beforeMs: number, limit: number): Promise<number> {
  const removed = await tx.session.all(DELETE_OLD_PURGES, { tenant, beforeMs, limit });
  for (const { seq } of removed) await tx.tally.raiseLowWater(tenant, seq);
  return removed.length;
}

/** Records events in order, each chained to the job's previous one. Answers the seq of the last. */
async function recordAll(scene: Scene, located: LocatedJob, job: Job, facts: readonly EventFact[], previousSeq: number | null): Promise<number> {
  let last = previousSeq;
  for (const fact of facts) {
    const seq = await scene.tx.tally.nextSeq(scene.tenant);
    scene.tx.newRows.addEvent({ ...eventRow(scene, { seq, previousSeq: last, job, fact }), job_seq: located.seq });
    last = seq;
  }
  if (last === null) throw new Error(`job ${job.id} would have no event`);
  note(scene, located.job, job, facts);
  return last;
}

interface Entry {
  readonly seq: number;
  readonly previousSeq: number | null;
  readonly job: Job;
  readonly fact: EventFact;
}

function eventRow({ tenant, caller, nowMs }: Scene, { seq, previousSeq, job, fact }: Entry): Omit<EventTable, 'job_seq'> {
  return { ...eventColumns(fact, job), tenant_id: tenant, seq, previous_seq: previousSeq, at_ms: nowMs, actor: caller.actor };
}

/** Tells the tally of the events, with how long the job had waited or run. */
function note({ tx, tenant, nowMs }: Scene, before: Job | null, job: Job, facts: readonly EventFact[]): void {
  const runMs = job.lease === null && before?.lease ? nowMs - before.lease.startedAtMs : null;
  for (const [index, { kind }] of facts.entries()) {
    const waitMs = kind === 'CLAIMED' && before !== null ? nowMs - before.runAtMs : null;
    tx.tally.noteEvent({ tenant, queue: job.queue, kind, waitMs, runMs: index === 0 ? runMs : null }, nowMs);
  }
}

function endAttempt(
  { tx, tenant, nowMs }: Scene,
  { job, seq, leaseTokenHash }: LocatedJob,
  after: Job,
  outcome: NonNullable<Allowed['ends']>,
  settledBy: 'complete' | 'fail' | 'release' | null,
): void {
  if (job.lease === null || leaseTokenHash === null) throw new Error(`job ${job.id} has no attempt to end`);
  const error = settledBy === 'fail' || outcome === 'lease_expired' ? after.lastError : null;
  tx.newRows.addAttempt({
    tenant_id: tenant,
    job_seq: seq,
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
    error: error === null ? null : JSON.stringify(error),
    error_group: error === null ? null : (after.deadGroup ?? deadGroupOf(after)),
  });
}

function recount({ tx, tenant, nowMs }: Scene, { job: before, lane }: LocatedJob, after: Job): void {
  tx.tally.countState(tenant, before.queue, before.state, lane, -1);
  tx.tally.countState(tenant, after.queue, after.state, waitingLane(after.state, after.runAtMs, nowMs), 1);
  if (before.deadGroup !== null) tx.tally.deadGroups.leave(tenant, before.deadGroup);
  if (after.deadGroup !== null) tx.tally.deadGroups.enter(tenant, after, nowMs);
  if (after.payloadJson !== before.payloadJson || after.resultJson !== before.resultJson)
    tx.tally.usage.of(tenant).storedBytes += storedBytesOf(after) - storedBytesOf(before);
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
