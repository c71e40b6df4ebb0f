/** Queues with their figures, and the lists of jobs they hold. */
import { LIMITS } from '../domain/limits.ts';
import type { Job, Retention } from '../domain/job.ts';
import type { CappedCount, JobStateCounts, Queue, QueueStats, Throughput } from '../store/answers.ts';
import type { QueueDefaults } from '../store/requests.ts';
import { builder } from './builder.ts';
import { jobListArguments, jobsPage, onlyQueue } from './job-lists.ts';
import type { Connection, Edge } from './pages.ts';
import { readQueueStats } from './reads.ts';
import { JobConnectionRef, JobRef, QueueRef } from './refs.ts';
import { count, listOf, needs, pageItems, WEIGHTS, weighs } from './terms.ts';
import { PageInfoRef } from './types.ts';

export const CappedCountRef = builder.objectRef<CappedCount>('CappedCount').implement({
  description: `A count that stops at ${LIMITS.countMax}, and that looks through the newest ${LIMITS.countedJobsMax} jobs at most where queue and state alone do not answer it, so that it never scans a whole table.`,
  fields: (t) => ({
    value: t.exposeInt('value', { description: `The count, ${LIMITS.countMax} at most.` }),
    exact: t.exposeBoolean('exact', { description: 'False where counting stopped at the cap: there are at least as many.' }),
  }),
});

const JobEdgeRef = builder.objectRef<Edge<Job>>('JobEdge').implement({
  description: 'A job with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` or `before` to go on from here, in the same order.' }),
    node: t.expose('node', { type: JobRef, description: 'The job.' }),
  }),
});

JobConnectionRef.implement({
  description: 'A page of jobs.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [JobEdgeRef], extensions: pageItems(), description: 'The jobs with their cursors.' }),
    nodes: t.field({ type: [JobRef], extensions: pageItems(), description: 'The jobs.', resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
    lookedThrough: t.exposeInt('lookedThrough', {
      nullable: true,
      description: 'Jobs of the list that were looked through up to the end of the page, whether they match or not; null without `lookThroughMax`.',
    }),
    isCutShort: t.exposeBoolean('isCutShort', {
      description:
        'True where the look ended at `lookThroughMax`: the page holds fewer jobs than asked, maybe none, and `endCursor` (`startCursor` with `last`) is where to go on from.',
    }),
    count: t.field({
      type: CappedCountRef,
      extensions: { ...needs('READ'), ...weighs(WEIGHTS.count) },
      description: `How many jobs match, whatever the page. Capped at ${LIMITS.countMax}. A \`lookThroughMax\` of the list that is lower than the count's own bound is its bound too.`,
      resolve: ({ filter, lookThroughMax }, _args, { store, principal }) => store.countJobs(principal.tenant, filter, lookThroughMax),
    }),
  }),
});

const QueueDefaultsRef = builder.objectRef<QueueDefaults>('QueueDefaults').implement({
  description: 'What a job or claim takes that does not say otherwise.',
  fields: (t) => ({
    priority: t.exposeInt('priority', { description: `Priority of a job. The server's default is ${LIMITS.priorityDefault}.` }),
    maxAttempts: t.exposeInt('maxAttempts', { description: `Attempt budget of a job. The server's default is ${LIMITS.maxAttemptsDefault}.` }),
    retryBaseSeconds: t.exposeInt('retryBaseSeconds', {
      description: `Wait after the first failed attempt, in seconds. The server's default is ${LIMITS.retryBaseSecondsDefault}.`,
    }),
    retryMaxSeconds: t.exposeInt('retryMaxSeconds', {
      description: `Longest wait between attempts, in seconds. The server's default is ${LIMITS.retryMaxSecondsDefault}.`,
    }),
    leaseSeconds: t.exposeInt('leaseSeconds', { description: `Length of a lease, in seconds. The server's default is ${LIMITS.leaseSecondsDefault}.` }),
  }),
});

const RetentionRef = builder.objectRef<Retention>('Retention').implement({
  description: 'How long finished jobs are kept after their end, with ledger and events. An idempotency key keeps its job for its whole window.',
  fields: (t) => ({
    completedSeconds: t.exposeInt('completedSeconds', { description: 'Seconds that COMPLETED jobs are kept; 0 is for ever.' }),
    cancelledSeconds: t.exposeInt('cancelledSeconds', { description: 'Seconds that CANCELLED jobs are kept; 0 is for ever.' }),
    deadSeconds: t.exposeInt('deadSeconds', { description: 'Seconds that DEAD jobs are kept; 0 is for ever.' }),
  }),
});

