/**
 * One table: for each field that reaches data of a tenant, the calls that name handles of somebody else. A field of the
 * schema that is missing here fails the test of the matrix.
 */
import { type GraphQLSchema, isObjectType } from 'graphql';
import type { JobOrder } from '../../src/store/requests.ts';
import type { Handles, TokenHandle } from './handles.ts';

/** What the asking side has of its own. */
export interface Own {
  readonly tenantId: string;
  readonly queue: string;
  /** A job that was claimed once and is completed. */
  readonly jobId: string;
}
export interface Call {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The handle becomes the asking side's own name for something: made after everything else, as lists show it then. */
  readonly stores: boolean;
  /** What a SYSTEM key may do to any tenant. */
  readonly isForSystem: boolean;
}
export type Generator = (other: Handles, own: Own) => readonly Call[];

/**
 * `Type.field` of everything that needs a generator: the root fields, and of the objects every field that takes
 * arguments or whose resolver takes the context, without which no store can be reached.
 */
export function fieldsToCover(schema: GraphQLSchema): readonly string[] {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type?.name));
  const objects = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  return objects.flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {})
      .filter(({ args, resolve }) => roots.has(type.name) || args.length > 0 || (resolve?.length ?? 0) > 2)
      .map(({ name }) => `${type.name}.${name}`),
  );
}

const call = (document: string, variables: Call['variables'] = {}): Call => ({ document, variables, stores: false, isForSystem: false });
const storing = (document: string, variables: Call['variables']): Call => ({ ...call(document, variables), stores: true });
const ofSystem = (document: string, variables: Call['variables'] = {}): Call => ({ ...call(document, variables), isForSystem: true });

const JOB = `id queueName task state attempt fence payload payloadRedacted redactedPaths result tags { key value } concurrencyKey
  lastError { type message details } deadLetterGroupId lease { workerId startedAt lastHeartbeatAt leaseSeconds } progress { note }`;
const WORKER = 'id queues tasks state runningJobs soonestLeaseExpiresAt firstSeenAt lastSeenAt';
const EVENT = 'cursor kind jobId queueName task workerId actor detail';
const GAP = 'reason resumeAt oldestAvailable';
const EVENT_PAGE = `{ nodes { ${EVENT} } cursor hasMore gap { ${GAP} } }`;
const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const JOBS = `{ edges { cursor node { ${JOB} } } ${PAGE_INFO} lookedThrough isCutShort }`;
const GROUP = 'id queueName task errorType message count firstAt lastAt trend { at died }';
const GROUPS = `{ edges { cursor node { ${GROUP} } } ${PAGE_INFO} }`;
const COUNTS = 'counts { queued running retry completed dead cancelled }';
const THROUGHPUT = 'throughput { submittedPerSecond claimedPerSecond completedPerSecond failedPerSecond }';
const QUEUE_STATS = `stats { ${COUNTS} ready delayed oldestReadySeconds ${THROUGHPUT} waitP95Seconds runP95Seconds diedLastHour }`;
const POINTS =
  'points { submitted claimed completed failed died expired ready delayed running retry dead waitP50Seconds waitP95Seconds waitP99Seconds runP50Seconds runP95Seconds runP99Seconds }';
const QUEUE = 'name paused pauseReason version defaults { priority maxAttempts leaseSeconds } retention { deadSeconds }';
const STATS = `${COUNTS} ready oldestReadySeconds ${THROUGHPUT} workers`;
const FAILURE = '__typename ... on Failure { code message retryable }';
const LOST = `${FAILURE} ... on JobNotFound { jobId } ... on LeaseLost { jobId reason state attempt }`;
const ILLEGAL = `${FAILURE} ... on JobNotFound { jobId } ... on InvalidTransition { jobId from attempted }`;
const BULK = '{ matched { value exact } changed skipped hasMore samples { jobId code } }';
const TENANT = 'id name suspended createdAt quotas { maxQueues maxWaitingJobs }';
const USAGE = 'usage { waitingJobs queues schedules storedBytes openFeeds openSockets }';
const ACTIONS = '{ nodes { id at actor action target changed skipped reason } pageInfo { hasNextPage endCursor } }';
const RULES = 'rules { task path } version';
const KEY = 'id name prefix scopes queues createdAt lastUsedAt expiresAt revokedAt';

