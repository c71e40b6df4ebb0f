/** What the GraphQL driver sends, and the shape of what it selects. */

export interface JobNode {
  readonly id: string;
  readonly queueName: string;
  readonly task: string;
  readonly state: string;
  readonly payload: unknown;
  readonly result: unknown;
  readonly priority: number;
  readonly attempt: number;
  readonly fence: number;
  readonly maxAttempts: number;
  readonly retryBaseSeconds: number;
  readonly retryMaxSeconds: number;
  readonly runAt: string;
  readonly ready: boolean;
  readonly concurrencyKey: string | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly progress: { readonly percent: number | null; readonly note: string | null; readonly updatedAt: string } | null;
  readonly lease: { readonly workerId: string; readonly expiresAt: string; readonly renewals: number } | null;
  readonly cancelRequestedAt: string | null;
  readonly lastError: ErrorNode | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly purgeAt: string | null;
}
export interface ErrorNode {
  readonly type: string | null;
  readonly message: string;
  readonly details: unknown;
  readonly at: string;
}
export interface FailureNode {
  readonly code: string;
  readonly jobId: string;
  readonly reason: string;
  readonly state: string;
  readonly attempt: number;
  readonly from: string;
  readonly attempted: string;
  readonly existingJob: JobNode;
  readonly differingFields: readonly string[];
  readonly name: string;
  readonly currentVersion: number;
}
/** A member of any result union. */
export type ResultNode<Success> = { readonly __typename: string } & Success & FailureNode;

const JOB = `
  fragment Job on Job {
    id queueName task state payload result priority attempt fence maxAttempts retryBaseSeconds retryMaxSeconds runAt ready concurrencyKey
    tags { key value } progress { percent note updatedAt } lease { workerId expiresAt renewals } cancelRequestedAt
    lastError { ...Error } createdAt finishedAt purgeAt
  }`;
const ERROR = 'fragment Error on JobError { type message details at }';
const BULK = 'matched { value exact } changed skipped hasMore samples { jobId code }';
const FAILED = '... on Failure { code }';
const LOST = `${FAILED} ... on LeaseLost { jobId reason state attempt } ... on JobNotFound { jobId }`;
const REFUSED = `${FAILED} ... on InvalidTransition { jobId from attempted } ... on JobNotFound { jobId }`;
const SETTLED = `__typename ... on CompleteJobSuccess { replayed job { ...Job } } ${LOST}`;

function mutation(field: string, type: string, selection: string): string {
  const fragments = selection.includes('...Job') ? `${JOB} ${ERROR}` : '';
  return `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } } ${fragments}`;
}

export const DOCUMENTS = {
  submitJobs: mutation(
    'submitJobs',
    'SubmitJobsInput',
    `results { __typename ... on SubmitJobSuccess { deduplicated job { ...Job } } ${FAILED} ... on IdempotencyConflict { differingFields existingJob { ...Job } } }`,
  ),
  claimJobs: mutation(
    'claimJobs',
    'ClaimJobsInput',
    `completed { ${SETTLED} } leases { leaseToken leaseExpiresAt leaseSeconds attempt fence job { ...Job } } idle pollAgainInMs serverTime`,
  ),
  heartbeat: mutation('heartbeat', 'HeartbeatInput', `results { __typename ... on LeaseRenewed { leaseExpiresAt cancelRequested cancelReason } ${LOST} }`),
  completeJobs: mutation('completeJobs', 'CompleteJobsInput', `results { ${SETTLED} }`),
  failJob: mutation('failJob', 'FailJobInput', `__typename ... on FailJobSuccess { replayed deadLettered retryAt job { ...Job } } ${LOST}`),
  releaseJob: mutation('releaseJob', 'ReleaseJobInput', `__typename ... on ReleaseJobSuccess { replayed job { ...Job } } ${LOST}`),
  cancelJob: mutation('cancelJob', 'CancelJobInput', `__typename ... on CancelJobSuccess { finished job { ...Job } } ${REFUSED}`),
  redriveJob: mutation('redriveJob', 'RedriveJobInput', `__typename ... on RedriveJobSuccess { job { ...Job } } ${REFUSED}`),
  rescheduleJob: mutation('rescheduleJob', 'RescheduleJobInput', `__typename ... on RescheduleJobSuccess { job { ...Job } } ${REFUSED}`),
  cancelJobs: mutation('cancelJobs', 'CancelJobsInput', BULK),
  redriveJobs: mutation('redriveJobs', 'RedriveJobsInput', BULK),
  purgeJobs: mutation('purgeJobs', 'PurgeJobsInput', BULK),
  configureQueue: mutation(
    'configureQueue',
    'ConfigureQueueInput',
    `__typename ... on ConfigureQueueSuccess { queue { version } } ${FAILED} ... on VersionConflict { currentVersion }`,
  ),
  pauseQueue: mutation('pauseQueue', 'PauseQueueInput', `__typename ... on QueueStateSuccess { changed } ${FAILED} ... on QueueNotFound { name }`),
  resumeQueue: mutation('resumeQueue', 'ResumeQueueInput', `__typename ... on QueueStateSuccess { changed } ${FAILED} ... on QueueNotFound { name }`),
  job: `query ($id: ID!) { job(by: { id: $id }) { ...Job } } ${JOB} ${ERROR}`,
  attempts: `query ($id: ID!) { job(by: { id: $id }) {
      attempts(first: 100) { nodes { number fence workerId startedAt finishedAt outcome lastHeartbeatAt deadLetterGroupId error { ...Error } } } } } ${ERROR}`,
  jobEvents: `query ($after: EventCursor, $filter: JobEventFilter) { jobEvents(after: $after, first: 100, filter: $filter) {
      nodes { kind fromState toState attempt fence workerId at detail } gap { reason } cursor hasMore } }`,
  queueStats: `query ($name: String!) { queue(name: $name) { stats { counts { queued running retry completed dead cancelled } ready delayed oldestReadySeconds } } }`,
} as const;
export type DocumentName = keyof typeof DOCUMENTS;
