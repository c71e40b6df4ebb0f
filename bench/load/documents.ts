/** The operations that the benchmark sends, and how a request is made of them. */

export const SUBMIT =
  'mutation Submit($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on SubmitJobSuccess { job { id state } deduplicated } ... on Failure { code message } } }';
/** The same document with the same input, and nothing to do: what a mutation costs before its work begins. */
export const SUBMIT_NOTHING =
  'mutation Submit($input: SubmitJobInput!, $skip: Boolean!) { __typename submitJob(input: $input) @skip(if: $skip) { __typename ... on SubmitJobSuccess { job { id state } deduplicated } ... on Failure { code message } } }';
export const SUBMIT_MANY =
  'mutation SubmitMany($input: SubmitJobsInput!) { submitJobs(input: $input) { results { __typename ... on SubmitJobSuccess { job { id } } ... on Failure { code message } } stored failed } }';
export const CLAIM =
  'mutation Claim($input: ClaimJobsInput!) { claimJobs(input: $input) { completed { __typename ... on Failure { code message } } leases { leaseToken leaseExpiresAt fence job { id task payload } } idle } }';
export const COMPLETE =
  'mutation Complete($input: CompleteJobsInput!) { completeJobs(input: $input) { results { __typename ... on Failure { code message } } } }';
export const COMPLETE_ONE =
  'mutation CompleteOne($input: CompleteJobInput!) { completeJob(input: $input) { __typename ... on CompleteJobSuccess { job { id state } } ... on Failure { code message } } }';
export const HEARTBEAT =
  'mutation Heartbeat($input: HeartbeatInput!) { heartbeat(input: $input) { results { __typename ... on LeaseRenewed { leaseExpiresAt cancelRequested } ... on Failure { code message } } } }';
export const KEEP = 'mutation Keep($input: ConfigureQueueInput!) { configureQueue(input: $input) { __typename ... on Failure { code message } } }';
export const FOLLOW = 'subscription Follow { jobEvents(everyMs: 20) { __typename ... on JobEventBatch { cursor events { cursor kind jobId task toState } } } }';

export const STATS =
  '{ stats { counts { queued running retry completed dead cancelled } ready oldestReadySeconds throughput { submittedPerSecond completedPerSecond } workers } }';
export const QUEUES =
  '{ queues(first: 50) { nodes { name paused stats { counts { queued running retry completed dead cancelled } ready delayed oldestReadySeconds throughput { submittedPerSecond completedPerSecond } } } } }';

const JOB = 'nodes { id queueName task state priority attempt maxAttempts runAt createdAt updatedAt finishedAt } pageInfo { hasNextPage endCursor }';
/** Lists as a console shows them, by what they show. */
export const LISTS: Readonly<Record<string, string>> = {
  newest: `{ jobs(first: 50) { ${JOB} } }`,
  waiting: `{ jobs(first: 50, filter: { states: [QUEUED] }, orderBy: NEXT_TO_RUN) { ${JOB} } }`,
  finished: `{ jobs(first: 50, filter: { states: [COMPLETED] }, orderBy: RECENTLY_FINISHED) { ${JOB} } }`,
  'one-queue': `{ jobs(first: 50, filter: { queues: ["deep"], states: [QUEUED, RUNNING] }) { ${JOB} } }`,
  'no-match': `{ jobs(first: 50, filter: { queues: ["deep"], states: [DEAD] }) { ${JOB} } }`,
  'by-task': `{ jobs(first: 50, filter: { tasks: ["copy"] }) { ${JOB} } }`,
  counted: '{ jobs(first: 1, filter: { queues: ["deep"], tasks: ["copy"] }) { count { value exact } } }',
};
export const NEWEST_EVENTS = '{ jobEvents(first: 100) { nodes { cursor kind jobId task toState } cursor } }';

export function graphqlBody(query: string, variables: object = {}): string {
  return JSON.stringify({ query, variables });
}

/** The job that is submitted wherever nothing else is said. */
export const JOB_INPUT = { queue: 'bench', task: 'noop', payload: { n: 1 } } as const;
