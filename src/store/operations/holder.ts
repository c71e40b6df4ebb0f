/** The verbs of whoever holds a lease: each needs the token, and repeating one is safe. */
import type { Action, ActionOf, TokenStanding } from '../../domain/actions.ts';
import type { Verdict } from '../../domain/decide.ts';
import { failed, type InvalidTransition, type JobNotFound, type LeaseLost, type Outcome, succeeded } from '../../domain/failures.ts';
import type { Job, TenantId } from '../../domain/job.ts';
import { digest, equalDigests } from '../../runtime/digest.ts';
import { move, type Scene } from '../apply.ts';
import { locateById } from '../locate.ts';
import type { LocatedJob } from '../rows.ts';
import type { CompleteOutcome, Failed, HeartbeatOutcome, Settled } from '../answers.ts';
import type { Caller, CompleteRequest, FailRequest, HeartbeatRequest, ReleaseRequest } from '../requests.ts';
import { findSpentToken, type SpentToken } from '../spent-tokens.ts';
import { inScene, judge, type OperationParts } from './facts.ts';
import { noteHeartbeat } from './workers.ts';

type SettlingAction = ActionOf<'complete' | 'fail' | 'release'>;
type Ended = Settled & { readonly spent: SpentToken | null };

interface Presented<Verb extends Action> {
  readonly jobId: string;
  readonly tokenDigest: string;
  readonly action: Verb;
}

function presented<Verb extends Action>(jobId: string, leaseToken: string, action: Verb): Presented<Verb> {
  return { jobId, tokenDigest: digest(leaseToken), action };
}

export async function heartbeat(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  requests: readonly HeartbeatRequest[],
): Promise<{ results: readonly HeartbeatOutcome[]; nowMs: number }> {
  const items = requests.map(({ jobId, leaseToken, extendSeconds, progress }) =>
    presented(jobId, leaseToken, { name: 'heartbeat', extendSeconds, progress } as const),
  );
  return inScene(parts, tenant, caller, { weight: items.length }, async (scene) => {
    const results: HeartbeatOutcome[] = [];
    for (const item of items) results.push(await renew(parts, scene, item));
    return { results, nowMs: scene.nowMs };
  });
}

async function renew(parts: OperationParts, scene: Scene, item: Presented<ActionOf<'heartbeat'>>): Promise<HeartbeatOutcome> {
  const held = await hold(parts, scene, item);
  if (!held.ok) return held;
  if (!held.value.verdict.allowed) return failed(leaseLost(held.value.verdict.failure));
  const job = await move(scene, held.value.located, held.value.verdict, null, null);
  if (job.lease === null) throw new Error(`job ${job.id} lost its lease to a heartbeat`);
  await noteHeartbeat(scene, job.lease);
  return succeeded({
    jobId: job.id,
    leaseExpiresAtMs: job.lease.expiresAtMs,
    leaseSeconds: remainingSeconds(job.lease.expiresAtMs, scene.nowMs),
    cancelRequested: job.cancelRequestedAtMs !== null,
    cancelReason: job.cancelReason,
  });
}

/** Whole seconds that the lease still lives, rounded down so that nobody trusts it too long. */
export function remainingSeconds(expiresAtMs: number, nowMs: number): number {
  return Math.floor((expiresAtMs - nowMs) / 1000);
}

export function complete(parts: OperationParts, tenant: TenantId, caller: Caller, requests: readonly CompleteRequest[]): Promise<readonly CompleteOutcome[]> {
  const items = requests.map(completion);
  return inScene(parts, tenant, caller, { weight: items.length }, (scene) => completeAll(parts, scene, items));
}

export type Completion = Presented<ActionOf<'complete'>>;

export function completion({ jobId, leaseToken, resultJson }: CompleteRequest): Completion {
  return presented(jobId, leaseToken, { name: 'complete', resultJson } as const);
}

export async function completeAll(parts: OperationParts, scene: Scene, items: readonly Completion[]): Promise<readonly CompleteOutcome[]> {
  const outcomes: CompleteOutcome[] = [];
  for (const item of items) outcomes.push(withoutSpent(await settle(parts, scene, item)));
  return outcomes;
}