/** `field(input)` with the one argument that most mutations have. */
function mutation(name: string, selection: string): string {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
}

const jobIds = ({ jobs }: Handles): readonly string[] => Object.values(jobs);
/** Its tokens, live and spent, and the live one with another job of its. */
const tokens = ({ tokens: { live, completed, retry }, jobs }: Handles): readonly TokenHandle[] => [live, completed, retry, { ...live, jobId: jobs.queued }];
/** And with a job of the asking side. */
const tokensToo = (other: Handles, { jobId }: Own): readonly TokenHandle[] => [...tokens(other), { ...other.tokens.live, jobId }];

/** Each value that a filter of jobs can name. */
const filters = (other: Handles): readonly object[] => [
  { queues: [other.queue, other.pausedQueue] },
  { tasks: [`${other.task}-queued`, `${other.task}-dead`] },
  { workerIds: [other.workerId] },
  { concurrencyKeys: [other.concurrencyKey] },
  { tags: [{ key: other.tagKey, value: other.tagValue }] },
  { deadLetterGroups: [other.deadGroupId] },
];
const eventFilters = (other: Handles): readonly object[] => [
  { jobIds: jobIds(other) },
  { queues: [other.queue] },
  { tasks: [`${other.task}-queued`] },
  { jobIds: jobIds(other), queues: [other.queue] },
];

const byId = (selection: string) => `query ($id: ID!) { job(by: {id: $id}) { ${selection} } }`;
const LIST_ARGUMENTS = '$filter: JobFilter, $orderBy: JobOrder, $after: String, $before: String, $lookThroughMax: Int';
const GIVEN_LIST_ARGUMENTS = 'filter: $filter, orderBy: $orderBy, after: $after, before: $before, lookThroughMax: $lookThroughMax';

/** The cursor of each order as the place to go on from and to come back from. */
function places({ jobCursors }: Handles): readonly object[] {
  return (Object.keys(jobCursors) as JobOrder[]).flatMap((order) => {
    const orderBy = order.toUpperCase();
    return [
      { orderBy, after: jobCursors[order] },
      { orderBy, before: jobCursors[order] },
    ];
  });
}

/** The same lists through each field that answers them. */
const lists = (document: string, other: Handles): readonly Call[] => [
  ...filters(other).map((filter) => call(document, { filter })),
  ...filters(other).map((filter) => call(document, { filter, lookThroughMax: 1 })),
  ...places(other).map((place) => call(document, { ...place })),
];

const bulk =
  (name: 'cancelJobs' | 'redriveJobs' | 'purgeJobs'): Generator =>
  (other) => {
    const document = mutation(name, BULK.slice(1, -1));
    const ids = { ids: jobIds(other) };
    const inputs = [...filters(other).map((filter) => ({ target: { filter } })), { target: ids }, { target: ids, dryRun: true }];
    return inputs.map((input) => call(document, { input }));
  };

const JOB_LIST = `query (${LIST_ARGUMENTS}) { jobs(${GIVEN_LIST_ARGUMENTS}) ${JOBS} }`;
const JOB_COUNT = `query (${LIST_ARGUMENTS}) { jobs(${GIVEN_LIST_ARGUMENTS}) { count { value exact } } }`;
const LOG = `query ($after: EventCursor, $filter: JobEventFilter) { jobEvents(after: $after, filter: $filter) ${EVENT_PAGE} }`;
const LOG_WITH_JOBS = `query ($filter: JobEventFilter) { jobEvents(filter: $filter) { nodes { jobId job { ${JOB} } } } }`;
const FEED = `subscription ($after: EventCursor, $filter: JobEventFilter) { jobEvents(after: $after, filter: $filter) { __typename
  ... on JobEventBatch { events { ${EVENT} } cursor caughtUp } ... on JobEventGap { ${GAP} } } }`;
