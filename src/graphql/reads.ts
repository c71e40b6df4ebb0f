/**
 * Reads that many fields of one answer ask for at the same time, made once. A read is shared only while it is on its
 * way, so that a long subscription never sees an old row.
 */
import type { Job } from '../domain/job.ts';
import type { Queue } from '../store/answers.ts';
import type { GraphQLContext } from './context.ts';

function shared<Row>(read: (context: GraphQLContext, key: string) => Promise<Row>): (context: GraphQLContext, key: string) => Promise<Row> {
  const open = new WeakMap<GraphQLContext, Map<string, Promise<Row>>>();
  return (context, key) => {
    const reads = open.get(context) ?? new Map<string, Promise<Row>>();
    open.set(context, reads);
    const known = reads.get(key);
    if (known !== undefined) return known;
    const row = read(context, key).finally(() => reads.delete(key));
    reads.set(key, row);
    return row;
  };
}

/** The job of the caller's tenant, or null. */
export const readJob: (context: GraphQLContext, id: string) => Promise<Job | null> = shared(({ store, principal }, id) => store.jobById(principal.tenant, id));

/** The queue that a job is in: it came into being with its first job at the latest. */
export const readQueueOfJob: (context: GraphQLContext, name: string) => Promise<Queue> = shared(async ({ store, principal }, name) => {
  const queue = await store.queue(principal.tenant, name);
  if (queue === null) throw new Error(`queue ${name} has jobs but no row`);
  return queue;
});
