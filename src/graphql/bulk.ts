/** What operators ask of many jobs at once, by id or by filter. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { BulkAnswer } from '../store/answers.ts';
import type { BulkAction, BulkRequest } from '../store/requests.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { FailureCodeEnum } from './failures.ts';
import * as check from './inputs.ts';
import { StartInput, WORDS } from './job-inputs.ts';
import { jobFilter, JobFilterInput } from './job-lists.ts';
import { CappedCountRef } from './queues.ts';
import { costsEach, count, fewItems, needs } from './terms.ts';

const JobsTarget = builder.inputType('JobsTarget', {
  description: 'Which jobs a bulk call works on.',
  isOneOf: true,
  fields: (t) => ({
    ids: t.idList({ description: `1 to ${LIMITS.bulkJobsMax} jobs. Unknown ids are skipped.` }),
    filter: t.field({ type: JobFilterInput, description: 'All jobs that match. Must name something: an empty filter is refused.' }),
  }),
});

const TARGET = 'Which jobs.';
const LIMIT = `Jobs that one call changes or skips at most, 1 to ${LIMITS.bulkJobsMax}.`;
const DRY_RUN = 'Change nothing, and answer how many jobs match.';

const CancelJobsInput = builder.inputType('CancelJobsInput', {
  description: 'Jobs to cancel.',
  fields: (t) => ({
    target: t.field({ type: JobsTarget, required: true, description: TARGET }),
    reason: t.string({ description: WORDS.reason }),
    force: t.boolean({ required: true, defaultValue: false, description: 'RUNNING jobs: revoke the lease now instead of asking the worker.' }),
    limit: t.int({ required: true, defaultValue: LIMITS.bulkJobsMax, description: LIMIT }),
    dryRun: t.boolean({ required: true, defaultValue: false, description: DRY_RUN }),
  }),
});

const RedriveJobsInput = builder.inputType('RedriveJobsInput', {
  description: 'Dead letters to put back in their queues.',
  fields: (t) => ({
    target: t.field({ type: JobsTarget, required: true, description: TARGET }),
    start: t.field({ type: StartInput, description: 'When they may run. Absent: at once.' }),
    limit: t.int({ required: true, defaultValue: LIMITS.bulkJobsMax, description: LIMIT }),
    dryRun: t.boolean({ required: true, defaultValue: false, description: DRY_RUN }),
  }),
});

const PurgeJobsInput = builder.inputType('PurgeJobsInput', {
  description: 'Finished jobs to remove, with ledger and events.',
  fields: (t) => ({
    target: t.field({ type: JobsTarget, required: true, description: `${TARGET} Finished jobs only: others are skipped.` }),
    limit: t.int({ required: true, defaultValue: LIMITS.bulkJobsMax, description: LIMIT }),
    dryRun: t.boolean({ required: true, defaultValue: false, description: DRY_RUN }),
  }),
});

const ids = check.list(check.jobId, 1, LIMITS.bulkJobsMax).transform((names) => [...new Set(names)]);
const filter = jobFilter.refine((fields) => Object.keys(fields).length > 0, 'must name at least one field');
const target = z
  .object({ ids: ids.nullish(), filter: filter.nullish() })
  .transform((given): BulkRequest['target'] => (given.ids ? { ids: given.ids } : { filter: given.filter ?? {} }));

const shape = { target, limit: check.whole(1, LIMITS.bulkJobsMax), dryRun: z.boolean() };

const withAction = <Rest extends Omit<BulkRequest, 'action'>>({ target: jobs, limit, dryRun }: Rest, action: BulkAction): BulkRequest => ({
  target: jobs,
  limit,
  dryRun,
  action,
});

export const cancelJobs = z
  .object({ ...shape, reason: check.optional(check.reason), force: z.boolean() })
  .transform((given) => withAction(given, { name: 'cancel', reason: given.reason, force: given.force }));

const redriveJobs = z.object({ ...shape, start: check.optional(check.start) }).transform((given) => withAction(given, { name: 'redrive', start: given.start }));

export const purgeJobs = z.object(shape).transform((given) => withAction(given, { name: 'purge' }));

const BulkSkipRef = builder.objectRef<BulkAnswer['samples'][number]>('BulkSkip').implement({
  description: 'A job that a bulk call left as it was.',
  fields: (t) => ({
    jobId: t.exposeID('jobId', { description: 'The job.' }),
    code: t.expose('code', { type: FailureCodeEnum, description: 'Why: the failure that the single call would have answered.' }),
  }),
});

const BulkPayloadRef = builder.objectRef<BulkAnswer>('BulkPayload').implement({
  description: 'What a bulk call did.',
  fields: (t) => ({
    matched: t.expose('matched', {
      type: CappedCountRef,
      description: `Jobs of the target that the action can work on, counted before it began; with ids, all that exist. Capped at ${LIMITS.countMax}.`,
    }),
    changed: t.exposeInt('changed', { description: 'Jobs that were changed; none in a dry run, which tells by `matched`.' }),
    skipped: t.exposeInt('skipped', { description: 'Jobs that could not be changed.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Call again with the same target; where a quota was why jobs were skipped, once there is room.' }),
    samples: t.expose('samples', { type: [BulkSkipRef], extensions: fewItems(), description: `At most ${LIMITS.bulkSamplesMax} of the skipped, with why.` }),
  }),
});

/** The maximum is a thousand jobs read and written, however they are named. */
const BULK = { ...needs('OPERATE'), ...costsEach(count(LIMITS.bulkJobsMax, 'input.target.ids', 'input.limit')) };

const run = ({ store, principal }: GraphQLContext, request: BulkRequest): Promise<BulkAnswer> => store.bulk(principal.tenant, principal, request);

builder.mutationFields((t) => ({
  cancelJobs: t.field({
    type: BulkPayloadRef,
    extensions: BULK,
    nullable: true,
    description: 'Cancels many jobs, each as cancelJob does. Jobs that cannot be cancelled are skipped.',
    args: { input: t.arg({ type: CancelJobsInput, required: true, description: 'The jobs.' }) },
    resolve: (_root, { input }, context) => run(context, check.parseInput(cancelJobs, input, ['input'])),
  }),
  redriveJobs: t.field({
    type: BulkPayloadRef,
    extensions: BULK,
    nullable: true,
    description: 'Redrives many dead letters, each as redriveJob does. Jobs that are not DEAD, or that a quota has no room for, are skipped.',
    args: { input: t.arg({ type: RedriveJobsInput, required: true, description: 'The jobs.' }) },
    resolve: (_root, { input }, context) =>
      run(context, check.parseInput(redriveJobs, input, ['input'], check.startIssues(input.start, context.store.nowMs(), ['start']))),
  }),
  purgeJobs: t.field({
    type: BulkPayloadRef,
    extensions: BULK,
    nullable: true,
    description: 'Removes many finished jobs with ledger and events; their idempotency keys are free again. Other jobs are skipped.',
    args: { input: t.arg({ type: PurgeJobsInput, required: true, description: 'The jobs.' }) },
    resolve: (_root, { input }, context) => run(context, check.parseInput(purgeJobs, input, ['input'])),
  }),
}));