const BY_KEY = `query ($queue: String!, $key: String!) { job(by: {idempotencyKey: {queue: $queue, key: $key}}) { ${JOB} } }`;
const SUBMITTED = `${FAILURE} ... on SubmitJobSuccess { deduplicated job { queueName task state concurrencyKey tags { key value } } }`;
const QUEUE_STATE = `${FAILURE} ... on QueueNotFound { name } ... on QueueStateSuccess { changed queue { ${QUEUE} } }`;
const TENANT_CHANGED = `${FAILURE} ... on TenantNotFound { id } ... on NameTaken { name } ... on TenantSuccess { tenant { ${TENANT} } }`;
/** Claims look at leases and completions alone, so that they take nothing of the asking side's. */
const NO_TASK = ['no-such-task'];
const CLAIMED = `idle pollAgainInMs leases { job { ${JOB} } leaseToken } completed { ${LOST} }`;

const eventCursors = ({ eventCursor, forgedEventCursor }: Handles): readonly string[] => [eventCursor, forgedEventCursor];

/** Every place in the log that somebody else's cursor can be taken for. */
const logCalls = (document: string, other: Handles): readonly Call[] => [
  ...eventFilters(other).map((filter) => call(document, { filter })),
  ...eventCursors(other).map((after) => call(document, { after })),
];

const submissions = (other: Handles, own: Own): readonly object[] => [
  { queue: other.queue, task: other.task, idempotencyKey: other.idempotencyKey, tags: [{ key: other.tagKey, value: other.tagValue }] },
  { queue: own.queue, task: other.task, idempotencyKey: other.idempotencyKey, concurrencyKey: other.concurrencyKey },
];

/** Fields of the asking side's own objects, whose resolvers look at no handle: read with everything that leads to them. */
const whole =
  (document: string): Generator =>
  () => [call(document)];

