/** What producers call: they submit jobs, one or many. */
import { z } from 'zod';
import type { SubmitRequest } from '../domain/idempotency.ts';
import { LIMITS } from '../domain/limits.ts';
import type { SubmitOutcome, Submitted } from '../store/answers.ts';
import { builder } from './builder.ts';
import { BatchPolicyEnum } from './enums.ts';
import { BatchRolledBackRef, IdempotencyConflictRef, QuotaExceededRef } from './failures.ts';
import * as check from './inputs.ts';
import { StartInput, WORDS } from './job-inputs.ts';
import { TagInput } from './job-lists.ts';
import { answer, memberType, only } from './outcome.ts';
import { JobRef } from './refs.ts';
import { costsEach, count, listOf, needs } from './terms.ts';

const QUEUE_DEFAULT = 'default';
const ITEMS = count(LIMITS.batchItemsMax, 'input.jobs');

const SubmitJobInput = builder.inputType('SubmitJobInput', {
  description: 'A job to store.',
  fields: (t) => ({
    queue: t.string({ required: true, defaultValue: QUEUE_DEFAULT, description: `The queue, created by its first use. ${WORDS.name}` }),
    task: t.string({ required: true, description: `The kind of work, such as \`invoice.send\`. ${WORDS.name}` }),
    payload: t.field({ type: 'JSONObject', required: true, defaultValue: {}, description: `What the work is about. ${WORDS.payload}` }),
    priority: t.int({
      description: `${WORDS.priority} Null takes the queue's default (${LIMITS.priorityDefault}).`,
    }),
    maxAttempts: t.int({ description: `The attempt budget, ${WORDS.maxAttempts} Null takes the queue's default (${LIMITS.maxAttemptsDefault}).` }),
    retryBaseSeconds: t.int({
      description:
        `Wait after the first failed attempt, doubled after each further one, ${WORDS.retryBaseSeconds} ` +
        `Null takes the queue's default (${LIMITS.retryBaseSecondsDefault}).`,
    }),
    retryMaxSeconds: t.int({
      description: `The longest wait between attempts, ${WORDS.retryMaxSeconds} Null takes the queue's default (${LIMITS.retryMaxSecondsDefault}).`,
    }),
    idempotencyKey: t.string({
      description:
        'Makes repeating safe: the same key with the same request answers the job that it made, the same key with another request answers IdempotencyConflict. ' +
        'Unique in tenant and queue for as long as the job is kept, and for a day at least. ' +
        `1 to ${LIMITS.idempotencyKeyCharactersMax} visible ASCII characters. Absent: nothing is deduplicated.`,
    }),
    start: t.field({ type: StartInput, description: 'When it may first run. Absent: at once.' }),
    concurrencyKey: t.string({
      description: `Jobs of one key belong together. 1 to ${LIMITS.concurrencyKeyCharactersMax} characters, no control characters.`,
    }),
    tags: t.field({ type: [TagInput], description: `Labels to find it by, up to ${LIMITS.tagsMax}, each key once.` }),
  }),
});

const SubmitJobsInput = builder.inputType('SubmitJobsInput', {
  description: 'Several jobs to store.',
  fields: (t) => ({
    jobs: t.field({
      type: [SubmitJobInput],
      required: true,
      description: `1 to ${LIMITS.batchItemsMax}, in one transaction. Bad input in one of them refuses them all.`,
    }),
    onFailure: t.field({ type: BatchPolicyEnum, required: true, defaultValue: 'store_good', description: 'What one failing item means to the others.' }),
    requestId: t.string({
      description:
        'Makes repeating the whole call safe, whether or not its jobs have keys: the same call with the same id answers the jobs that it made and tries anew what failed. ' +
        `Another call with the id is refused. Unique in the tenant and the queue of the first job, and known for a day at least. 1 to ${LIMITS.requestIdCharactersMax} visible ASCII characters.`,
    }),
  }),
});

const submission = z
  .object({
    queue: check.name,
    task: check.name,
    payload: check.payload,
    priority: check.priority.nullish(),
    maxAttempts: check.maxAttempts.nullish(),
    retryBaseSeconds: check.retryBaseSeconds.nullish(),
    retryMaxSeconds: check.retryMaxSeconds.nullish(),
    idempotencyKey: check.idempotencyKey.nullish(),
    start: check.start.nullish(),
    concurrencyKey: check.concurrencyKey.nullish(),
    tags: check.tags.nullish(),
  })
  .refine(check.isRetryOrdered, check.RETRY_UNORDERED)
  // In one step: with a default for each field, and a copy without one of them, all checks together would take half as long again.
  .transform(
    (given): SubmitRequest => ({
      queue: given.queue,
      task: given.task,
      payloadJson: given.payload,
      priority: given.priority ?? null,
      maxAttempts: given.maxAttempts ?? null,
      retryBaseSeconds: given.retryBaseSeconds ?? null,
      retryMaxSeconds: given.retryMaxSeconds ?? null,
      idempotencyKey: given.idempotencyKey ?? null,
      start: given.start ?? null,
      concurrencyKey: given.concurrencyKey ?? null,
      tags: given.tags ?? [],
    }),
  );

