/** Prints the event log: a part of it, or all that happens from now on. */
import type { EventBatch, FollowedEvent, JobEventFilter, JobEventKind, JobState } from '../../client/index.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import type { Output } from '../print.ts';
import { timesFor } from '../times.ts';
import { eventsText } from './view.ts';

export interface EventsOptions extends AskingOptions {
  readonly after?: string;
  readonly last?: number;
  readonly follow?: true;
  readonly queue?: readonly string[];
  readonly task?: readonly string[];
  readonly job?: readonly string[];
  readonly kind?: readonly JobEventKind[];
  readonly state?: readonly JobState[];
}

const BATCH_EVENTS = 1_000;

export function events(options: EventsOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    let cursor: string | null = null;
    try {
      for await (const batch of batchesOf(conversation, options)) {
        const time = timesFor(output.isTerminal(), conversation.clock.nowMs());
        if (batch.events.length > 0) await output.data(eventsText(batch.events, options, time));
        cursor = batch.cursor;
        if (!output.isRead() || (batch.caughtUp && !options.follow)) return;
      }
      conversation.signal.throwIfAborted();
    } finally {
      // What was printed last, so that nothing is missed where the printing was cut off.
      if (cursor !== null && output.isRead()) output.talk(`Go on with: --after ${cursor}`);
    }
  });
}

function batchesOf(conversation: Conversation, options: EventsOptions): AsyncGenerator<EventBatch> {
  if (options.last !== undefined && options.last > 0) return lastOf(conversation, options, options.last);
  const isFromNow = options.after === undefined && (options.follow === true || options.last === 0);
  return isFromNow ? follow(conversation, options, options.after) : fromOldest(conversation, options);
}

function follow({ lq, signal }: Conversation, options: EventsOptions, after: string | undefined): AsyncGenerator<EventBatch> {
  return lq.eventBatches({ ...(after !== undefined && { after }), filter: filterOf(options), maxBatch: BATCH_EVENTS, signal });
}

/** From the cursor, else from the oldest event that is kept: which the first page of the log knows. */
async function* fromOldest(conversation: Conversation, options: EventsOptions): AsyncGenerator<EventBatch> {
  if (options.after !== undefined) return yield* follow(conversation, options, options.after);
  const { nodes, cursor, hasMore } = await conversation.lq.eventPage({ first: 1, filter: filterOf(options) });
  yield { events: nodes, cursor, caughtUp: !hasMore };
  yield* follow(conversation, options, cursor);
}

/** The log can be read forwards only, so that all before them pass by. */
async function* lastOf(conversation: Conversation, options: EventsOptions, count: number): AsyncGenerator<EventBatch> {
  let kept: readonly FollowedEvent[] = [];
  let isPast = false;
  for await (const batch of fromOldest(conversation, options)) {
    if (isPast) yield batch;
    else kept = [...kept, ...batch.events].slice(-count);
    if (isPast || !batch.caughtUp) continue;
    isPast = true;
    yield { ...batch, events: kept };
  }
}

function filterOf({ queue, task, job, kind, state }: EventsOptions): JobEventFilter {
  return {
    ...(queue !== undefined && { queues: [...queue] }),
    ...(task !== undefined && { tasks: [...task] }),
    ...(job !== undefined && { jobIds: [...job] }),
    ...(kind !== undefined && { kinds: [...kind] }),
    ...(state !== undefined && { states: [...state] }),
  };
}
