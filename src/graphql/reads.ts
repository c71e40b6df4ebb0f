/**
 * Reads that many fields of one answer ask for at the same time, made once. A read is shared only while it is on its
 * way, so that a long subscription never sees an old row.
 */
import type { Job } from '../domain/job.ts';
import type { Queue, QueueStats } from '../store/answers.ts';
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

interface Batch {
  readonly names: Set<string>;
  readonly found: Promise<ReadonlyMap<string, QueueStats>>;
}
const batches = new WeakMap<GraphQLContext, Batch>();

/** The figures of a queue: read together with those of the other queues of a list. */
export async function readQueueStats(context: GraphQLContext, name: string): Promise<QueueStats> {
  const { names, found } = batches.get(context) ?? openBatch(context);
  names.add(name);
  const stats = (await found).get(name);
  if (stats === undefined) throw new Error(`the figures of queue ${name} were not read`);
  return stats;
}

/** Takes names until the fields that are asked for in the same turn have said theirs. */
function openBatch(context: GraphQLContext): Batch {
  const names = new Set<string>();
  const read = async (): Promise<ReadonlyMap<string, QueueStats>> => {
    await Promise.resolve();
    batches.delete(context);
    const asked = [...names];
    const stats = await context.store.statsOfQueues(context.principal.tenant, asked);
    return new Map(stats.map((one, index) => [asked[index] ?? '', one]));
  };
  const batch: Batch = { names, found: read() };
  batches.set(context, batch);
  return batch;
}
