/** The job and its parts, as the API shows them. Payload and result only to keys that may read them. */
import { isDue, type Job, type Lease, type Progress, type Tag } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { readEventCursor } from './cursors.ts';
import { AttemptOutcomeEnum, JobStateEnum } from './enums.ts';
import { JobEventPageRef } from './events.ts';
import { type Connection, connection, type Edge, type ListName, PAGE_DEFAULTS, parseFirst, parsePage } from './pages.ts';
import { readQueueOfJob } from './reads.ts';
import { JobRef, QueueRef } from './refs.ts';
import {
  isPayloadShown,
  redactedPaths,
  shownAttempt,
  type ShownAttempt,
  shownDetails,
  shownError,
  type ShownError,
  shownPayload,
  shownResult,
} from './shown-json.ts';
import { fewItems, needs, pageItems, redactedWithout } from './terms.ts';

const TagRef = builder.objectRef<Tag>('Tag').implement({
  description: 'A label of a job, to find it by.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What the label is about. Unique within a job.' }),
    value: t.exposeString('value', { description: 'What it says; may be empty.' }),
  }),
});

const ProgressRef = builder.objectRef<Progress>('Progress').implement({
  description: 'How far a worker says it is, from its latest heartbeat that said so. A new claim starts without.',
  fields: (t) => ({
    percent: t.exposeFloat('percent', { nullable: true, description: `0 to ${LIMITS.progressPercentMax}; null where the worker did not say.` }),
    note: t.exposeString('note', { nullable: true, description: `The worker's words, up to ${LIMITS.progressNoteCharactersMax} characters.` }),
    updatedAt: t.expose('updatedAtMs', { type: 'DateTime', description: 'When the worker said so.' }),
  }),
});

const LeaseInfoRef = builder.objectRef<Lease>('LeaseInfo').implement({
  description: 'Who holds the lease and until when; never the token.',
  fields: (t) => ({
    workerId: t.exposeString('workerId', { description: 'The worker, as it named itself.' }),
    expiresAt: t.expose('expiresAtMs', { type: 'DateTime', description: 'The lease is live before this instant; at it, it is over.' }),
    renewals: t.exposeInt('renewals', { description: 'Heartbeats that extended it.' }),
    startedAt: t.expose('startedAtMs', { type: 'DateTime', description: 'When the job was claimed.' }),
    lastHeartbeatAt: t.expose('heartbeatAtMs', { type: 'DateTime', nullable: true, description: 'When it was last extended; null where it never was.' }),
    leaseSeconds: t.exposeInt('leaseSeconds', { description: 'The length that the claim was granted, which a heartbeat repeats unless it says otherwise.' }),
  }),
});

const JobErrorRef = builder.objectRef<ShownError>('JobError').implement({
  description: 'Why an attempt ended without success.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: true,
      description: "The kind of error, as the worker named it; `LeaseExpired` and `Released` are the server's own. Null where the worker named none.",
    }),
    message: t.exposeString('message', { description: `The worker's words, cut at ${LIMITS.errorTextBytesMax} bytes. Redaction rules do not look into it.` }),
    details: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the worker added, but for what redaction rules hide. Where that was too large, `{"truncated": true, "bytes": …}`.',
      resolve: (error, _args, context) => shownDetails(error, context),
    }),
    at: t.expose('atMs', { type: 'DateTime', description: 'When the attempt ended.' }),
  }),
});