export async function fail(parts: OperationParts, tenant: TenantId, caller: Caller, request: FailRequest): Promise<Outcome<Failed, LeaseLost | JobNotFound>> {
  return inScene(parts, tenant, caller, {}, async (scene) => {
    const action: ActionOf<'fail'> = {
      name: 'fail',
      error: { ...request.error, atMs: scene.nowMs },
      retryAfterSeconds: request.retry !== null && 'afterSeconds' in request.retry ? request.retry.afterSeconds : null,
      retryNever: request.retry !== null && 'never' in request.retry,
    };
    const outcome = await settle(parts, scene, presented(request.jobId, request.leaseToken, action));
    if (!outcome.ok) return outcome;
    const { job, replayed, spent } = outcome.value;
    if (spent !== null) return succeeded({ job, replayed, retryAtMs: spent.retryAtMs, deadLettered: spent.settledTo === 'dead' });
    return succeeded({ job, replayed, retryAtMs: job.state === 'retry' ? job.runAtMs : null, deadLettered: job.state === 'dead' });
  });
}

export function release(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  requests: readonly ReleaseRequest[],
): Promise<readonly Outcome<Settled, LeaseLost | JobNotFound>[]> {
  const items = requests.map(({ jobId, leaseToken, afterSeconds }) => presented(jobId, leaseToken, { name: 'release', afterSeconds } as const));
  return inScene(parts, tenant, caller, { weight: items.length }, async (scene) => {
    const outcomes: Outcome<Settled, LeaseLost | JobNotFound>[] = [];
    for (const item of items) outcomes.push(withoutSpent(await settle(parts, scene, item)));
    return outcomes;
  });
}

interface Held {
  readonly located: LocatedJob;
  readonly verdict: Verdict;
  readonly spent: SpentToken | null;
}

/** Finds the job, sees what the presented token is worth, and asks the domain. */
async function hold(parts: OperationParts, scene: Scene, item: Presented<Action>): Promise<Outcome<Held, JobNotFound>> {
  const located = await locateById(scene.tx, scene.tenant, item.jobId);
  if (located === null) return failed({ code: 'JOB_NOT_FOUND', jobId: item.jobId });
  const isCurrent = located.leaseTokenHash !== null && equalDigests(item.tokenDigest, located.leaseTokenHash);
  const spent = isCurrent ? null : await findSpentToken(scene, located, item.tokenDigest);
  const verdict = await judge(parts, scene, located, item.action, isCurrent ? 'current' : standingOf(located.job, spent));
  return succeeded({ located, verdict, spent });
}

function standingOf(job: Job, spent: SpentToken | null): TokenStanding {
  if (spent === null) return 'unknown_token';
  if (spent.fence < job.fence) return 'superseded';
  if (spent.outcome === 'lease_expired') return 'expired';
  return spent.outcome === 'revoked' ? 'revoked' : 'finished';
}

async function settle(parts: OperationParts, scene: Scene, item: Presented<SettlingAction>): Promise<Outcome<Ended, LeaseLost | JobNotFound>> {
  const held = await hold(parts, scene, item);
  if (!held.ok) return held;
  const { located, verdict, spent } = held.value;
  const isRepeated = spent !== null && spent.fence === located.job.fence && spent.settledBy === item.action.name;
  if (isRepeated) return succeeded({ job: located.job, replayed: true, spent });
  if (!verdict.allowed) return failed(leaseLost(verdict.failure));
  const job = await move(scene, located, verdict, null, item.action.name);
  return succeeded({ job, replayed: false, spent: null });
}

function withoutSpent(outcome: Outcome<Ended, LeaseLost | JobNotFound>): Outcome<Settled, LeaseLost | JobNotFound> {
  return outcome.ok ? succeeded({ job: outcome.value.job, replayed: outcome.value.replayed }) : outcome;
}

function leaseLost(failure: LeaseLost | InvalidTransition): LeaseLost {
  if (failure.code !== 'LEASE_LOST') throw new Error(`a holder's verb was refused with ${failure.code}`);
  return failure;
}
