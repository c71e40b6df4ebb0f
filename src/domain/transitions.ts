/**
 * The state machine, once, as data. Code, types, schema, docs and tests read this table; `decide` is its only
 * reader at run time. Rows of one (from, action) share `requires`, and their `when` branches partition.
 */
import type { EventKind } from './events.ts';
import type { AttemptOutcome, JobState } from './job.ts';

export const ACTIONS = ['claim', 'heartbeat', 'complete', 'fail', 'release', 'expire', 'cancel', 'reschedule', 'redrive', 'purge'] as const;
export type ActionName = (typeof ACTIONS)[number];

/** Preconditions; the order inside a row is the precedence of their failures. Predicates live in decide.ts. */
export const CHECK_NAMES = ['isDue', 'queueOpen', 'tokenMatches', 'leaseLive', 'leaseLapsed', 'stateAllows'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Choices between the rows of one (from, action). Predicates live in decide.ts. */
export const BRANCH_NAMES = [
  'always',
  'cancelRequested',
  'retryable',
  'notRetryable',
  'attemptsLeft',
  'attemptsSpent',
  'refunded',
  'keptWithAttemptsLeft',
  'keptWithAttemptsSpent',
  'forced',
  'firstRequest',
  'repeatedRequest',
] as const;
export type BranchName = (typeof BRANCH_NAMES)[number];

/** Pure changes of the row. Functions live in effects.ts. */
export const EFFECT_NAMES = [
  'none',
  'takeLease',
  'extendLease',
  'storeResult',
  'scheduleRetry',
  'bury',
  'handBack',
  'handBackCharged',
  'buryReleased',
  'recover',
  'buryLapsed',
  'requestCancel',
  'endCancelled',
  'reschedule',
  'startOver',
] as const;
export type EffectName = (typeof EFFECT_NAMES)[number];

export interface Transition {
  readonly from: JobState;
  readonly action: ActionName;
  readonly requires: readonly CheckName[];
  readonly when: BranchName;
  /** `claimedFrom` is the state that the lease was taken from; `gone` removes the job. */
  readonly to: JobState | 'claimedFrom' | 'gone';
  readonly effect: EffectName;
  /** Facts to record, in order; a heartbeat moves no state and is not one. */
  readonly events: readonly EventKind[];
  /** How the running attempt ended, for the ledger. */
  readonly ends: AttemptOutcome | null;
}

const CLAIMABLE = ['isDue', 'queueOpen'] as const;
const HOLDER = ['tokenMatches', 'leaseLive'] as const;
const LAPSED = ['leaseLapsed'] as const;
const REFUSED = ['stateAllows'] as const;

const allowed: readonly Transition[] = [
  { from: 'queued', action: 'claim', requires: CLAIMABLE, when: 'always', to: 'running', effect: 'takeLease', events: ['CLAIMED'], ends: null },
  { from: 'retry', action: 'claim', requires: CLAIMABLE, when: 'always', to: 'running', effect: 'takeLease', events: ['CLAIMED'], ends: null },

  { from: 'running', action: 'heartbeat', requires: HOLDER, when: 'always', to: 'running', effect: 'extendLease', events: [], ends: null },
  { from: 'running', action: 'complete', requires: HOLDER, when: 'always', to: 'completed', effect: 'storeResult', events: ['COMPLETED'], ends: 'completed' },

  { from: 'running', action: 'fail', requires: HOLDER, when: 'cancelRequested', to: 'cancelled', effect: 'endCancelled', events: ['CANCELLED'], ends: 'cancelled' },
  { from: 'running', action: 'fail', requires: HOLDER, when: 'retryable', to: 'retry', effect: 'scheduleRetry', events: ['RETRY_SCHEDULED'], ends: 'failed' },
  { from: 'running', action: 'fail', requires: HOLDER, when: 'notRetryable', to: 'dead', effect: 'bury', events: ['DEAD_LETTERED'], ends: 'failed' },

  { from: 'running', action: 'release', requires: HOLDER, when: 'cancelRequested', to: 'cancelled', effect: 'endCancelled', events: ['CANCELLED'], ends: 'cancelled' },
  { from: 'running', action: 'release', requires: HOLDER, when: 'refunded', to: 'claimedFrom', effect: 'handBack', events: ['RELEASED'], ends: 'released' },
  { from: 'running', action: 'release', requires: HOLDER, when: 'keptWithAttemptsLeft', to: 'claimedFrom', effect: 'handBackCharged', events: ['RELEASED'], ends: 'released' },
  { from: 'running', action: 'release', requires: HOLDER, when: 'keptWithAttemptsSpent', to: 'dead', effect: 'buryReleased', events: ['RELEASED', 'DEAD_LETTERED'], ends: 'released' },

  { from: 'running', action: 'expire', requires: LAPSED, when: 'cancelRequested', to: 'cancelled', effect: 'endCancelled', events: ['LEASE_EXPIRED', 'CANCELLED'], ends: 'lease_expired' },
  { from: 'running', action: 'expire', requires: LAPSED, when: 'attemptsLeft', to: 'retry', effect: 'recover', events: ['LEASE_EXPIRED'], ends: 'lease_expired' },
  { from: 'running', action: 'expire', requires: LAPSED, when: 'attemptsSpent', to: 'dead', effect: 'buryLapsed', events: ['LEASE_EXPIRED', 'DEAD_LETTERED'], ends: 'lease_expired' },

  { from: 'running', action: 'cancel', requires: [], when: 'forced', to: 'cancelled', effect: 'endCancelled', events: ['CANCELLED'], ends: 'revoked' },
  { from: 'running', action: 'cancel', requires: [], when: 'firstRequest', to: 'running', effect: 'requestCancel', events: ['CANCEL_REQUESTED'], ends: null },
  { from: 'running', action: 'cancel', requires: [], when: 'repeatedRequest', to: 'running', effect: 'none', events: [], ends: null },
  { from: 'queued', action: 'cancel', requires: [], when: 'always', to: 'cancelled', effect: 'endCancelled', events: ['CANCELLED'], ends: null },
  { from: 'retry', action: 'cancel', requires: [], when: 'always', to: 'cancelled', effect: 'endCancelled', events: ['CANCELLED'], ends: null },

  { from: 'queued', action: 'reschedule', requires: [], when: 'always', to: 'queued', effect: 'reschedule', events: ['RESCHEDULED'], ends: null },
  { from: 'retry', action: 'reschedule', requires: [], when: 'always', to: 'retry', effect: 'reschedule', events: ['RESCHEDULED'], ends: null },

  { from: 'dead', action: 'redrive', requires: [], when: 'always', to: 'queued', effect: 'startOver', events: ['REDRIVEN'], ends: null },

  { from: 'completed', action: 'purge', requires: [], when: 'always', to: 'gone', effect: 'none', events: ['PURGED'], ends: null },
  { from: 'dead', action: 'purge', requires: [], when: 'always', to: 'gone', effect: 'none', events: ['PURGED'], ends: null },
  { from: 'cancelled', action: 'purge', requires: [], when: 'always', to: 'gone', effect: 'none', events: ['PURGED'], ends: null },
];

/** A pair that no row above names is refused by a check that never holds, so that the table has no gap. */
function refusals(action: ActionName, states: readonly JobState[], requires: readonly CheckName[]): readonly Transition[] {
  return states.map((from) => ({ from, action, requires, when: 'always', to: from, effect: 'none', events: [], ends: null }));
}

const NOT_RUNNING = ['queued', 'retry', 'completed', 'dead', 'cancelled'] as const;

export const TRANSITIONS: readonly Transition[] = [
  ...allowed,
  ...refusals('claim', ['running', 'completed', 'dead', 'cancelled'], CLAIMABLE),
  ...refusals('heartbeat', NOT_RUNNING, HOLDER),
  ...refusals('complete', NOT_RUNNING, HOLDER),
  ...refusals('fail', NOT_RUNNING, HOLDER),
  ...refusals('release', NOT_RUNNING, HOLDER),
  ...refusals('expire', NOT_RUNNING, LAPSED),
  ...refusals('cancel', ['completed', 'dead', 'cancelled'], REFUSED),
  ...refusals('reschedule', ['running', 'completed', 'dead', 'cancelled'], REFUSED),
  ...refusals('redrive', ['queued', 'running', 'retry', 'completed', 'cancelled'], REFUSED),
  ...refusals('purge', ['queued', 'running', 'retry'], REFUSED),
];
