/** The expected failures as members of result unions, each with the words of the domain's table of failures. */
import {
  type BatchRolledBack,
  FAILURES,
  type Failure,
  type FailureCode,
  failureMessage,
  type IdempotencyConflict,
  type InvalidTransition,
  type ApiKeyNotFound,
  type JobNotFound,
  type LeaseLost,
  type NameTaken,
  type QuotaExceeded,
  type TenantNotFound,
  type QueueNotFound,
  type VersionConflict,
} from '../domain/failures.ts';
import { builder } from './builder.ts';
import { JobActionEnum, JobStateEnum, LeaseLostReasonEnum } from './enums.ts';
import { JobRef } from './refs.ts';

const described = (code: FailureCode): string => `${FAILURES[code].meaning} ${FAILURES[code].hint}`;

export const FailureCodeEnum = builder.enumType('FailureCode', {
  description: 'Names a failure for programs. Codes may be added: keep a default branch.',
  values: {
    IDEMPOTENCY_CONFLICT: { description: described('IDEMPOTENCY_CONFLICT') },
    JOB_NOT_FOUND: { description: described('JOB_NOT_FOUND') },
    LEASE_LOST: { description: described('LEASE_LOST') },
    INVALID_TRANSITION: { description: described('INVALID_TRANSITION') },
    QUEUE_NOT_FOUND: { description: described('QUEUE_NOT_FOUND') },
    VERSION_CONFLICT: { description: described('VERSION_CONFLICT') },
    BATCH_ROLLED_BACK: { description: described('BATCH_ROLLED_BACK') },
    NAME_TAKEN: { description: described('NAME_TAKEN') },
    TENANT_NOT_FOUND: { description: described('TENANT_NOT_FOUND') },
    API_KEY_NOT_FOUND: { description: described('API_KEY_NOT_FOUND') },
    QUOTA_EXCEEDED: { description: described('QUOTA_EXCEEDED') },
  } satisfies Record<FailureCode, { description: string }>,
});

const FailureRef = builder.interfaceRef<Failure>('Failure').implement({
  description:
    'Every expected failure. Select `... on Failure { code message retryable }` in every mutation: members may be added to result unions at any time. ' +
    'Where several failures apply, the first of this order is the answer: not found, lease, transition, conflict, quota.',
  fields: (t) => ({
    code: t.field({ type: FailureCodeEnum, description: 'For programs.', resolve: ({ code }) => code }),
    message: t.string({
      description: 'What happened and what to do. For people and logs, never for branching.',
      resolve: (failure) => failureMessage(failure),
    }),
    retryable: t.boolean({
      description: 'True when the same call may succeed later with nothing changed by the caller.',
      resolve: ({ code }) => FAILURES[code].retryable,
    }),
  }),
});

export const IdempotencyConflictRef = builder.objectRef<IdempotencyConflict>('IdempotencyConflict').implement({
  description: described('IDEMPOTENCY_CONFLICT'),
  interfaces: [FailureRef],
  fields: (t) => ({
    existingJob: t.expose('existingJob', { type: JobRef, description: 'The job that the key belongs to.' }),
    differingFields: t.exposeStringList('differingFields', {
      description: 'Names of the input fields that differ from the first request, never their values.',
    }),
  }),
});

export const JobNotFoundRef = builder.objectRef<JobNotFound>('JobNotFound').implement({
  description: described('JOB_NOT_FOUND'),
  interfaces: [FailureRef],
  fields: (t) => ({ jobId: t.exposeID('jobId', { description: 'The id as it was asked for.' }) }),
});

export const LeaseLostRef = builder.objectRef<LeaseLost>('LeaseLost').implement({
  description: described('LEASE_LOST'),
  interfaces: [FailureRef],
  fields: (t) => ({
    jobId: t.exposeID('jobId', { description: 'The job that the token was meant for.' }),
    reason: t.expose('reason', { type: LeaseLostReasonEnum, description: 'Why the token is worthless.' }),
    state: t.expose('state', { type: JobStateEnum, description: 'Where the job stands now.' }),
    attempt: t.exposeInt('attempt', { description: "The job's attempt now." }),
  }),
});

export const InvalidTransitionRef = builder.objectRef<InvalidTransition>('InvalidTransition').implement({
  description: described('INVALID_TRANSITION'),
  interfaces: [FailureRef],
  fields: (t) => ({
    jobId: t.exposeID('jobId', { description: 'The job that was asked for.' }),
    from: t.expose('from', { type: JobStateEnum, description: 'The state that does not allow the action.' }),
    attempted: t.expose('attempted', { type: JobActionEnum, description: 'The action that was asked for.' }),
  }),
});

export const BatchRolledBackRef = builder.objectRef<BatchRolledBack>('BatchRolledBack').implement({
  description: described('BATCH_ROLLED_BACK'),
  interfaces: [FailureRef],
});

export const QueueNotFoundRef = builder.objectRef<QueueNotFound>('QueueNotFound').implement({
  description: described('QUEUE_NOT_FOUND'),
  interfaces: [FailureRef],
  fields: (t) => ({ name: t.exposeString('name', { description: 'The name as it was asked for.' }) }),
});

export const VersionConflictRef = builder.objectRef<VersionConflict>('VersionConflict').implement({
  description: described('VERSION_CONFLICT'),
  interfaces: [FailureRef],
  fields: (t) => ({ currentVersion: t.exposeInt('currentVersion', { description: 'The version now of what the call is about.' }) }),
});

export const NameTakenRef = builder.objectRef<NameTaken>('NameTaken').implement({
  description: described('NAME_TAKEN'),
  interfaces: [FailureRef],
  fields: (t) => ({ name: t.exposeString('name', { description: 'The name as it was asked for.' }) }),
});

export const TenantNotFoundRef = builder.objectRef<TenantNotFound>('TenantNotFound').implement({
  description: described('TENANT_NOT_FOUND'),
  interfaces: [FailureRef],
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id as it was asked for.' }) }),
});

export const ApiKeyNotFoundRef = builder.objectRef<ApiKeyNotFound>('ApiKeyNotFound').implement({
  description: described('API_KEY_NOT_FOUND'),
  interfaces: [FailureRef],
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id as it was asked for.' }) }),
});

export const QuotaExceededRef = builder.objectRef<QuotaExceeded>('QuotaExceeded').implement({
  description: described('QUOTA_EXCEEDED'),
  interfaces: [FailureRef],
  fields: (t) => ({
    quota: t.exposeString('quota', { description: 'Which quota, by its name in TenantQuotas.' }),
    limit: t.exposeInt('limit', { description: 'Its value now.' }),
  }),
});
