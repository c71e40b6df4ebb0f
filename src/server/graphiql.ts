/** The GraphiQL page for development: a package of its own, so that the page loads nothing from elsewhere. */
import type { GraphiQLOptions } from 'graphql-yoga';
import type { Logger } from '../runtime/logger.ts';

const TOUR = `# Three operations to play with: the run button asks which. Watch in one tab, submit and claim in another.

# Follow every transition from now on.
subscription Watch {
  jobEvents(everyMs: 1000) {
    ... on JobEventBatch {
      events { kind queueName task fromState toState attempt workerId at }
      caughtUp
    }
    ... on JobEventGap { reason resumeAt }
  }
}

# The same idempotency key gives the same job, however often this runs.
mutation Submit {
  submitJob(input: { queue: "mail", task: "mail.send", payload: { to: "ada@example.com" }, idempotencyKey: "welcome-ada" }) {
    ... on SubmitJobSuccess { deduplicated job { id state } }
    ... on Failure { code message }
  }
}

# The answer holds the lease token, which completes, fails or releases the job.
mutation Claim {
  claimJobs(input: { queues: ["mail"], workerId: "graphiql", waitSeconds: 5 }) {
    leases { leaseToken leaseExpiresAt job { id task payload attempt } }
    idle
  }
}
`;

export type GraphiqlPage = (options?: GraphiQLOptions) => string;

export const graphiqlOptions: GraphiQLOptions = {
  title: 'LeaseQueue',
  subscriptionsProtocol: 'SSE',
  defaultQuery: TOUR,
  headers: JSON.stringify({ 'x-leasequeue-tenant': 'default' }, null, 2),
  // A header may hold an API key, and what the page keeps is readable on the browser's disk.
  shouldPersistHeaders: false,
};

/** The renderer of the page that asks below the base path, or null where its package, a development dependency, is not installed. */
export async function loadGraphiql(log: Logger, basePath: string): Promise<GraphiqlPage | null> {
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return (options) => renderGraphiQL({ ...options, endpoint: `${basePath}/graphql` });
  } catch {
    log.info('GraphiQL is not installed and stays off');
    return null;
  }
}
