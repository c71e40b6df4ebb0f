/** What workers send: claims, heartbeats, and how a job ended. Reporting a failure never fails for what it says. */
import { z } from 'zod';
import { canonicalJson, cutText, jsonFault, utf8Bytes } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import * as check from './inputs.ts';
import { WORDS } from './job-inputs.ts';

export const CompleteJobInput = builder.inputType('CompleteJobInput', {
  description: 'A job that is done.',
  fields: (t) => ({
    jobId: t.id({ required: true, description: WORDS.jobId }),
    leaseToken: t.string({ required: true, description: WORDS.leaseToken }),
    result: t.field({
      type: 'JSON',
      description: `What came out, kept with the job: at most ${LIMITS.resultBytesMax} bytes as JSON without spaces, ${LIMITS.jsonDepthMax} levels deep.`,
    }),
  }),
});

export const ClaimJobsInput = builder.inputType('ClaimJobsInput', {
  description: 'A request for work.',
  fields: (t) => ({
    queues: t.stringList({
      required: true,
      defaultValue: ['default'],
      description: `1 to ${LIMITS.claimQueuesMax} queues, each once, in order of preference: an earlier queue is emptied first.`,
    }),
    workerId: t.string({
      required: true,
      description: `Names the worker, for people and for \`requestId\`: 1 to ${LIMITS.workerIdCharactersMax} visible characters. It proves nothing.`,
    }),
    max: t.int({ required: true, defaultValue: 1, description: `Leases at most, 1 to ${LIMITS.claimLeasesMax}.` }),
    leaseSeconds: t.int({ description: `Length of the leases, ${WORDS.leaseSeconds} Null takes the queue's default (${LIMITS.leaseSecondsDefault}).` }),
    waitSeconds: t.int({
      required: true,
      defaultValue: 0,
      description: `Long poll, 0 to ${LIMITS.waitSecondsMax}: hold the request until a job is ready. Going away ends the wait.`,
    }),
    tasks: t.stringList({ description: `Only jobs of these tasks, 1 to ${LIMITS.claimTasksMax}. Absent: any task.` }),
    requestId: t.string({
      description:
        'Repeat a claim whose answer was lost: the same id from the same worker gets the same leases in these queues while they live, with fresh tokens. ' +
        `1 to ${LIMITS.requestIdCharactersMax} visible ASCII characters.`,
    }),
    completing: t.field({
      type: [CompleteJobInput],
      description: `Complete these first, in the same commit, whether or not the claim finds anything; up to ${LIMITS.claimCompletingMax}.`,
    }),
  }),
});

const ProgressInput = builder.inputType('ProgressInput', {
  description: 'How far the work is. Replaces what was said before.',
  fields: (t) => ({
    percent: t.float({ description: `0 to ${LIMITS.progressPercentMax}.` }),
    note: t.string({ description: `For people, up to ${LIMITS.progressNoteCharactersMax} characters; more is PAYLOAD_TOO_LARGE.` }),
  }),
});

const HeartbeatItemInput = builder.inputType('HeartbeatItemInput', {
  description: 'A lease to extend.',
  fields: (t) => ({
    jobId: t.id({ required: true, description: WORDS.jobId }),
    leaseToken: t.string({ required: true, description: WORDS.leaseToken }),
    extendSeconds: t.int({ description: `Counts from now and never shortens the lease: ${WORDS.leaseSeconds} Null repeats the claim's length.` }),
    progress: t.field({ type: ProgressInput, description: 'How far the work is. Absent: nothing new.' }),
  }),
});

export const HeartbeatInput = builder.inputType('HeartbeatInput', {
  description: 'Leases to extend.',
  fields: (t) => ({ leases: t.field({ type: [HeartbeatItemInput], required: true, description: `1 to ${LIMITS.batchItemsMax} leases.` }) }),
});

export const CompleteJobsInput = builder.inputType('CompleteJobsInput', {
  description: 'Jobs that are done.',
  fields: (t) => ({ jobs: t.field({ type: [CompleteJobInput], required: true, description: `1 to ${LIMITS.batchItemsMax} jobs, in one transaction.` }) }),
});

const JobErrorInput = builder.inputType('JobErrorInput', {
  description: 'What went wrong. Nothing here is ever refused for its content: long text is cut, odd characters are replaced.',
  fields: (t) => ({
    type: t.string({ description: `The kind of error, to group by; cut at ${LIMITS.errorTypeCharactersMax} characters.` }),
    message: t.string({ required: true, description: `For people; cut at ${LIMITS.errorTextBytesMax} bytes. May be empty.` }),
    details: t.field({
      type: 'JSON',
      description: `Whatever helps, up to ${LIMITS.errorDetailsBytesMax} bytes as JSON. What is larger, or no good JSON, becomes \`{"truncated": true, "bytes": …}\`.`,
    }),
  }),
});

