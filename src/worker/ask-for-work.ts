/** One request for work, in which heartbeats travel along where some are due. */
import type { Caller } from '../client/caller.ts';
import { LeaseQueueError } from '../client/errors.ts';
import {
  type ClaimJobsInput,
  WorkerClaimDocument,
  type WorkerClaimFieldsFragment,
  WorkerTurnDocument,
  type WorkerTurnMutation,
} from '../client/generated/graphql.ts';
import type { HeldLease } from './held-lease.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

/** Sends it once. What the heartbeats were answered with is the keeper's, whatever becomes of the claim. */
export async function askForWork(
  caller: Caller,
  keeper: LeaseKeeper,
  claim: ClaimJobsInput,
  beats: readonly HeldLease[],
  signal: AbortSignal,
): Promise<WorkerClaimFieldsFragment> {
  const rules = { isRepeatable: true, holdMs: (claim.waitSeconds ?? 0) * 1_000, signal };
  const turn = keeper.begin(beats);
  if (turn.items.length === 0) return claimOf(await caller.askOnce(WorkerClaimDocument, { claim }, rules));
  try {
    const answered = await caller.askOnce(WorkerTurnDocument, { claim, heartbeat: { leases: [...turn.items] } }, rules);
    turn.end(answered.data?.heartbeat?.results ?? []);
    return claimOf(answered);
  } catch (error) {
    turn.end([]);
    throw error;
  }
}

type Answered = Awaited<ReturnType<typeof Caller.prototype.askOnce<Pick<WorkerTurnMutation, 'claimJobs'>, unknown>>>;

function claimOf({ data, errors }: Answered): WorkerClaimFieldsFragment {
  if (data?.claimJobs !== null && data?.claimJobs !== undefined) return data.claimJobs;
  const known = errors.find(({ field }) => field === 'claimJobs' || field === null);
  throw known?.error ?? new LeaseQueueError({ code: 'UNREADABLE_ANSWER', message: 'The answer holds no claim.', isOutcomeUnknown: true });
}
