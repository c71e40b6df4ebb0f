/** The table's only reader at run time: given a job, an action and the facts, what happens, or why not. */
import type { Action, Facts } from './actions.ts';
import { EFFECTS } from './effects.ts';
import type { EventDetail, EventFact, EventKind } from './events.ts';
import { type InvalidTransition, type LeaseLost, type LeaseLostReason, OPERATOR_ACTIONS, type OperatorAction } from './failures.ts';
import { type AttemptOutcome, isDue, isLeaseLive, type Job, type JobPatch, type JobState } from './job.ts';
import { LIMITS } from './limits.ts';
import { type ActionName, type BranchName, type CheckName, type Transition, TRANSITIONS } from './transitions.ts';

export type Verdict =
  | {
      readonly allowed: true;
      readonly to: JobState | 'gone';
      readonly patch: JobPatch;
      readonly events: readonly EventFact[];
      readonly ends: AttemptOutcome | null;
    }
  | { readonly allowed: false; readonly failure: LeaseLost | InvalidTransition };

interface Check {
  readonly holds: (job: Job, facts: Facts) => boolean;
  /** Null: the caller located a row that cannot be acted on, which is a defect and not an answer. */
  readonly failure: ((job: Job, action: Action, facts: Facts) => LeaseLost | InvalidTransition) | null;
}

function leaseLost(job: Job, reason: LeaseLostReason): LeaseLost {
  return { code: 'LEASE_LOST', jobId: job.id, reason, state: job.state, attempt: job.attempt };
}

function operatorAction(action: Action): OperatorAction {
  const found = OPERATOR_ACTIONS.find((name) => name === action.name);
  if (found === undefined) throw new Error(`${action.name} is not an operator's action`);
  return found;
}

export const CHECKS: { readonly [Name in CheckName]: Check } = {
  isDue: { holds: (job, { nowMs }) => isDue(job, nowMs), failure: null },
  queueOpen: { holds: (_job, { queuePaused }) => !queuePaused, failure: null },
  tokenMatches: {
    holds: (job, { token }) => job.lease !== null && token === 'current',
    failure: (job, _action, { token }) => leaseLost(job, token === 'current' ? 'finished' : token),
  },
  leaseLive: {
    holds: (job, { nowMs }) => job.lease !== null && isLeaseLive(job.lease, nowMs),
    failure: (job) => leaseLost(job, 'expired'),
  },
  leaseLapsed: { holds: (job, { nowMs }) => job.lease !== null && !isLeaseLive(job.lease, nowMs), failure: null },
  stateAllows: {
    holds: () => false,
    failure: (job, action) => ({ code: 'INVALID_TRANSITION', jobId: job.id, from: job.state, attempted: operatorAction(action) }),
  },
};

const isCancelRequested = (job: Job): boolean => job.cancelRequestedAtMs !== null;
const hasAttemptsLeft = (job: Job): boolean => job.attempt < job.maxAttempts;
const isRefunded = (job: Job): boolean => job.releasesInRow < LIMITS.refundedReleasesMax;
const isRetryWanted = (action: Action): boolean => !(action.name === 'fail' && action.retryNever);
const isForced = (action: Action): boolean => action.name === 'cancel' && action.force;

export const BRANCHES: { readonly [Name in BranchName]: (job: Job, action: Action) => boolean } = {
  always: () => true,
  cancelRequested: (job) => isCancelRequested(job),
  retryable: (job, action) => !isCancelRequested(job) && hasAttemptsLeft(job) && isRetryWanted(action),
  notRetryable: (job, action) => !isCancelRequested(job) && !(hasAttemptsLeft(job) && isRetryWanted(action)),
  attemptsLeft: (job) => !isCancelRequested(job) && hasAttemptsLeft(job),
  attemptsSpent: (job) => !isCancelRequested(job) && !hasAttemptsLeft(job),
  refunded: (job) => !isCancelRequested(job) && isRefunded(job),
  keptWithAttemptsLeft: (job) => !isCancelRequested(job) && !isRefunded(job) && hasAttemptsLeft(job),
  keptWithAttemptsSpent: (job) => !isCancelRequested(job) && !isRefunded(job) && !hasAttemptsLeft(job),
  forced: (_job, action) => isForced(action),
  firstRequest: (job, action) => !isForced(action) && !isCancelRequested(job),
  repeatedRequest: (job, action) => !isForced(action) && isCancelRequested(job),
};