const RetryInput = builder.inputType('RetryInput', {
  description: "When to try again. Absent: the job's own backoff.",
  isOneOf: true,
  fields: (t) => ({
    afterSeconds: t.int({ description: `This many seconds from now instead of the backoff, ${WORDS.afterSeconds}` }),
    never: t.boolean({ description: 'Dead-letter now, whatever the attempt budget. Only true makes sense and is taken.' }),
  }),
});

export const FailJobInput = builder.inputType('FailJobInput', {
  description: 'An attempt that failed.',
  fields: (t) => ({
    jobId: t.id({ required: true, description: WORDS.jobId }),
    leaseToken: t.string({ required: true, description: WORDS.leaseToken }),
    error: t.field({ type: JobErrorInput, required: true, description: 'What went wrong.' }),
    retry: t.field({ type: RetryInput, description: "When to try again. Absent: the job's own backoff." }),
  }),
});

export const ReleaseJobInput = builder.inputType('ReleaseJobInput', {
  description: 'A job to hand back.',
  fields: (t) => ({
    jobId: t.id({ required: true, description: WORDS.jobId }),
    leaseToken: t.string({ required: true, description: WORDS.leaseToken }),
    afterSeconds: t.int({
      required: true,
      defaultValue: 0,
      description: `When it may run again, in seconds from now, ${WORDS.afterSeconds} 0 keeps its place in line.`,
    }),
  }),
});

/** Any text at all: no rule about a token may tell more than LeaseLost does. */
const leaseToken = z.string();

export const completion = z
  .object({ jobId: check.jobId, leaseToken, result: check.optional(check.json(LIMITS.resultBytesMax)) })
  .transform(({ result, ...request }) => ({ ...request, resultJson: result }));

export const completions = z.object({ jobs: check.list(completion, 1, LIMITS.batchItemsMax) });

const isWithoutRepeat = (names: readonly string[]): boolean => new Set(names).size === names.length;

export const claim = z.object({
  queues: check.list(check.name, 1, LIMITS.claimQueuesMax).refine(isWithoutRepeat, 'must not name a queue twice'),
  workerId: check.workerId,
  max: check.whole(1, LIMITS.claimLeasesMax),
  leaseSeconds: check.optional(check.leaseSeconds),
  waitSeconds: check.whole(0, LIMITS.waitSecondsMax),
  tasks: check.optional(check.list(check.name, 1, LIMITS.claimTasksMax)),
  requestId: check.optional(check.requestId),
  completing: check
    .list(completion, 0, LIMITS.claimCompletingMax)
    .nullish()
    .transform((items) => items ?? []),
});

const progress = z
  .object({
    percent: check.optional(check.whole(0, LIMITS.progressPercentMax)),
    note: check.optional(check.note),
  })
  .transform((said) => (said.percent === null && said.note === null ? null : said));

export const heartbeat = z.object({
  leases: check.list(
    z.object({ jobId: check.jobId, leaseToken, extendSeconds: check.optional(check.leaseSeconds), progress: check.optional(progress) }),
    1,
    LIMITS.batchItemsMax,
  ),
});

/** Text that every database keeps: lone surrogates and NUL become U+FFFD. */
const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

const cutCharacters = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

/** The JSON that is kept in place of details that cannot be; `bytes` is null where their size cannot be told. */
const marker = (bytes: number | null): string => canonicalJson({ truncated: true, bytes });

function keptDetails(details: unknown): string | null {
  if (details === null || details === undefined) return null;
  if (jsonFault(details, LIMITS.jsonDepthMax) !== null) return marker(null);
  const text = canonicalJson(details);
  const bytes = utf8Bytes(text);
  return bytes <= LIMITS.errorDetailsBytesMax ? text : marker(bytes);
}

const error = z.object({ type: z.string().nullish(), message: z.string(), details: z.unknown().optional() }).transform(({ type, message, details }) => ({
  type: typeof type === 'string' ? cutCharacters(keepable(type), LIMITS.errorTypeCharactersMax) : null,
  message: cutText(keepable(message), LIMITS.errorTextBytesMax),
  detailsJson: keptDetails(details),
}));

const retry = z
  .object({ afterSeconds: check.afterSeconds.nullish(), never: z.literal(true, 'must be true if it is given').nullish() })
  .transform(({ afterSeconds }) => (typeof afterSeconds === 'number' ? { afterSeconds } : { never: true as const }));

export const failure = z.object({ jobId: check.jobId, leaseToken, error, retry: check.optional(retry) });

export const release = z.object({ jobId: check.jobId, leaseToken, afterSeconds: check.afterSeconds });
