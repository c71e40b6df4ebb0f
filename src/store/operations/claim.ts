/** The claim: settle what the worker brings, put the queues right, lease the next eligible jobs; wait if asked to. */
import type { LeaseToken, TenantId } from '../../domain/job.ts';
import { mintSecret } from '../../runtime/entropy.ts';
import { move, rekey, type Scene } from '../apply.ts';
import type { ClaimWaiters } from '../claim-waiters.ts';
import { locateClaimable, locateLeasesOfRequest, nextAppointmentMs } from '../locate.ts';
import { findQueueRow } from '../queue-rows.ts';
import { defaultsOf, type LocatedJob, type QueueRow } from '../rows.ts';
import type { ClaimAnswer, ClaimedJob, IdleReason } from '../answers.ts';
import type { Caller, ClaimRequest } from '../requests.ts';
import { completeAll, type Completion, completion, remainingSeconds } from './holder.ts';
import { inScene, judge, type OperationParts } from './facts.ts';
import { putRight } from './recover.ts';
import { noteWorker } from './workers.ts';

export interface ClaimParts extends OperationParts {
  readonly waiters: ClaimWaiters;
}

/** How soon to ask again where nothing was there and the caller did not wait. */
const POLL_AGAIN_MS = 1_000;
const POLL_AGAIN_MS_MIN = 20;
/** Steps that a claim takes to put its queues right before it leases: beyond these the sweeper goes on, and order may lag. */
const STEPS_MAX = 40;

export async function claim(parts: ClaimParts, tenant: TenantId, caller: Caller, request: ClaimRequest, signal?: AbortSignal): Promise<ClaimAnswer> {
  const completing = request.completing.map(completion);
  if (request.waitSeconds === 0) return claimNow(parts, tenant, caller, request, completing);
  const waiter = parts.waiters.join({ tenant, queues: request.queues, tasks: request.tasks });
  const patience = new AbortController();
  try {
    const first = await claimNow(parts, tenant, caller, request, completing);
    if (first.leases.length > 0) return first;
    const over = AbortSignal.any([patience.signal, parts.waiters.stopped, ...(signal === undefined ? [] : [signal])]);
    void parts.clock.sleep(request.waitSeconds * 1000, over).then(() => patience.abort());
    let answer = first;
    while (answer.leases.length === 0) {
      await waiter.news(over);
      if (over.aborted) break;
      waiter.look();
      answer = await claimNow(parts, tenant, caller, request, []);
    }
    return { ...answer, completed: first.completed, ...(answer.leases.length === 0 && waited(parts, answer)) };
  } finally {
    patience.abort();
    waiter.leave();
  }
}

/** After a wait the caller may come back at once, unless the server is going away. */
function waited({ waiters }: ClaimParts, { idle }: ClaimAnswer): Pick<ClaimAnswer, 'idle' | 'pollAgainInMs'> {
  return waiters.stopped.aborted ? { idle: 'shutting_down', pollAgainInMs: POLL_AGAIN_MS } : { idle, pollAgainInMs: 0 };
}

/** Completes at once; then takes the best jobs, as soon as the queues are right. */
async function claimNow(parts: ClaimParts, tenant: TenantId, caller: Caller, request: ClaimRequest, completing: readonly Completion[]): Promise<ClaimAnswer> {
  const first = await claimOnce(parts, tenant, caller, request, { completing, mayComeAgain: true });
  let { answer } = first;
  for (let step = 2; answer === null; step++) {
    ({ answer } = await claimOnce(parts, tenant, caller, request, { completing: [], mayComeAgain: step < STEPS_MAX }));
  }
  return { ...answer, completed: first.completed };
}

interface Try {
  readonly completing: readonly Completion[];
  /** True: where a queue needs more than one step to be right, nothing is leased yet. */
  readonly mayComeAgain: boolean;
}

function claimOnce(
  parts: ClaimParts,
  tenant: TenantId,
  caller: Caller,
  request: ClaimRequest,
  { completing, mayComeAgain }: Try,
): Promise<{ readonly completed: ClaimAnswer['completed']; readonly answer: ClaimAnswer | null }> {
  return inScene(parts, tenant, caller, { weight: request.max + completing.length }, async (scene) => {
    const completed = await completeAll(parts, scene, completing);
    await noteWorker(scene, request);
    const known = await repeatedLeases(parts, scene, request);
    if (known.length === 0 && (await putQueuesRight(parts, scene, request.queues)) && mayComeAgain) return { completed, answer: null };
    const leases = known.length > 0 ? known : await newLeases(parts, scene, request);
    const isIdle = leases.length === 0;
    const idle = isIdle ? await idleReason(scene, request.queues) : null;
    const pollAgainInMs = isIdle ? await pollAgainMs(scene, request.queues) : 0;
    return { completed, answer: { completed, leases, idle, pollAgainInMs, nowMs: scene.nowMs } };
  });
}