const AttemptRef = builder.objectRef<ShownAttempt>('Attempt').implement({
  description: "One claim of a job and how it ended: a line of the job's ledger, which survives redrive.",
  fields: (t) => ({
    number: t.exposeInt('number', { description: "The job's `attempt` while it ran. Numbers repeat after a release or a redrive; `fence` does not." }),
    fence: t.exposeInt('fence', { description: "The claim's fencing token, unique within the job." }),
    workerId: t.exposeString('workerId', { description: 'The worker, as it named itself.' }),
    startedAt: t.expose('startedAtMs', { type: 'DateTime', description: 'When it was claimed.' }),
    finishedAt: t.expose('finishedAtMs', { type: 'DateTime', nullable: true, description: 'When it ended; null while it runs.' }),
    outcome: t.expose('outcome', { type: AttemptOutcomeEnum, description: 'How it ended.' }),
    error: t.expose('error', { type: JobErrorRef, nullable: true, description: 'What went wrong; null where nothing did.' }),
    deadLetterGroupId: t.exposeID('errorGroup', {
      nullable: true,
      description:
        'The group of dead letters that this error leads to, whether or not there is one; null without an error, and where the attempt ended before there were groups.',
    }),
    lastHeartbeatAt: t.expose('lastHeartbeatAtMs', {
      type: 'DateTime',
      nullable: true,
      description: 'When the lease was last extended; null where it never was.',
    }),
  }),
});

export const PageInfoRef = builder.objectRef<Connection<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'True if rows follow: pass `endCursor` as `after`.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'True if rows come before: pass `startCursor` as `before`.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first row, or of where the look for rows from the end ended; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last row, or of where the look for rows ended; null on an empty page.',
    }),
  }),
});

const AttemptEdgeRef = builder.objectRef<Edge<ShownAttempt>>('AttemptEdge').implement({
  description: 'An attempt with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on from here.' }),
    node: t.expose('node', { type: AttemptRef, description: 'The attempt.' }),
  }),
});

const AttemptConnectionRef = builder.objectRef<Connection<ShownAttempt>>('AttemptConnection').implement({
  description: 'A page of attempts, newest first.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [AttemptEdgeRef], extensions: pageItems(), description: 'The attempts with their cursors.' }),
    nodes: t.field({ type: [AttemptRef], extensions: pageItems(), description: 'The attempts.', resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
  }),
});

const attemptsOf = (job: Job, { principal }: GraphQLContext): ListName => ({
  tenant: principal.tenant,
  list: `attempts ${job.id}`,
  firstDefault: PAGE_DEFAULTS.attempts,
});

async function isReady(job: Job, context: GraphQLContext): Promise<boolean> {
  if (!isDue(job, context.store.nowMs())) return false;
  const queue = await readQueueOfJob(context, job.queue);
  return queue.pausedAtMs === null;
}

JobRef.implement({
  description: 'One durable unit of work.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A time-ordered UUID (version 7).' }),
    queue: t.field({
      type: QueueRef,
      extensions: needs('READ'),
      description: 'The queue it is in.',
      resolve: (job, _args, context) => readQueueOfJob(context, job.queue),
    }),
    queueName: t.exposeString('queue', { description: 'Name of its queue, without a look at the queue.' }),
    task: t.exposeString('task', { description: 'The kind of work, such as `invoice.send`: what a worker chooses its handler by.' }),
    state: t.expose('state', { type: JobStateEnum, description: 'Where it stands.' }),
    payload: t.field({
      type: 'JSONObject',
      extensions: redactedWithout('PAYLOADS'),
      nullable: true,
      description:
        'What the work is about, as submitted, but for what redaction rules hide; see `redactedPaths`. Null when the key lacks the PAYLOADS scope; see `payloadRedacted`.',
      resolve: (job, _args, context) => shownPayload(job, context),
    }),
    payloadRedacted: t.boolean({
      description: 'True when payload and result are kept from this key. A claim always shows the payload of its jobs.',
      resolve: (job, _args, context) => !isPayloadShown(job, context),
    }),
    redactedPaths: t.field({
      type: ['String'],
      description:
        'Paths of the payload that redaction rules hide here, each in the form of a rule. Empty where the payload is shown whole, or not at all. ' +
        `Up to ${LIMITS.redactedPathsMax}; keys of more than ${LIMITS.nameCharactersMax} characters are left out as \`…\`.`,
      resolve: (job, _args, context) => redactedPaths(job, context),
    }),
    result: t.field({
      type: 'JSON',
      extensions: redactedWithout('PAYLOADS'),
      nullable: true,
      description: 'What completeJob stored, but for what redaction rules hide. Null before, when empty, or when redacted as a whole.',
      resolve: (job, _args, context) => shownResult(job, context),
    }),
    tags: t.expose('tags', { type: [TagRef], extensions: fewItems(), description: 'Its labels.' }),
    concurrencyKey: t.exposeString('concurrencyKey', { nullable: true, description: 'Jobs of one key belong together; null without.' }),
  }),
});

