/** Every question that a screen of the console asks, with arguments that differ from one call to the next. */
import * as api from '../../src/client/generated/graphql.ts';
import { RARE_QUEUE, RARE_TAG, RARE_TASK, TAG } from '../fill/console-shape.ts';
import { graphqlBody } from '../load/documents.ts';
import type { Facts } from './facts.ts';

interface Document {
  toString(): string;
}
export interface Operation {
  /** The screen, and what it asks: `jobs/newest`. */
  readonly name: string;
  readonly bodies: (facts: Facts) => readonly string[];
}

/** One call for each set of variables. */
function asks(name: string, document: Document, ...variables: readonly object[]): Operation {
  return { name, bodies: () => (variables.length === 0 ? [{}] : variables).map((one) => graphqlBody(document.toString(), one)) };
}

function asksOf(name: string, document: Document, variables: (facts: Facts) => readonly object[]): Operation {
  return { name, bodies: (facts) => variables(facts).map((one) => graphqlBody(document.toString(), one)) };
}

const PERIODS = ['HOUR', 'DAY', 'WEEK'] as const;
const STATES = ['QUEUED', 'RUNNING', 'RETRY', 'COMPLETED', 'DEAD', 'CANCELLED'] as const;
const BOUND = 10_000;
const DAY_MS = 86_400_000;

const periods = (name: string, variables: (facts: Facts) => readonly object[]): readonly Operation[] =>
  PERIODS.map((period) => asksOf(`${name}-${period.toLowerCase()}`, api.SeriesDocument, (facts) => variables(facts).map((one) => ({ ...one, period }))));
const list = (name: string, ...variables: readonly object[]): Operation =>
  asks(`jobs/${name}`, api.JobsDocument, ...variables.map((one) => ({ first: 50, ...one })));
const listOf = (name: string, variables: (facts: Facts) => readonly object[]): Operation =>
  asksOf(`jobs/${name}`, api.JobsDocument, (facts) => variables(facts).map((one) => ({ first: 50, ...one })));
const count = (name: string, ...variables: readonly object[]): Operation => asks(`jobs/count-${name}`, api.CountJobsDocument, ...variables);
const ofQueues = (make: (queue: string) => object) => (facts: Facts) => facts.queues.map(make);
const ofJobs = (make: (id: string) => object) => (facts: Facts) => facts.jobIds.map(make);