const batch = z.object({
  jobs: check.list(submission, 1, LIMITS.batchItemsMax),
  onFailure: z.enum(['store_good', 'all_or_nothing']),
  requestId: check.optional(check.requestId),
});

/** The submission that an input asks for. Throws BAD_USER_INPUT or PAYLOAD_TOO_LARGE. */
export function parseSubmission(input: typeof SubmitJobInput.$inferInput, nowMs: number): SubmitRequest {
  return check.parseInput(submission, input, ['input'], check.startIssues(input.start, nowMs, ['start']));
}

/** The submissions of a batch. Throws BAD_USER_INPUT or PAYLOAD_TOO_LARGE, with the issues of all items. */
export function parseBatch(input: typeof SubmitJobsInput.$inferInput, nowMs: number): z.output<typeof batch> {
  const late = input.jobs.flatMap(({ start }, index) => check.startIssues(start, nowMs, ['jobs', index, 'start']));
  return check.parseInput(batch, input, ['input'], late);
}

const SubmitJobSuccessRef = builder.objectRef<Submitted>('SubmitJobSuccess').implement({
  description: 'The job is stored, or was before.',
  fields: (t) => ({
    job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }),
    deduplicated: t.exposeBoolean('deduplicated', { description: 'True: its key, or the request id of its call, was known, and nothing was stored.' }),
  }),
});

const SubmitJobResultRef = builder.unionType('SubmitJobResult', {
  description: 'The answer to a submission.',
  types: [SubmitJobSuccessRef, IdempotencyConflictRef, QuotaExceededRef, BatchRolledBackRef],
  resolveType: memberType('SubmitJobSuccess'),
});

interface BatchAnswer {
  readonly outcomes: readonly SubmitOutcome[];
  readonly isAllOrNothing: boolean;
}

const countFailed = ({ outcomes }: BatchAnswer): number => outcomes.filter(({ ok }) => !ok).length;
const countStored = ({ outcomes }: BatchAnswer, isDeduplicated: boolean): number =>
  outcomes.filter((outcome) => outcome.ok && outcome.value.deduplicated === isDeduplicated).length;

const SubmitJobsPayloadRef = builder.objectRef<BatchAnswer>('SubmitJobsPayload').implement({
  description: 'The answer to a batch.',
  fields: (t) => ({
    results: t.field({
      type: [SubmitJobResultRef],
      extensions: listOf(ITEMS),
      description: 'One per input, in order.',
      resolve: ({ outcomes }) => outcomes.map(answer),
    }),
    stored: t.int({ description: 'Jobs that were stored by this call.', resolve: (batchAnswer) => countStored(batchAnswer, false) }),
    deduplicated: t.int({ description: 'Items whose key, or whose call, was known.', resolve: (batchAnswer) => countStored(batchAnswer, true) }),
    failed: t.int({ description: 'Items that failed, BatchRolledBack included.', resolve: countFailed }),
    rolledBack: t.boolean({
      description: 'True when ALL_OR_NOTHING threw the batch away.',
      resolve: (batchAnswer) => batchAnswer.isAllOrNothing && countFailed(batchAnswer) > 0,
    }),
  }),
});

builder.mutationFields((t) => ({
  submitJob: t.field({
    type: SubmitJobResultRef,
    extensions: needs('SUBMIT'),
    nullable: true,
    description: 'Stores a job. It is durable when the answer arrives. With an idempotency key the call may be repeated safely.',
    args: { input: t.arg({ type: SubmitJobInput, required: true, description: 'The job.' }) },
    resolve: async (_root, { input }, { store, principal }) => {
      const outcomes = await store.submit(principal.tenant, principal, [parseSubmission(input, store.nowMs())], false);
      return answer(only(outcomes));
    },
  }),
  submitJobs: t.field({
    type: SubmitJobsPayloadRef,
    extensions: { ...needs('SUBMIT'), ...costsEach(ITEMS) },
    nullable: true,
    description: `Stores up to ${LIMITS.batchItemsMax} jobs in one transaction, each with its own answer. With a request id the call may be repeated safely.`,
    args: { input: t.arg({ type: SubmitJobsInput, required: true, description: 'The jobs.' }) },
    resolve: async (_root, { input }, { store, principal }) => {
      const { jobs, onFailure, requestId } = parseBatch(input, store.nowMs());
      const isAllOrNothing = onFailure === 'all_or_nothing';
      return { outcomes: await store.submit(principal.tenant, principal, jobs, isAllOrNothing, requestId), isAllOrNothing };
    },
  }),
}));