builder.objectFields(JobRef, (t) => ({
  priority: t.exposeInt('priority', { description: `${LIMITS.priorityMin} to ${LIMITS.priorityMax}, higher first.` }),
  attempt: t.exposeInt('attempt', { description: 'Attempts charged to the current budget: 1 while first running; redrive sets it back to 0.' }),
  fence: t.exposeInt('fence', {
    description: "The fencing token: claims ever made, +1 at each, never reset. A side effect's target can refuse an older one.",
  }),
  maxAttempts: t.exposeInt('maxAttempts', { description: 'The attempt budget: a failure of this attempt makes the job a dead letter.' }),
  retryBaseSeconds: t.exposeInt('retryBaseSeconds', { description: 'Wait in seconds after the first failed attempt; doubled after each further one.' }),
  retryMaxSeconds: t.exposeInt('retryMaxSeconds', { description: 'The longest wait between attempts, in seconds.' }),
  runAt: t.expose('runAtMs', { type: 'DateTime', description: 'Not claimable before this instant.' }),
  ready: t.boolean({ description: 'Claimable right now: waiting, due, and its queue not paused.', resolve: (job, _args, context) => isReady(job, context) }),
  progress: t.expose('progress', { type: ProgressRef, nullable: true, description: 'How far its worker says it is; null where none did.' }),
  lease: t.expose('lease', { type: LeaseInfoRef, nullable: true, description: 'Who holds the lease and until when; null unless RUNNING.' }),
  cancelRequestedAt: t.expose('cancelRequestedAtMs', {
    type: 'DateTime',
    nullable: true,
    description: 'When an operator asked to cancel it; null where nobody did.',
  }),
  lastError: t.field({
    type: JobErrorRef,
    nullable: true,
    description: 'Why its latest unsuccessful attempt ended; null where none did.',
    resolve: (job) => shownError(job),
  }),
  deadLetterGroupId: t.exposeID('deadGroup', { nullable: true, description: 'The group of dead letters that it is in; null unless DEAD.' }),
}));

builder.objectFields(JobRef, (t) => ({
  createdAt: t.expose('createdAtMs', { type: 'DateTime', description: 'When it was submitted.' }),
  updatedAt: t.expose('updatedAtMs', { type: 'DateTime', description: 'When anything of it changed last.' }),
  finishedAt: t.expose('finishedAtMs', { type: 'DateTime', nullable: true, description: 'When it became COMPLETED, DEAD or CANCELLED; null before.' }),
  purgeAt: t.expose('purgeAtMs', {
    type: 'DateTime',
    nullable: true,
    description: 'When retention removes it; null while it can still run, or where nothing removes it.',
  }),
  attempts: t.field({
    type: AttemptConnectionRef,
    extensions: needs('READ'),
    description: 'Its ledger: every claim and how it ended, newest first, the running one included.',
    args: {
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.attempts, description: `Page size, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      after: t.arg.string({ description: '`endCursor` of the page before.' }),
    },
    resolve: async (job, args, context) => {
      const name = attemptsOf(job, context);
      const page = await context.store.attempts(name.tenant, job, parsePage(args, name));
      return connection({ ...page, rows: page.rows.map(({ key, row }) => ({ key, row: shownAttempt(job, row) })) }, name);
    },
  }),
  events: t.field({
    type: JobEventPageRef,
    extensions: needs('READ'),
    description: 'Its timeline: every transition, oldest first.',
    args: {
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.timeline, description: `Page size, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      after: t.arg({ type: 'EventCursor', description: '`cursor` of the page before. Absent: from its first event.' }),
    },
    resolve: async (job, { first, after }, { store, principal: { tenant } }) => {
      const limit = parseFirst(first, PAGE_DEFAULTS.timeline);
      return store.timeline(tenant, job.id, readEventCursor(after, tenant, 'after'), limit);
    },
  }),
}));
