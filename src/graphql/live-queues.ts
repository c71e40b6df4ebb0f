/** Queues that are looked at again and again, with their figures: those in trouble, and one by name. */
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { PAGE_DEFAULTS } from './pages.ts';
import { parseTroubledFirst } from './queue-lists.ts';
import { QueueRef, type ShownQueue } from './refs.ts';
import { EVERY_SECONDS, parseEveryMs } from './subscriptions.ts';
import { count, listOf, needs, WEIGHTS, weighs } from './terms.ts';

/** Empty where there is no such queue. */
type Seen = readonly ShownQueue[];

async function withFigures({ store, principal: { tenant } }: GraphQLContext, queues: Seen): Promise<Seen> {
  const figures = await store.statsOfQueues(
    tenant,
    queues.map(({ name }) => name),
  );
  return queues.map((queue, index) => ({ ...queue, ...(figures[index] && { figures: figures[index] }) }));
}

async function troubled(context: GraphQLContext, first: number): Promise<Seen> {
  return withFigures(context, await context.store.troubledQueues(context.principal.tenant, first));
}

async function named(context: GraphQLContext, name: string): Promise<Seen> {
  const queue = await context.store.queue(context.principal.tenant, name);
  return queue === null ? [] : withFigures(context, [queue]);
}

builder.subscriptionFields((t) => ({
  queues: t.field({
    type: [QueueRef],
    extensions: { ...needs('READ'), ...listOf(count(LIMITS.troubledQueuesMax, 'first')) },
    description:
      'The queues that need somebody to look at them, in the order TROUBLE, with their figures: at once, then every `everySeconds`, only when anything of it changed.',
    args: {
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.queues, description: `Queues at most, 1 to ${LIMITS.troubledQueuesMax}; more is refused.` }),
      everySeconds: t.arg.int(EVERY_SECONDS),
    },
    subscribe: (_root, { first, everySeconds }, context) => {
      const limit = parseTroubledFirst(first);
      return context.watch({ look: () => troubled(context, limit), mark: JSON.stringify, everyMs: parseEveryMs({ everySeconds }) });
    },
    resolve: (queues) => queues,
  }),
  queue: t.field({
    type: QueueRef,
    nullable: true,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.queueFigures) },
    description: 'One queue with its figures: at once, then every `everySeconds`, only when anything of it changed; null while there is none of this name.',
    args: { name: t.arg.string({ required: true, description: 'Its name.' }), everySeconds: t.arg.int(EVERY_SECONDS) },
    subscribe: (_root, { name, everySeconds }, context) =>
      context.watch({ look: () => named(context, name), mark: JSON.stringify, everyMs: parseEveryMs({ everySeconds }) }),
    resolve: ([queue]) => queue ?? null,
  }),
}));