export const GENERATORS: Readonly<Record<string, Generator>> = {
  'Query.apiKeys': whole(`{ apiKeys { ${KEY} } }`),
  'Query.auditLog': ({ auditCursor: after }) => [
    call(`{ auditLog(first: 100) ${ACTIONS} }`),
    call(`query ($after: String) { auditLog(after: $after) ${ACTIONS} }`, { after }),
  ],
  'Query.redactionRules': whole(`{ redactionRules { ${RULES} } }`),
  'Query.tryRedaction': ({ task }) => [
    call('query ($task: String!, $value: JSON!) { tryRedaction(task: $task, value: $value) }', { task: `${task}-queued`, value: { note: 'none' } }),
  ],
  'Query.deadLetterGroup': ({ deadGroupId: id }) => [call(`query ($id: ID!) { deadLetterGroup(id: $id) { ${GROUP} } }`, { id })],
  'Query.deadLetterGroups': (other) => [
    call(`{ deadLetterGroups ${GROUPS} }`),
    call(`query ($queues: [String!]) { deadLetterGroups(queues: $queues) ${GROUPS} }`, { queues: [other.queue] }),
    call(`query ($tasks: [String!]) { deadLetterGroups(tasks: $tasks) ${GROUPS} }`, { tasks: [`${other.task}-dead`] }),
    ...Object.entries(other.deadGroupCursors).map(([order, after]) =>
      call(`query ($after: String) { deadLetterGroups(orderBy: ${order.toUpperCase()}, after: $after) ${GROUPS} }`, { after }),
    ),
  ],
  'Query.job': (other, own) => [
    ...jobIds(other).map((id) => call(byId(JOB), { id })),
    call(BY_KEY, { queue: other.queue, key: other.idempotencyKey }),
    call(BY_KEY, { queue: own.queue, key: other.idempotencyKey }),
  ],
  'Query.jobEvents': (other) => logCalls(LOG, other),
  'Query.jobs': (other) => lists(JOB_LIST, other),
  'Query.latestEventCursor': whole('{ latestEventCursor }'),
  'Query.queue': ({ queue, pausedQueue }) => [queue, pausedQueue].map((name) => call(`query ($name: String!) { queue(name: $name) { ${QUEUE} } }`, { name })),
  'Query.queues': ({ queueCursor: after, queue }) => [
    call(`{ queues { edges { cursor node { ${QUEUE} } } ${PAGE_INFO} } }`),
    call(`query ($after: String) { queues(after: $after) { nodes { ${QUEUE} } ${PAGE_INFO} } }`, { after }),
    call(`{ queues(orderBy: TROUBLE) { edges { cursor node { ${QUEUE} ${QUEUE_STATS} } } ${PAGE_INFO} } }`),
    call(`query ($namePrefix: String) { queues(namePrefix: $namePrefix) { nodes { ${QUEUE} } ${PAGE_INFO} } }`, { namePrefix: queue }),
  ],
  'Query.series': ({ queue, pausedQueue }) => [
    call(`{ series { ${POINTS} } }`),
    ...[queue, pausedQueue].map((name) => call(`query ($queue: String) { series(queue: $queue, period: DAY) { ${POINTS} } }`, { queue: name })),
  ],
  'Query.stats': whole(`{ stats { ${STATS} } }`),
  'Query.tenant': ({ tenantId: id }) => [ofSystem(`query ($id: ID!) { tenant(id: $id) { ${TENANT} } }`, { id })],
  'Query.tenants': ({ tenantCursor: after }) => [
    ofSystem(`{ tenants { nodes { ${TENANT} } } }`),
    call(`query ($after: String) { tenants(after: $after) { nodes { ${TENANT} } } }`, { after }),
  ],
  'Query.viewer': whole('{ viewer { serverTime } }'),
  'Query.workers': ({ workerId: after }) => [
    ...[null, 'ACTIVE', 'SILENT', 'IDLE', 'GONE'].map((state) =>
      call(`query ($states: [WorkerState!]) { workers(seenWithinSeconds: 86400, states: $states) { ${WORKER} } }`, { states: state === null ? null : [state] }),
    ),
    call(`query ($after: ID) { workers(seenWithinSeconds: 86400, first: 1, after: $after) { ${WORKER} } }`, { after }),
  ],

  'Mutation.cancelJob': (other) =>
    jobIds(other).flatMap((id) => [false, true].map((force) => call(mutation('cancelJob', ILLEGAL), { input: { id, force, reason: 'none' } }))),
  'Mutation.cancelJobs': bulk('cancelJobs'),
  'Mutation.claimJobs': (other, own) => [
    ...tokensToo(other, own).map((token) =>
      call(mutation('claimJobs', CLAIMED), { input: { queues: [own.queue], workerId: 'own-worker', tasks: NO_TASK, completing: [token] } }),
    ),
    storing(mutation('claimJobs', CLAIMED), {
      input: { queues: [own.queue], workerId: other.workerId, tasks: NO_TASK, requestId: `${other.requestId}-running` },
    }),
    storing(mutation('claimJobs', CLAIMED), { input: { queues: [other.queue, other.pausedQueue], workerId: other.workerId, tasks: [`${other.task}-queued`] } }),
    storing(mutation('claimJobs', CLAIMED), {
      input: { queues: [other.queue], workerId: other.workerId, tasks: NO_TASK, requestId: `${other.requestId}-running` },
    }),
  ],
  'Mutation.completeJob': (other, own) => tokensToo(other, own).map((token) => call(mutation('completeJob', LOST), { input: { ...token, result: 1 } })),
  'Mutation.completeJobs': (other, own) => [call(mutation('completeJobs', `results { ${LOST} }`), { input: { jobs: tokensToo(other, own) } })],
  'Mutation.configureQueue': ({ queue }) => {
    const document = mutation('configureQueue', `${FAILURE} ... on VersionConflict { currentVersion } ... on ConfigureQueueSuccess { queue { ${QUEUE} } }`);
    return [
      call(document, { input: { name: queue, expectedVersion: 7 } }),
      storing(document, { input: { name: queue, expectedVersion: 0, defaults: { priority: 5 } } }),
    ];
  },
  'Mutation.createApiKey': ({ tenantId, keyName: name, queue }) => {
    const document = mutation(
      'createApiKey',
      `${FAILURE} ... on TenantNotFound { id } ... on NameTaken { name } ... on CreateApiKeySuccess { apiKey { name queues } }`,
    );
    return [ofSystem(document, { input: { tenantId, name, scopes: ['READ'] } }), storing(document, { input: { name, scopes: ['READ'], queues: [queue] } })];
  },
  'Mutation.createTenant': ({ tenantId: id, tenantName: name }) => [ofSystem(mutation('createTenant', TENANT_CHANGED), { input: { id, name } })],
  'Mutation.failJob': (other, own) =>
    tokensToo(other, own).map((token) => call(mutation('failJob', LOST), { input: { ...token, error: { message: 'none' }, retry: { never: true } } })),
  'Mutation.heartbeat': (other, own) => [
    call(mutation('heartbeat', `results { ${LOST} ... on LeaseRenewed { jobId cancelReason } }`), {
      input: { leases: tokensToo(other, own).map((token) => ({ ...token, progress: { note: 'none' } })) },
    }),
  ],
  'Mutation.pauseQueue': ({ queue, pausedQueue }) => [queue, pausedQueue].map((name) => storing(mutation('pauseQueue', QUEUE_STATE), { input: { name } })),
  'Mutation.purgeJobs': bulk('purgeJobs'),
  'Mutation.redriveJob': (other) => jobIds(other).map((id) => call(mutation('redriveJob', ILLEGAL), { input: { id, payload: {} } })),
  'Mutation.redriveJobs': bulk('redriveJobs'),
  'Mutation.releaseJob': (other, own) => tokensToo(other, own).map((token) => call(mutation('releaseJob', LOST), { input: token })),
  'Mutation.rescheduleJob': (other) => jobIds(other).map((id) => call(mutation('rescheduleJob', ILLEGAL), { input: { id, priority: 100 } })),
  'Mutation.resumeQueue': ({ queue, pausedQueue }) => [queue, pausedQueue].map((name) => call(mutation('resumeQueue', QUEUE_STATE), { input: { name } })),
  'Mutation.revokeApiKey': ({ keyId: id }) => [
    call(mutation('revokeApiKey', `${FAILURE} ... on ApiKeyNotFound { id } ... on RevokeApiKeySuccess { apiKey { ${KEY} } }`), { input: { id } }),
  ],
  'Mutation.setRedactionRules': ({ task }) => [
    storing(mutation('setRedactionRules', `${FAILURE} ... on SetRedactionRulesSuccess { redactionRules { rules { task path } } }`), {
      input: { rules: [{ task, path: 'secret' }] },
    }),
  ],
  'Mutation.submitJob': (other, own) =>
    submissions(other, own).map((input) =>
      storing(mutation('submitJob', `${SUBMITTED} ... on IdempotencyConflict { differingFields existingJob { ${JOB} } }`), { input }),
    ),
  'Mutation.submitJobs': (other, own) =>
    ['STORE_GOOD', 'ALL_OR_NOTHING'].map((onFailure) =>
      storing(mutation('submitJobs', `results { ${SUBMITTED} } stored deduplicated failed rolledBack`), {
        input: { jobs: submissions(other, own), onFailure },
      }),
    ),
  'Mutation.updateTenant': ({ tenantId: id, tenantName: name }, { tenantId: own }) => [
    ofSystem(mutation('updateTenant', TENANT_CHANGED), { input: { id, quotas: { maxQueues: 1 } } }),
    ofSystem(mutation('updateTenant', TENANT_CHANGED), { input: { id, name, suspended: false } }),
    ofSystem(mutation('updateTenant', TENANT_CHANGED), { input: { id: own, name } }),
  ],

  'Subscription.jobEvents': (other) => logCalls(FEED, other),
  'Subscription.queue': ({ queue, pausedQueue }) =>
    [queue, pausedQueue].map((name) => call(`subscription ($name: String!) { queue(name: $name, everySeconds: 1) { ${QUEUE} ${QUEUE_STATS} } }`, { name })),
  'Subscription.queues': whole(`subscription { queues(everySeconds: 1) { ${QUEUE} ${QUEUE_STATS} } }`),
  'Subscription.stats': whole(`subscription { stats(everySeconds: 1) { ${STATS} } }`),

  'Job.attempts': ({ attemptCursor: after, jobs: { completed } }, { jobId }) =>
    [jobId, completed].map((id) =>
      call(`query ($id: ID!, $after: String) { job(by: {id: $id}) { attempts(after: $after) { nodes { workerId } } } }`, { id, after }),
    ),
  'Job.events': ({ eventCursor, forgedEventCursor, jobs: { completed } }, { jobId }) =>
    [eventCursor, forgedEventCursor].flatMap((after) =>
      [jobId, completed].map((id) =>
        call(`query ($id: ID!, $after: EventCursor) { job(by: {id: $id}) { events(after: $after) ${EVENT_PAGE} } }`, { id, after }),
      ),
    ),
  'Job.payload': (other) => [call(byId('payload'), { id: other.jobs.completed })],
  'Job.payloadRedacted': (other) => [call(byId('payloadRedacted'), { id: other.jobs.completed })],
  'Job.redactedPaths': (other) => [call(byId('redactedPaths'), { id: other.jobs.completed })],
  'JobError.details': (other) => [call(byId('lastError { details }'), { id: other.jobs.dead })],
  'Job.result': (other) => [call(byId('result'), { id: other.jobs.completed })],
  'Job.queue': (other) => [call(byId(`queue { ${QUEUE} }`), { id: other.jobs.queued })],
  'Job.ready': (other) => [call(byId('ready'), { id: other.jobs.queued })],
  'JobConnection.count': (other) => [call(JOB_COUNT), ...filters(other).map((filter) => call(JOB_COUNT, { filter }))],
  'JobEvent.cursor': (other) => [
    call('query ($filter: JobEventFilter) { jobEvents(filter: $filter) { nodes { cursor } } }', { filter: { jobIds: jobIds(other) } }),
  ],
  'JobEvent.job': (other) => [call(LOG_WITH_JOBS), ...eventFilters(other).map((filter) => call(LOG_WITH_JOBS, { filter }))],
  'JobEventBatch.cursor': (other) => eventCursors(other).map((after) => call(FEED, { after })),
  'JobEventGap.oldestAvailable': (other) => eventCursors(other).map((after) => call(FEED, { after })),
  'JobEventGap.resumeAt': (other) => eventCursors(other).map((after) => call(LOG, { after })),
  'JobEventPage.cursor': ({ queue }) => [call(LOG, { filter: { queues: [queue] } })],
  'Queue.jobs': (other, { queue }) => [
    ...lists(`query ($name: String = "${queue}", ${LIST_ARGUMENTS}) { queue(name: $name) { jobs(${GIVEN_LIST_ARGUMENTS}) ${JOBS} } }`, other),
    call(`query ($name: String!) { queue(name: $name) { jobs ${JOBS} } }`, { name: other.queue }),
  ],
  'Queue.series': (other) => [
    call(`query ($name: String!) { queue(name: $name) { series(period: WEEK) { ${POINTS} } } }`, { name: other.queue }),
    call(`{ queues { nodes { name series { ${POINTS} } } } }`),
  ],
  'Queue.stats': (other) => [
    call(`query ($name: String!) { queue(name: $name) { ${QUEUE_STATS} } }`, { name: other.queue }),
    call(`{ queues { nodes { name stats { ${COUNTS} ready delayed } } } }`),
  ],
  'Tenant.usage': ({ tenantId: id }) => [ofSystem(`query ($id: ID!) { tenant(id: $id) { ${USAGE} } }`, { id }), call(`{ viewer { tenant { ${USAGE} } } }`)],
  'Viewer.apiKey': whole(`{ viewer { apiKey { ${KEY} } } }`),
  'Viewer.serverTime': whole('{ viewer { serverTime } }'),
  'Viewer.tenant': whole(`{ viewer { tenant { ${TENANT} } } }`),
};