const rowsByPair = Map.groupBy(TRANSITIONS, ({ from, action }) => `${from} ${action}`);

function rowsOf(from: JobState, action: ActionName): readonly [Transition, ...Transition[]] {
  const [first, ...others] = rowsByPair.get(`${from} ${action}`) ?? [];
  if (first === undefined) throw new Error(`the transition table has no row for ${action} of a ${from} job`);
  return [first, ...others];
}

function firstFailure(row: Transition, job: Job, action: Action, facts: Facts): LeaseLost | InvalidTransition | null {
  for (const name of row.requires) {
    const check = CHECKS[name];
    if (check.holds(job, facts)) continue;
    if (check.failure === null) throw new Error(`${action.name} located job ${job.id}, which fails ${name}`);
    return check.failure(job, action, facts);
  }
  return null;
}

function targetOf(row: Transition, job: Job): JobState | 'gone' {
  if (row.to !== 'claimedFrom') return row.to;
  if (job.lease === null) throw new Error(`job ${job.id} has no lease to hand back`);
  return job.lease.claimedFrom;
}

function deathReason(action: Action): string {
  if (action.name === 'expire') return 'lease_expired';
  return action.name === 'release' ? 'released' : 'failed';
}

function detailOf(kind: EventKind, before: Job, after: Job, action: Action): EventDetail | null {
  switch (kind) {
    case 'CLAIMED':
      return after.lease === null ? null : { leaseExpiresAtMs: after.lease.expiresAtMs };
    case 'RETRY_SCHEDULED':
    case 'RELEASED':
      return { runAtMs: after.runAtMs };
    case 'LEASE_EXPIRED':
      return { runAtMs: after.runAtMs, leaseExpiresAtMs: before.lease?.expiresAtMs ?? 0 };
    case 'DEAD_LETTERED':
      return { reason: deathReason(action) };
    case 'RESCHEDULED':
      return { runAtMs: after.runAtMs, priority: after.priority };
    case 'REDRIVEN':
      return { runAtMs: after.runAtMs, maxAttempts: after.maxAttempts };
    case 'CANCEL_REQUESTED':
    case 'CANCELLED':
      return after.cancelReason === null ? null : { reason: after.cancelReason };
    case 'SUBMITTED':
    case 'COMPLETED':
    case 'PURGED':
      return null;
    default:
      return kind satisfies never;
  }
}

/**
 * What `action` does to `job`. Throws where the caller located a job that the action cannot be meant for: that is a
 * bug of the caller, not an answer.
 */
export function decide(job: Job, action: Action, facts: Facts): Verdict {
  const rows = rowsOf(job.state, action.name);
  const failure = firstFailure(rows[0], job, action, facts);
  if (failure !== null) return { allowed: false, failure };

  const row = rows.find(({ when }) => BRANCHES[when](job, action));
  if (row === undefined) throw new Error(`no branch of ${action.name} fits job ${job.id}`);

  const to = targetOf(row, job);
  const change = EFFECTS[row.effect](job, action as never, facts);
  const patch = to === 'gone' ? change : { ...change, state: to };
  const after: Job = { ...job, ...patch };
  const workerId = after.lease?.workerId ?? job.lease?.workerId ?? null;
  const events = row.events.map((kind) => ({
    kind,
    fromState: job.state,
    toState: after.state,
    attempt: after.attempt,
    fence: after.fence,
    workerId,
    detail: detailOf(kind, job, after, action),
  }));
  return { allowed: true, to, patch, events, ends: row.ends };
}
