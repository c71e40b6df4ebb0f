/** Lists of jobs: the filter, the order, and the page that every field with a list of jobs answers. */
import type { ArgBuilder } from '@pothos/core';
import { z } from 'zod';
import { type Job, JOB_STATES } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { JobPage } from '../store/answers.ts';
import type { InstantRange, JobFilter, JobOrder } from '../store/requests.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { writeCursor } from './cursors.ts';
import { JobOrderEnum, JobStateEnum } from './enums.ts';
import * as check from './inputs.ts';
import { type Connection, connection, type ListName, PAGE_DEFAULTS, type PageArguments, parsePage } from './pages.ts';
import type { JobConnection } from './refs.ts';

const NAME = `1 to ${LIMITS.nameCharactersMax} characters: a letter or digit, then letters, digits, \`.\`, \`_\`, \`:\` and \`-\``;
const VALUES = `up to ${LIMITS.filterValuesMax} of them; an empty list matches nothing`;

export const TagInput = builder.inputType('TagInput', {
  description: 'A label of a job.',
  fields: (t) => ({
    key: t.string({ required: true, description: `1 to ${LIMITS.nameCharactersMax} characters, no control characters. Unique within a job.` }),
    value: t.string({ required: true, description: `0 to ${LIMITS.tagValueCharactersMax} characters, no control characters.` }),
  }),
});

const DateTimeRange = builder.inputType('DateTimeRange', {
  description: 'A span of time. An absent end is open.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'Exclusive.' }),
  }),
});

export const JobFilterInput = builder.inputType('JobFilter', {
  description: 'Fields are joined by AND; the values of one list by OR. An absent field does not filter.',
  fields: (t) => ({
    queues: t.stringList({ description: `Queue names, each ${NAME}; ${VALUES}.` }),
    tasks: t.stringList({ description: `Tasks, each ${NAME}; ${VALUES}.` }),
    states: t.field({ type: [JobStateEnum], description: `States, ${VALUES}.` }),
    workerIds: t.stringList({ description: `Workers that hold the lease now, ${VALUES}.` }),
    concurrencyKeys: t.stringList({ description: `Concurrency keys, ${VALUES}.` }),
    tags: t.field({ type: [TagInput], description: `All of them must match; up to ${LIMITS.tagsMax}.` }),
    createdAt: t.field({ type: DateTimeRange, description: 'When the job was submitted.' }),
    runAt: t.field({ type: DateTimeRange, description: 'When the job may run.' }),
    finishedAt: t.field({ type: DateTimeRange, description: 'When the job ended; leaves out jobs that have not.' }),
    deadLetterGroups: t.idList({ description: `Dead letters of these groups, ${VALUES}.` }),
  }),
});

const range = z.object({ from: z.number().nullish(), to: z.number().nullish() }).nullish();

function instants(given: z.output<typeof range>): InstantRange | null {
  const [fromMs, toMs] = [given?.from ?? null, given?.to ?? null];
  return fromMs === null && toMs === null ? null : { fromMs, toMs };
}

export const jobFilter = z
  .object({
    queues: check.filterValues(check.name),
    tasks: check.filterValues(check.name),
    states: check.filterValues(z.enum(JOB_STATES, 'must be a state')),
    workerIds: check.filterValues(check.workerId),
    concurrencyKeys: check.filterValues(check.concurrencyKey),
    // No tag is no condition: a list that all must match is not one of which any may.
    tags: check.tagList.transform((tags) => (tags.length > 0 ? tags : null)).nullish(),
    createdAt: range,
    runAt: range,
    finishedAt: range,
    deadLetterGroups: check.filterValues(check.deadLetterGroupId),
  })
  .transform(
    ({ createdAt, runAt, finishedAt, ...lists }): JobFilter =>
      check.present({ ...lists, createdAt: instants(createdAt), runAt: instants(runAt), finishedAt: instants(finishedAt) }),
  );

type ArgumentBuilder = ArgBuilder<typeof builder.$inferSchemaTypes>;

/** The arguments of every field that lists jobs. */
export function jobListArguments(arg: ArgumentBuilder) {
  return {
    first: arg.int({ defaultValue: PAGE_DEFAULTS.jobs, description: `Page size from the start of the list, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
    after: arg.string({ description: 'Only jobs after this cursor: `endCursor` of the page before. It is bound to the order.' }),
    last: arg.int({ description: `Page size from the end of the list, 1 to ${LIMITS.pageItemsMax}, instead of \`first\`.` }),
    before: arg.string({ description: 'Only jobs before this cursor: `startCursor` of the page after. It is bound to the order.' }),
    filter: arg({ type: JobFilterInput, description: 'Which jobs. Absent: all.' }),
    orderBy: arg({ type: JobOrderEnum, defaultValue: 'newest_first', description: 'In which order.' }),
    lookThroughMax: arg.int({
      description: `Jobs of the list, in its order, that are looked through at most for the page, 1 to ${LIMITS.lookThroughJobsMax}: it may then hold fewer than asked, see \`isCutShort\`. Absent: as many as it takes.`,
    }),
  };
}

export interface JobListArguments extends PageArguments {
  readonly filter?: unknown;
  readonly orderBy?: JobOrder | null | undefined;
  readonly lookThroughMax?: number | null | undefined;
}

const lookThroughMax = check.optional(check.whole(1, LIMITS.lookThroughJobsMax));

/** Narrows a filter to one queue. */
export function onlyQueue(name: string): (filter: JobFilter) => JobFilter {
  return (filter) => ({ ...filter, queues: filter.queues?.filter((queue) => queue === name) ?? [name] });
}

/** A page of the caller's jobs. Throws BAD_USER_INPUT or INVALID_CURSOR. */
export async function jobsPage(context: GraphQLContext, given: JobListArguments, narrow: (filter: JobFilter) => JobFilter): Promise<JobConnection> {
  const { tenant } = context.principal;
  const filter = narrow(check.parseInput(check.optional(jobFilter), given.filter, ['filter']) ?? {});
  const order = given.orderBy ?? 'newest_first';
  const name = { tenant, list: `jobs ${order}`, firstDefault: PAGE_DEFAULTS.jobs };
  const request = parsePage(given, name);
  const max = check.parseInput(lookThroughMax, given.lookThroughMax, ['lookThroughMax']);
  const page = await context.store.jobs(tenant, filter, order, request, max);
  return {
    ...cutShort(connection(page, name), page, request.fromEnd, name),
    filter,
    lookThroughMax: Math.min(max ?? LIMITS.countedJobsMax, LIMITS.countedJobsMax),
    lookedThrough: page.lookedThrough,
    isCutShort: page.cutAt !== null,
  };
}

/** Where the look ended early, the list goes on from there, whether or not the job of that place matched. */
function cutShort(found: Connection<Job>, { cutAt }: JobPage, isFromEnd: boolean, { tenant, list }: ListName): Connection<Job> {
  if (cutAt === null) return found;
  const cursor = writeCursor(tenant, list, cutAt);
  return { ...found, pageInfo: { ...found.pageInfo, ...(isFromEnd ? { startCursor: cursor } : { endCursor: cursor }) } };
}
