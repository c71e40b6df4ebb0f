/** What observers ask: jobs, queues, the event log, figures. */
import { z } from 'zod';
import { EVENT_KINDS, type EventFilter } from '../domain/events.ts';
import { JOB_STATES } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Stats } from '../store/answers.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { readEventCursor, writeEventCursor } from './cursors.ts';
import { JobEventKindEnum, JobStateEnum } from './enums.ts';
import { JobEventPageRef } from './events.ts';
import * as check from './inputs.ts';
import { WORDS } from './job-inputs.ts';
import { jobListArguments, jobsPage } from './job-lists.ts';
import { PAGE_DEFAULTS, parseFirst } from './pages.ts';
import { JobStateCountsRef, ThroughputRef } from './queues.ts';
import { readJob } from './reads.ts';
import { JobConnectionRef, JobRef, QueueRef } from './refs.ts';
import { needs, WEIGHTS, weighs } from './terms.ts';

const IdempotencyKeyInput = builder.inputType('IdempotencyKeyInput', {
  description: 'An idempotency key in its queue.',
  fields: (t) => ({
    queue: t.string({ required: true, description: `The queue that the job was submitted to. ${WORDS.name}` }),
    key: t.string({ required: true, description: `The key, 1 to ${LIMITS.idempotencyKeyCharactersMax} visible ASCII characters.` }),
  }),
});

const JobSelector = builder.inputType('JobSelector', {
  description: 'Names one job.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'By its id.' }),
    idempotencyKey: t.field({ type: IdempotencyKeyInput, description: 'By the key that it was submitted with.' }),
  }),
});

const values = `up to ${LIMITS.filterValuesMax} of them; an empty list matches nothing.`;

export const JobEventFilterInput = builder.inputType('JobEventFilter', {
  description: 'Fields are joined by AND; the values of one list by OR. An absent field does not filter.',
  fields: (t) => ({
    queues: t.stringList({ description: `Queue names, ${values}` }),
    tasks: t.stringList({ description: `Tasks, ${values}` }),
    kinds: t.field({ type: [JobEventKindEnum], description: `What happened, ${values}` }),
    states: t.field({ type: [JobStateEnum], description: `States after the transition, ${values}` }),
    jobIds: t.idList({ description: `Jobs, ${values}` }),
  }),
});

const eventFilter = z
  .object({
    queues: check.filterValues(check.name),
    tasks: check.filterValues(check.name),
    kinds: check.filterValues(z.enum(EVENT_KINDS, 'must be a kind')),
    states: check.filterValues(z.enum(JOB_STATES, 'must be a state')),
    jobIds: check.filterValues(check.jobId),
  })
  .transform((filter): EventFilter => check.present(filter));

/** Throws BAD_USER_INPUT. */
export function parseEventFilter(filter: unknown): EventFilter {
  return check.parseInput(check.optional(eventFilter), filter, ['filter']) ?? {};
}

const selector = z.object({ id: check.jobId.nullish(), idempotencyKey: z.object({ queue: check.name, key: check.idempotencyKey }).nullish() });

async function selectJob(context: GraphQLContext, by: unknown) {
  const { id, idempotencyKey } = check.parseInput(selector, by, ['by']);
  if (!idempotencyKey) return readJob(context, id ?? '');
  return context.store.jobByIdempotencyKey(context.principal.tenant, idempotencyKey.queue, idempotencyKey.key);
}

export const StatsRef = builder.objectRef<Stats>('Stats').implement({
  description: 'Figures of the whole tenant.',
  fields: (t) => ({
    counts: t.expose('counts', { type: JobStateCountsRef, description: 'Jobs by state.' }),
    ready: t.exposeInt('ready', { description: 'Waiting and due, as of at most a second ago.' }),
    oldestReadySeconds: t.exposeFloat('oldestReadySeconds', {
      nullable: true,
      description: 'For how many seconds the oldest job that a claim could take has been due; null where there is none.',
    }),
    throughput: t.expose('throughput', { type: ThroughputRef, description: 'Over the last minute.' }),
    workers: t.exposeInt('workers', { description: 'Workers seen lately.' }),
    asOf: t.expose('asOfMs', { type: 'DateTime', description: 'When the figures were taken.' }),
  }),
});

builder.queryFields((t) => ({
  job: t.field({
    type: JobRef,
    extensions: needs('READ'),
    nullable: true,
    description: 'One job; null where there is none, or none of this tenant.',
    args: { by: t.arg({ type: JobSelector, required: true, description: 'Which one.' }) },
    resolve: (_root, { by }, context) => selectJob(context, by),
  }),
  jobs: t.field({
    type: JobConnectionRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.list) },
    nullable: true,
    description: 'A page of jobs.',
    args: jobListArguments(t.arg),
    resolve: (_root, args, context) => jobsPage(context, args, (filter) => filter),
  }),
  jobEvents: t.field({
    type: JobEventPageRef,
    extensions: needs('READ'),
    nullable: true,
    description: 'The same log and the same cursors as Subscription.jobEvents, for clients that poll.',
    args: {
      after: t.arg({ type: 'EventCursor', description: 'Only events after this place. Absent: from the oldest kept.' }),
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.events, description: `Events at most, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      filter: t.arg({ type: JobEventFilterInput, description: 'Which events. Absent: all.' }),
    },
    resolve: (_root, { after, first, filter }, { store, principal: { tenant } }) =>
      store.eventsAfter(tenant, readEventCursor(after, tenant, 'after'), parseEventFilter(filter), parseFirst(first, PAGE_DEFAULTS.events)),
  }),
  latestEventCursor: t.field({
    type: 'EventCursor',
    extensions: needs('READ'),
    nullable: true,
    description: 'The end of the log. Read it, load state, then subscribe from it: nothing is missed.',
    resolve: async (_root, _args, { store, principal: { tenant } }) => writeEventCursor(tenant, await store.latestPosition(tenant)),
  }),
}));

builder.queryFields((t) => ({
  queue: t.field({
    type: QueueRef,
    extensions: needs('READ'),
    nullable: true,
    description: 'One queue; null where there is none of this name.',
    args: { name: t.arg.string({ required: true, description: 'Its name.' }) },
    resolve: (_root, { name }, { store, principal }) => store.queue(principal.tenant, name),
  }),
  stats: t.field({
    type: StatsRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.tenantFigures) },
    nullable: true,
    description: 'Figures of the whole tenant, now.',
    resolve: (_root, _args, { store, principal }) => store.stats(principal.tenant),
  }),
}));
