/**
 * The expected "no": every failure that an operation can answer with, declared once. The schema, the SDK, the
 * docs and the metrics read this table. Nothing here is an exception.
 */
import type { QuotaName } from './access.ts';
import type { Job, JobState } from './job.ts';

export const FAILURES = {
  JOB_NOT_FOUND: {
    type: 'JobNotFound',
    retryable: false,
    meaning: 'No job of this tenant has this id. Retention or an operator may have removed it.',
    hint: 'Check the id and the tenant. Do not repeat the call.',
  },
  LEASE_LOST: {
    type: 'LeaseLost',
    retryable: false,
    meaning: 'The token is not the current, live lease of the job. Nothing was changed.',
    hint: 'Stop working on the job. Do not repeat the call: somebody else may hold the job now.',
  },
  INVALID_TRANSITION: {
    type: 'InvalidTransition',
    retryable: false,
    meaning: 'The job is in a state that does not allow this action. Nothing was changed.',
    hint: 'Read the job again and decide anew.',
  },
  IDEMPOTENCY_CONFLICT: {
    type: 'IdempotencyConflict',
    retryable: false,
    meaning: 'The idempotency key belongs to a job that was submitted with a different request. Nothing was stored.',
    hint: 'Use a new key for new work, or send exactly the request that the key was first used with.',
  },
  BATCH_ROLLED_BACK: {
    type: 'BatchRolledBack',
    retryable: true,
    meaning: 'Nothing was wrong with this item; another item failed and the batch was all or nothing.',
    hint: 'Mend the item that failed and send the batch again.',
  },
  QUEUE_NOT_FOUND: {
    type: 'QueueNotFound',
    retryable: false,
    meaning: 'No queue of this tenant has this name.',
    hint: 'A queue comes into being with its first job, with configureQueue or with pauseQueue.',
  },
  VERSION_CONFLICT: {
    type: 'VersionConflict',
    retryable: false,
    meaning: 'What the call is about was changed since the caller read it. Nothing was changed.',
    hint: 'Read it again and repeat the call with its current version.',
  },
  NAME_TAKEN: {
    type: 'NameTaken',
    retryable: false,
    meaning: 'Another one has this name already. Nothing was changed.',
    hint: 'Choose another name.',
  },
  TENANT_NOT_FOUND: {
    type: 'TenantNotFound',
    retryable: false,
    meaning: 'No tenant that this key may see has this id.',
    hint: 'Check the id, and that the key may act for other tenants. Do not repeat the call.',
  },
  API_KEY_NOT_FOUND: {
    type: 'ApiKeyNotFound',
    retryable: false,
    meaning: 'No key of this tenant has this id.',
    hint: 'Check the id and the tenant. Do not repeat the call.',
  },
  QUOTA_EXCEEDED: {
    type: 'QuotaExceeded',
    retryable: true,
    meaning: 'The tenant is at this quota. Nothing was changed.',
    hint: 'Repeat the call, with the same idempotency key, when there is room again, or have the quota raised.',
  },
} as const;

export type FailureCode = keyof typeof FAILURES;

export const LEASE_LOST_REASONS = ['expired', 'revoked', 'superseded', 'finished', 'unknown_token'] as const;
export type LeaseLostReason = (typeof LEASE_LOST_REASONS)[number];

export const OPERATOR_ACTIONS = ['cancel', 'redrive', 'reschedule', 'purge'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

export interface JobNotFound {
  readonly code: 'JOB_NOT_FOUND';
  readonly jobId: string;
}
export interface LeaseLost {
  readonly code: 'LEASE_LOST';
  readonly jobId: string;
  readonly reason: LeaseLostReason;
  readonly state: JobState;
  readonly attempt: number;
}
export interface InvalidTransition {
  readonly code: 'INVALID_TRANSITION';
  readonly jobId: string;
  readonly from: JobState;
  readonly attempted: OperatorAction;
}
export interface IdempotencyConflict {
  readonly code: 'IDEMPOTENCY_CONFLICT';
  readonly existingJob: Job;
  readonly differingFields: readonly string[];
}
export interface BatchRolledBack {
  readonly code: 'BATCH_ROLLED_BACK';
}
export interface QueueNotFound {
  readonly code: 'QUEUE_NOT_FOUND';
  readonly name: string;
}
export interface VersionConflict {
  readonly code: 'VERSION_CONFLICT';
  readonly currentVersion: number;
}
export interface NameTaken {
  readonly code: 'NAME_TAKEN';
  readonly name: string;
}
export interface TenantNotFound {
  readonly code: 'TENANT_NOT_FOUND';
  readonly id: string;
}
export interface ApiKeyNotFound {
  readonly code: 'API_KEY_NOT_FOUND';
  readonly id: string;
}
export interface QuotaExceeded {
  readonly code: 'QUOTA_EXCEEDED';
  readonly quota: QuotaName;
  readonly limit: number;
}

export type Failure =
  | JobNotFound
  | LeaseLost
  | InvalidTransition
  | IdempotencyConflict
  | BatchRolledBack
  | QueueNotFound
  | VersionConflict
  | NameTaken
  | TenantNotFound
  | ApiKeyNotFound
  | QuotaExceeded;

/** The answer of an operation: what it gives, or why not. */
export type Outcome<Value, Refusal extends Failure> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Refusal };

export function succeeded<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function failed<Refusal extends Failure>(failure: Refusal): { readonly ok: false; readonly failure: Refusal } {
  return { ok: false, failure };
}

/** One sentence for people and logs: what happened and what to do. Never holds a value of the request. */
export function failureMessage(failure: Failure): string {
  const { meaning, hint } = FAILURES[failure.code];
  return `${meaning} ${hint}`;
}