export const JobStateCountsRef = builder.objectRef<JobStateCounts>('JobStateCounts').implement({
  description: 'How many jobs are in each state, from counters kept with every transition.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'QUEUED jobs, due or not.' }),
    running: t.exposeInt('running', { description: 'RUNNING jobs.' }),
    retry: t.exposeInt('retry', { description: 'Jobs waiting for another attempt.' }),
    completed: t.exposeInt('completed', { description: 'COMPLETED jobs that are still kept.' }),
    dead: t.exposeInt('dead', { description: 'Dead letters that are still kept.' }),
    cancelled: t.exposeInt('cancelled', { description: 'CANCELLED jobs that are still kept.' }),
  }),
});

export const ThroughputRef = builder.objectRef<Throughput>('Throughput').implement({
  description: 'Per second, averaged over the last minute.',
  fields: (t) => ({
    submittedPerSecond: t.exposeFloat('submitted', { description: 'Jobs submitted; repeats of an idempotency key do not count.' }),
    claimedPerSecond: t.exposeFloat('claimed', { description: 'Leases handed out.' }),
    completedPerSecond: t.exposeFloat('completed', { description: 'Jobs completed.' }),
    failedPerSecond: t.exposeFloat('failed', { description: 'Attempts that failed, and jobs whose last lease ran out.' }),
  }),
});

const QueueStatsRef = builder.objectRef<QueueStats>('QueueStats').implement({
  description: 'Figures of a queue.',
  fields: (t) => ({
    counts: t.expose('counts', { type: JobStateCountsRef, description: 'Jobs by state.' }),
    ready: t.exposeInt('ready', { description: 'Waiting and due, as of at most a second ago.' }),
    delayed: t.exposeInt('delayed', { description: 'Waiting with `runAt` ahead.' }),
    oldestReadySeconds: t.exposeFloat('oldestReadySeconds', {
      nullable: true,
      description: 'For how many seconds the oldest job that a claim could take has been due; null where there is none, or the queue is paused.',
    }),
    throughput: t.expose('throughput', { type: ThroughputRef, description: 'Over the last minute.' }),
    waitP95Seconds: t.float({
      nullable: true,
      description:
        'Nineteen of twenty jobs that were claimed within the last hour had been due for at most so long; null where none was. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ lastHour }) => lastHour.waitP95Seconds,
    }),
    runP95Seconds: t.float({
      nullable: true,
      description:
        'Nineteen of twenty attempts that ended within the last hour ran for at most so long; null where none did. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ lastHour }) => lastHour.runP95Seconds,
    }),
    diedLastHour: t.int({ description: 'Jobs that became dead letters within the last hour, to the minute.', resolve: ({ lastHour }) => lastHour.died }),
  }),
});

QueueRef.implement({
  description: 'A named lane of jobs, created by its first use.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, unique in the tenant.' }),
    paused: t.boolean({ description: 'True while claims take nothing from it.', resolve: ({ pausedAtMs }) => pausedAtMs !== null }),
    pausedAt: t.expose('pausedAtMs', { type: 'DateTime', nullable: true, description: 'When it was paused; null unless paused.' }),
    pauseReason: t.exposeString('pauseReason', { nullable: true, description: 'Why, as the operator said; null unless paused, or unsaid.' }),
    defaults: t.expose('defaults', { type: QueueDefaultsRef, description: 'What its jobs and claims take that do not say otherwise.' }),
    retention: t.expose('retention', { type: RetentionRef, description: 'How long its finished jobs are kept.' }),
    stats: t.field({
      type: QueueStatsRef,
      extensions: { ...needs('READ'), ...weighs(WEIGHTS.queueFigures) },
      description: 'Its figures.',
      resolve: ({ name, figures }, _args, context) => figures ?? readQueueStats(context, name),
    }),
    version: t.exposeInt('version', { description: 'Grows with each configuration. Pass it as `expectedVersion` to overwrite only what you read.' }),
    createdAt: t.expose('createdAtMs', { type: 'DateTime', description: 'When it was first used.' }),
    jobs: t.field({
      type: JobConnectionRef,
      extensions: { ...needs('READ'), ...weighs(WEIGHTS.list) },
      description: 'Its jobs. A filter by queues that leaves this one out matches nothing.',
      args: jobListArguments(t.arg),
      resolve: ({ name }, args, context) => jobsPage(context, args, onlyQueue(name)),
    }),
  }),
});

const QueueEdgeRef = builder.objectRef<Edge<Queue>>('QueueEdge').implement({
  description: 'A queue with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on from here.' }),
    node: t.expose('node', { type: QueueRef, description: 'The queue.' }),
  }),
});

/** As large as the largest page in any order. */
const queueItems = () => listOf(count(LIMITS.troubledQueuesMax, 'first'));

export const QueueConnectionRef = builder.objectRef<Connection<Queue>>('QueueConnection').implement({
  description: 'A page of queues.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [QueueEdgeRef], extensions: queueItems(), description: 'The queues with their cursors.' }),
    nodes: t.field({ type: [QueueRef], extensions: queueItems(), description: 'The queues.', resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
  }),
});