/** A day of the last six, ended at different hours. */
function days(): readonly { readonly from: string; readonly to: string }[] {
  const nowMs = Date.now();
  return Array.from({ length: 20 }, (_, step) => {
    const toMs = nowMs - step * (DAY_MS / 5);
    return { from: new Date(toMs - DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
  });
}

const OVERVIEW: readonly Operation[] = [
  asks('overview/stats', api.StatsDocument),
  asks('overview/queues', api.QueuesDocument, { first: 50 }),
  asks('overview/silent-workers', api.WorkersDocument, { states: ['SILENT'], first: 20 }),
  ...periods('overview/series', () => [{}]),
];

const QUEUES: readonly Operation[] = [
  asks('queues/by-trouble', api.QueuesByTroubleDocument, { first: 100 }),
  asksOf('queues/by-name', api.QueuesDocument, ({ queues }) => [{ first: 100 }, { first: 100, namePrefix: queues[0]?.slice(0, 7) }]),
  asksOf('queues/by-prefix', api.QueuesDocument, ({ queues }) => queues.map((name) => ({ first: 100, namePrefix: name.slice(0, -1) }))),
  asksOf(
    'queue/figures',
    api.QueueDocument,
    ofQueues((name) => ({ name })),
  ),
  ...periods(
    'queue/series',
    ofQueues((queue) => ({ queue })),
  ),
];

const rareTask = { tasks: [RARE_TASK] };
const rareTag = { tags: [{ key: TAG, value: RARE_TAG }] };

const JOBS: readonly Operation[] = [
  list('newest', {}),
  list('oldest', { orderBy: 'OLDEST_FIRST' }),
  ...STATES.map((state) => list(`state-${state.toLowerCase()}`, { filter: { states: [state] } })),
  list('next-to-run', { orderBy: 'NEXT_TO_RUN' }, { orderBy: 'NEXT_TO_RUN', filter: { states: ['QUEUED'] } }),
  list('finished', { orderBy: 'RECENTLY_FINISHED' }, { orderBy: 'RECENTLY_FINISHED', filter: { states: ['COMPLETED'] } }),
  listOf(
    'queue',
    ofQueues((queue) => ({ filter: { queues: [queue] } })),
  ),
  listOf(
    'queue-and-states',
    ofQueues((queue) => ({ filter: { queues: [queue], states: ['RETRY', 'DEAD'] } })),
  ),
  listOf('many-queues', ({ queues }) => [{ filter: { queues: queues.slice(0, 100) } }]),
  listOf('deep', ({ deepCursors }) => deepCursors.map((after) => ({ after }))),
  listOf('deep-backwards', ({ deepCursors }) => deepCursors.map((before) => ({ before, first: undefined, last: 50 }))),
  asksOf('jobs/arrivals', api.JobArrivalsDocument, ({ deepCursors }) => deepCursors.map((before) => ({ before, last: 50, lookThroughMax: BOUND }))),
  list('last-page', { first: undefined, last: 50 }),
  list('rare-task', { filter: rareTask, lookThroughMax: BOUND }),
  listOf('rare-task-deep', ({ deepCursors }) => deepCursors.map((after) => ({ after, filter: rareTask, lookThroughMax: BOUND }))),
  list('rare-task-of-queue', { filter: { ...rareTask, queues: [RARE_QUEUE] }, lookThroughMax: BOUND }),
  list('rare-task-20000', { filter: rareTask, lookThroughMax: 2 * BOUND }),
  list('rare-task-finished', { filter: rareTask, orderBy: 'RECENTLY_FINISHED', lookThroughMax: BOUND }),
  list('rare-task-waiting', { filter: { ...rareTask, states: ['QUEUED'] }, orderBy: 'NEXT_TO_RUN', lookThroughMax: BOUND }),
  list('rare-tag', { filter: rareTag }, { filter: rareTag, lookThroughMax: BOUND }),
  listOf(
    'tag',
    ofQueues((value) => ({ filter: { tags: [{ key: TAG, value }] }, lookThroughMax: BOUND })),
  ),
  listOf(
    'tag-and-state',
    ofQueues((value) => ({ filter: { tags: [{ key: TAG, value }], states: ['DEAD'] }, lookThroughMax: BOUND })),
  ),
  list('created-between', ...days().map((createdAt) => ({ filter: { createdAt }, lookThroughMax: BOUND }))),
  list('finished-between', ...days().map((finishedAt) => ({ filter: { finishedAt }, orderBy: 'RECENTLY_FINISHED', lookThroughMax: BOUND }))),
  count('all', {}, ...STATES.map((state) => ({ filter: { states: [state] } }))),
  count('rare-task', { filter: rareTask, lookThroughMax: BOUND }),
  count('rare-tag', { filter: rareTag, lookThroughMax: BOUND }),
  count('created-between', ...days().map((createdAt) => ({ filter: { createdAt }, lookThroughMax: BOUND }))),
];

const JOB: readonly Operation[] = [
  asksOf(
    'job/page',
    api.JobPageDocument,
    ofJobs((id) => ({ id })),
  ),
  asksOf(
    'job/content',
    api.JobContentDocument,
    ofJobs((id) => ({ id })),
  ),
  asksOf(
    'job/history',
    api.JobHistoryDocument,
    ofJobs((id) => ({ id })),
  ),
  asksOf(
    'job/attempts',
    api.JobAttemptsDocument,
    ofJobs((id) => ({ id })),
  ),
];

const DEAD: readonly Operation[] = [
  asks('dead/groups', api.DeadLetterGroupsDocument, { first: 50 }, { first: 50, orderBy: 'RECENT' }),
  asksOf('dead/groups-next', api.DeadLetterGroupsDocument, ({ groupCursor }) => [{ first: 50, after: groupCursor }]),
  asksOf(
    'dead/groups-of-queue',
    api.DeadLetterGroupsDocument,
    ofQueues((queue) => ({ first: 50, queues: [queue] })),
  ),
  asksOf('dead/group', api.DeadLetterGroupDocument, ({ groups }) => groups.map((id) => ({ id }))),
  asksOf('dead/group-jobs', api.JobsDocument, ({ groups }) => groups.map((id) => ({ first: 20, filter: { deadLetterGroups: [id] } }))),
  asksOf('dead/group-count', api.CountJobsDocument, ({ groups }) => groups.map((id) => ({ filter: { deadLetterGroups: [id] } }))),
];

const WORKERS: readonly Operation[] = [
  asks('workers/seen', api.WorkersDocument, { first: 100 }, { first: 100, seenWithinSeconds: 86_400 }),
  ...(['ACTIVE', 'SILENT', 'IDLE', 'GONE'] as const).map((state) =>
    asks(`workers/${state.toLowerCase()}`, api.WorkersDocument, { first: 100, states: [state] }),
  ),
  asks('workers/leases', api.LeasesDocument, { first: 50 }),
  asksOf('workers/leases-of-worker', api.LeasesDocument, ({ workers }) => workers.map((id) => ({ first: 50, filter: { workerIds: [id] } }))),
  asksOf(
    'workers/leases-of-queue',
    api.LeasesDocument,
    ofQueues((queue) => ({ first: 50, filter: { queues: [queue] } })),
  ),
];

const OTHERS: readonly Operation[] = [
  asksOf('live/events', api.JobEventsDocument, ({ eventCursors }) => eventCursors.map((after) => ({ after, first: 100 }))),
  asks('live/newest-cursor', api.LatestEventCursorDocument),
  asks('settings/viewer', api.ViewerDocument),
  asks('settings/tenants', api.TenantsDocument, { first: 100 }),
  asks('settings/keys', api.ApiKeysDocument),
  asks('settings/audit', api.AuditLogDocument, { first: 50 }, { first: 50, actions: ['SET_REDACTION_RULES'] }, { first: 50, actions: ['PAUSE_QUEUE'] }),
  asks('settings/redaction', api.RedactionRulesDocument),
];

export const OPERATIONS: readonly Operation[] = [...OVERVIEW, ...QUEUES, ...JOBS, ...JOB, ...DEAD, ...WORKERS, ...OTHERS];
