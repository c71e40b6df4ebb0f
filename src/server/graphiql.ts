/** The GraphiQL page for development: a package of its own, so that the page loads nothing from elsewhere. */
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Logger } from '../runtime/logger.ts';

const SUBMIT = `# Submit a job. The same idempotency key gives the same job, however often this runs.
mutation Submit {
  submitJob(input: { queue: "mail", task: "mail.send", payload: { to: "ada@example.com" }, idempotencyKey: "welcome-ada" }) {
    __typename
    ... on SubmitJobSuccess { deduplicated job { id state } }
    ... on Failure { code message }
  }
}
`;
const CLAIM = `# Claim the next job. The answer holds the lease token, which completes, fails or releases the job.
mutation Claim {
  claimJobs(input: { queues: ["mail"], workerId: "graphiql", waitSeconds: 5 }) {
    leases { leaseToken leaseExpiresAt job { id task payload attempt } }
    idle
  }
}
`;
const WATCH = `# Watch what happens, from now on. Run Submit or Claim in another tab.
subscription Watch {
  jobEvents {
    __typename
    ... on JobEventBatch { caughtUp cursor events { kind jobId queueName toState at } }
    ... on JobEventGap { reason resumeAt }
  }
}
`;

export type GraphiqlPage = (options?: GraphiQLOptions) => string;

export const graphiqlOptions: GraphiQLOptions = {
  title: 'LeaseQueue',
  subscriptionsProtocol: 'SSE',
  defaultQuery: SUBMIT,
  defaultTabs: [{ query: SUBMIT }, { query: CLAIM }, { query: WATCH }],
  headers: JSON.stringify({ 'x-leasequeue-tenant': 'default' }, null, 2),
  shouldPersistHeaders: true,
};

/** The renderer, or null where its package, a development dependency, is not installed. */
export async function loadGraphiql(log: Logger): Promise<GraphiqlPage | null> {
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return renderGraphiQL;
  } catch {
    log.info('GraphiQL is not installed and stays off');
    return null;
  }
}