/** One bounded step in each queue that exists. True where one of them needs another. */
async function putQueuesRight(parts: ClaimParts, scene: Scene, queues: readonly string[]): Promise<boolean> {
  let hasMore = false;
  for (const name of queues) {
    if ((await findQueueRow(scene.tx, scene.tenant, name)) === null) continue;
    hasMore = (await putRight(parts, scene, name)).hasMore || hasMore;
  }
  return hasMore;
}

/**
 * The leases that an earlier claim with this request id took and that still live, each under a fresh token. Only those of
 * the claim's own queues: worker and request are names that anybody may use, and a key may be restricted to its queues.
 */
async function repeatedLeases(parts: ClaimParts, scene: Scene, { requestId, workerId, queues }: ClaimRequest): Promise<readonly ClaimedJob[]> {
  if (requestId === null) return [];
  const located = await locateLeasesOfRequest(scene.tx, scene.tenant, workerId, requestId, scene.nowMs);
  const leases: ClaimedJob[] = [];
  for (const known of located.filter(({ job }) => queues.includes(job.queue))) {
    const token = mintToken(parts);
    await rekey(scene, known, token);
    leases.push(claimedJob(known.job, token, scene.nowMs));
  }
  return leases;
}

async function newLeases(parts: ClaimParts, scene: Scene, request: ClaimRequest): Promise<readonly ClaimedJob[]> {
  const leases: ClaimedJob[] = [];
  for (const name of request.queues) {
    const row = await findQueueRow(scene.tx, scene.tenant, name);
    const room = request.max - leases.length;
    if (row === null || row.paused_at_ms !== null || room === 0) continue;
    const leaseSeconds = request.leaseSeconds ?? defaultsOf(row).leaseSeconds;
    for (const located of await locateClaimable(scene, name, request.tasks, room)) leases.push(await lease(parts, scene, located, request, leaseSeconds));
  }
  return leases;
}

async function lease(parts: ClaimParts, scene: Scene, located: LocatedJob, { workerId, requestId }: ClaimRequest, leaseSeconds: number): Promise<ClaimedJob> {
  const verdict = await judge(parts, scene, located, { name: 'claim', workerId, leaseSeconds, requestId }, 'unknown_token');
  if (!verdict.allowed) throw new Error(`the claim located job ${located.job.id}, which cannot be claimed`);
  const token = mintToken(parts);
  return claimedJob(await move(scene, located, verdict, token, null), token, scene.nowMs);
}

function mintToken({ entropy }: OperationParts): LeaseToken {
  return mintSecret(entropy) as LeaseToken;
}

function claimedJob(job: ClaimedJob['job'], leaseToken: LeaseToken, nowMs: number): ClaimedJob {
  if (job.lease === null) throw new Error(`job ${job.id} was claimed without a lease`);
  return { job, leaseToken, leaseExpiresAtMs: job.lease.expiresAtMs, leaseSeconds: remainingSeconds(job.lease.expiresAtMs, nowMs) };
}

/** PAUSED only where every queue of the claim that exists is paused: otherwise there is simply nothing to do. */
async function idleReason({ tx, tenant }: Scene, queues: readonly string[]): Promise<IdleReason> {
  const known: QueueRow[] = [];
  for (const name of queues) {
    const row = await findQueueRow(tx, tenant, name);
    if (row !== null) known.push(row);
  }
  return known.length > 0 && known.every((row) => row.paused_at_ms !== null) ? 'paused' : 'no_ready_job';
}

/** Sooner than usual where the queue knows of a job that falls due before. */
async function pollAgainMs({ tx, tenant, nowMs }: Scene, queues: readonly string[]): Promise<number> {
  let soonestMs = POLL_AGAIN_MS;
  for (const name of queues) {
    const row = await findQueueRow(tx, tenant, name);
    if (row === null || row.paused_at_ms !== null) continue;
    const atMs = await nextAppointmentMs(tx, tenant, name);
    if (atMs !== null) soonestMs = Math.min(soonestMs, atMs - nowMs);
  }
  return Math.max(POLL_AGAIN_MS_MIN, soonestMs);
}
