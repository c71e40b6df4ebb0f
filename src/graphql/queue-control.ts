/** What operators ask of a queue: its configuration, pausing and resuming. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { Queue, QueueState } from '../store/answers.ts';
import { builder } from './builder.ts';
import { QueueNotFoundRef, QuotaExceededRef, VersionConflictRef } from './failures.ts';
import * as check from './inputs.ts';
import { WORDS } from './job-inputs.ts';
import { answer, memberType } from './outcome.ts';
import { QueueRef } from './refs.ts';
import { needs } from './terms.ts';

const RESET = "Absent: as it is. Null: the server's default";

const QueueDefaultsInput = builder.inputType('QueueDefaultsInput', {
  description: "What the queue's jobs and claims take that do not say otherwise. An absent field stays as it is; null goes back to the server's default.",
  fields: (t) => ({
    priority: t.int({ description: `${WORDS.priority} ${RESET}, ${LIMITS.priorityDefault}.` }),
    maxAttempts: t.int({ description: `${WORDS.maxAttempts} ${RESET}, ${LIMITS.maxAttemptsDefault}.` }),
    retryBaseSeconds: t.int({ description: `${WORDS.retryBaseSeconds} ${RESET}, ${LIMITS.retryBaseSecondsDefault}.` }),
    retryMaxSeconds: t.int({ description: `${WORDS.retryMaxSeconds} ${RESET}, ${LIMITS.retryMaxSecondsDefault}.` }),
    leaseSeconds: t.int({ description: `${WORDS.leaseSeconds} ${RESET}, ${LIMITS.leaseSecondsDefault}.` }),
  }),
});

const RETENTION = `0 to ${LIMITS.retainSecondsMax}; 0 is for ever. ${RESET}.`;

const RetentionInput = builder.inputType('RetentionInput', {
  description:
    "How long finished jobs are kept after their end. An absent field stays as it is; null goes back to the server's default. " +
    'Holds for jobs that finish from now on.',
  fields: (t) => ({
    completedSeconds: t.int({ description: `Seconds that COMPLETED jobs are kept, ${RETENTION}` }),
    cancelledSeconds: t.int({ description: `Seconds that CANCELLED jobs are kept, ${RETENTION}` }),
    deadSeconds: t.int({ description: `Seconds that DEAD jobs are kept, ${RETENTION}` }),
  }),
});

const ConfigureQueueInput = builder.inputType('ConfigureQueueInput', {
  description: 'A queue, and what to change of it.',
  fields: (t) => ({
    name: t.string({ required: true, description: `The queue, created if it does not exist yet. ${WORDS.name}` }),
    expectedVersion: t.int({
      description:
        'The version that you read: another one answers VersionConflict. 0 is that of a queue that does not exist yet. Null overwrites whatever is there.',
    }),
    defaults: t.field({ type: QueueDefaultsInput, description: 'Absent: as they are.' }),
    retention: t.field({ type: RetentionInput, description: 'Absent: as it is.' }),
  }),
});

const PauseQueueInput = builder.inputType('PauseQueueInput', {
  description: 'A queue to pause.',
  fields: (t) => ({
    name: t.string({ required: true, description: `The queue, created if it does not exist yet. ${WORDS.name}` }),
    reason: t.string({ description: WORDS.reason }),
  }),
});

const ResumeQueueInput = builder.inputType('ResumeQueueInput', {
  description: 'A queue to resume.',
  fields: (t) => ({ name: t.string({ required: true, description: `The queue. ${WORDS.name}` }) }),
});

/** Absent stays absent: it means something else than null here. */
const setting = <Value extends z.ZodType>(value: Value) => value.nullable().exactOptional();

const retained = setting(check.whole(0, LIMITS.retainSecondsMax));

/** Only a pair that is given as a whole can be judged: the queue may hold the other one already. */
const isPairOrdered = ({ retryBaseSeconds: base, retryMaxSeconds: max }: { retryBaseSeconds?: number | null; retryMaxSeconds?: number | null }): boolean =>
  base === undefined || max === undefined || check.isRetryOrdered({ retryBaseSeconds: base, retryMaxSeconds: max });

export const configuration = z.object({
  name: check.name,
  expectedVersion: check.optional(z.number()),
  defaults: z
    .object({
      priority: setting(check.priority),
      maxAttempts: setting(check.maxAttempts),
      retryBaseSeconds: setting(check.retryBaseSeconds),
      retryMaxSeconds: setting(check.retryMaxSeconds),
      leaseSeconds: setting(check.leaseSeconds),
    })
    .refine(isPairOrdered, check.RETRY_UNORDERED)
    .nullish()
    .transform((fields) => fields ?? {}),
  retention: z
    .object({ completedSeconds: retained, cancelledSeconds: retained, deadSeconds: retained })
    .nullish()
    .transform((fields) => fields ?? {}),
});

export const pause = z.object({ name: check.name, reason: check.optional(check.reason) });
const resume = z.object({ name: check.name });

const ConfigureQueueSuccessRef = builder.objectRef<{ readonly queue: Queue }>('ConfigureQueueSuccess').implement({
  description: 'The queue is configured.',
  fields: (t) => ({ queue: t.expose('queue', { type: QueueRef, description: 'The queue, as it is now.' }) }),
});
const ConfigureQueueResultRef = builder.unionType('ConfigureQueueResult', {
  description: 'The answer to a configuration.',
  types: [ConfigureQueueSuccessRef, VersionConflictRef, QuotaExceededRef],
  resolveType: memberType('ConfigureQueueSuccess'),
});

const QueueStateSuccessRef = builder.objectRef<QueueState>('QueueStateSuccess').implement({
  description: 'The queue is paused or open, as asked.',
  fields: (t) => ({
    queue: t.expose('queue', { type: QueueRef, description: 'The queue, as it is now.' }),
    changed: t.exposeBoolean('changed', { description: 'False: it was so already.' }),
  }),
});
const QueueStateResultRef = builder.unionType('QueueStateResult', {
  description: 'The answer to pausing or resuming.',
  types: [QueueStateSuccessRef, QueueNotFoundRef, QuotaExceededRef],
  resolveType: memberType('QueueStateSuccess'),
});

builder.mutationFields((t) => ({
  configureQueue: t.field({
    type: ConfigureQueueResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description: 'Changes the defaults and the retention of a queue, creating it if need be. Jobs that are stored already keep their settings.',
    args: { input: t.arg({ type: ConfigureQueueInput, required: true, description: 'The queue, and what to change.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(await store.configureQueue(principal.tenant, principal, check.parseInput(configuration, input, ['input']))),
  }),
  pauseQueue: t.field({
    type: QueueStateResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description: 'Lets no claim take from a queue, creating it if need be. Running jobs go on, submissions are taken.',
    args: { input: t.arg({ type: PauseQueueInput, required: true, description: 'The queue.' }) },
    resolve: async (_root, { input }, { store, principal }) => {
      const { name, reason } = check.parseInput(pause, input, ['input']);
      return answer(await store.pauseQueue(principal.tenant, principal, name, reason));
    },
  }),
  resumeQueue: t.field({
    type: QueueStateResultRef,
    extensions: needs('OPERATE'),
    nullable: true,
    description: 'Opens a paused queue; waiting claims wake. An unknown queue answers QueueNotFound.',
    args: { input: t.arg({ type: ResumeQueueInput, required: true, description: 'The queue.' }) },
    resolve: async (_root, { input }, { store, principal }) => {
      const { name } = check.parseInput(resume, input, ['input']);
      return answer(await store.resumeQueue(principal.tenant, principal, name));
    },
  }),
}));
