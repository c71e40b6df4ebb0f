/** What operators ask of a single job: cancel, redrive, reschedule. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { Job } from '../domain/job.ts';
import { REDACTED } from '../domain/redaction.ts';
import type { Cancelled } from '../store/answers.ts';
import type { RedriveRequest, RescheduleRequest } from '../store/requests.ts';
import { builder } from './builder.ts';
import { InvalidTransitionRef, JobNotFoundRef, QuotaExceededRef } from './failures.ts';
import * as check from './inputs.ts';
import { StartInput, WORDS } from './job-inputs.ts';
import { answer, memberType } from './outcome.ts';
import { JobRef } from './refs.ts';
import { needs } from './terms.ts';

const CancelJobInput = builder.inputType('CancelJobInput', {
  description: 'A job to cancel.',
  fields: (t) => ({
    id: t.id({ required: true, description: WORDS.jobId }),
    reason: t.string({ description: WORDS.reason }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: 'RUNNING only: revoke the lease now instead of asking the worker.',
    }),
  }),
});

const RedriveJobInput = builder.inputType('RedriveJobInput', {
  description: 'A dead letter to put back in its queue.',
  fields: (t) => ({
    id: t.id({ required: true, description: WORDS.jobId }),
    start: t.field({ type: StartInput, description: 'When it may run. Absent: at once.' }),
    maxAttempts: t.int({ description: `A new attempt budget, ${WORDS.maxAttempts} Null keeps the old one.` }),
    payload: t.field({
      type: 'JSONObject',
      description:
        `Replace the payload of a poisoned job. ${WORDS.payload} Null keeps the old one. ` +
        `\`${REDACTED}\` where a redaction rule hides a value keeps the stored one; in a list of another length than the stored one, or where nothing is stored, it is refused.`,
    }),
  }),
});

const RescheduleJobInput = builder.inputType('RescheduleJobInput', {
  description: 'What to change of a waiting job: `start`, `priority` or both.',
  fields: (t) => ({
    id: t.id({ required: true, description: WORDS.jobId }),
    start: t.field({ type: StartInput, description: 'When it may run. Absent: as it was.' }),
    priority: t.int({ description: `${WORDS.priority} Null keeps the old one.` }),
  }),
});

export const cancel = z
  .object({ id: check.jobId, reason: check.optional(check.reason), force: z.boolean() })
  .transform(({ id, ...request }) => ({ jobId: id, ...request }));

const redrive = z
  .object({ id: check.jobId, start: check.optional(check.start), maxAttempts: check.optional(check.maxAttempts), payload: check.optional(check.payload) })
  .transform(({ id, payload, ...request }): RedriveRequest => ({ jobId: id, payloadJson: payload, ...request }));

const reschedule = z
  .object({ id: check.jobId, start: check.optional(check.start), priority: check.optional(check.priority) })
  .refine(({ start, priority }) => start !== null || priority !== null, 'must name start, priority or both')
  .transform(({ id, ...request }): RescheduleRequest => ({ jobId: id, ...request }));

export function parseRedrive(input: typeof RedriveJobInput.$inferInput, nowMs: number): RedriveRequest {
  return check.parseInput(redrive, input, ['input'], check.startIssues(input.start, nowMs, ['start']));
}

export function parseReschedule(input: typeof RescheduleJobInput.$inferInput, nowMs: number): RescheduleRequest {
  return check.parseInput(reschedule, input, ['input'], check.startIssues(input.start, nowMs, ['start']));
}

const CancelJobSuccessRef = builder.objectRef<Cancelled>('CancelJobSuccess').implement({
  description: 'The job is CANCELLED, or its worker will be told.',
  fields: (t) => ({
    job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }),
    finished: t.exposeBoolean('finished', { description: 'False: RUNNING, the worker is told at its next heartbeat.' }),
  }),
});
const CancelJobResultRef = builder.unionType('CancelJobResult', {
  description: 'The answer to a cancel.',
  types: [CancelJobSuccessRef, InvalidTransitionRef, JobNotFoundRef],
  resolveType: memberType('CancelJobSuccess'),
});

interface Changed {
  readonly job: Job;
}

const RedriveJobSuccessRef = builder.objectRef<Changed>('RedriveJobSuccess').implement({
  description: 'The job is QUEUED again, with a full attempt budget and the same id.',
  fields: (t) => ({ job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }) }),
});
const RedriveJobResultRef = builder.unionType('RedriveJobResult', {
  description: 'The answer to a redrive.',
  types: [RedriveJobSuccessRef, InvalidTransitionRef, JobNotFoundRef, QuotaExceededRef],
  resolveType: memberType('RedriveJobSuccess'),
});

const RescheduleJobSuccessRef = builder.objectRef<Changed>('RescheduleJobSuccess').implement({
  description: 'The job waits as asked.',
  fields: (t) => ({ job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }) }),
});
const RescheduleJobResultRef = builder.unionType('RescheduleJobResult', {
  description: 'The answer to a reschedule.',
  types: [RescheduleJobSuccessRef, InvalidTransitionRef, JobNotFoundRef],
  resolveType: memberType('RescheduleJobSuccess'),
});

builder.mutationFields((t) => ({
  cancelJob: t.field({
    type: CancelJobResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description:
      'Ends a waiting job as CANCELLED. A running one is asked: its worker learns it with its next heartbeat, and may still complete it. ' +
      'With `force` the lease is revoked and the job is CANCELLED at once. COMPLETED, DEAD and CANCELLED jobs answer InvalidTransition.',
    args: { input: t.arg({ type: CancelJobInput, required: true, description: 'The job.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(await store.cancel(principal.tenant, principal, check.parseInput(cancel, input, ['input']))),
  }),
  redriveJob: t.field({
    type: RedriveJobResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description: `Puts a dead letter back in its queue, with its settings, its id and its history. Its attempts start at 0. Other states answer InvalidTransition. \`start\` is at most ${LIMITS.startAheadSecondsMax} seconds ahead.`,
    args: { input: t.arg({ type: RedriveJobInput, required: true, description: 'The job.' }) },
    resolve: async (_root, { input }, { store, principal }) => answer(await store.redrive(principal.tenant, principal, parseRedrive(input, store.nowMs()))),
  }),
  rescheduleJob: t.field({
    type: RescheduleJobResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description: 'Changes when a QUEUED or RETRY job runs, or its priority; its attempts stay. Other states answer InvalidTransition.',
    args: { input: t.arg({ type: RescheduleJobInput, required: true, description: 'The job, and what to change.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(await store.reschedule(principal.tenant, principal, parseReschedule(input, store.nowMs()))),
  }),
}));
