/**
 * Follows the event log over server-sent events. Where the connection is lost the next one begins after the last cursor,
 * so that nothing is missed or seen twice. A reader that is slow is waited for by the server, and costs no memory here.
 */
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import { type ParseJson, readAnswer, streamLost } from './answers.ts';
import { retryPauseMs } from './backoff.ts';
import type { RetryNotice } from './caller.ts';
import { LeaseQueueError } from './errors.ts';
import { eventsOfStream } from './event-stream.ts';
import {
  FollowJobEventsDocument,
  type FollowJobEventsSubscription,
  type FollowJobEventsSubscriptionVariables,
  type JobEventFilter,
} from './generated/graphql.ts';
import type { Transport, WireStream } from './transport.ts';

type Feed = FollowJobEventsSubscription['jobEvents'];
type Batch = Extract<Feed, { readonly __typename: 'JobEventBatch' }>;
export type EventGap = Extract<Feed, { readonly __typename: 'JobEventGap' }>;
export type FollowedEvent = Batch['events'][number];

export interface EventBatch {
  readonly events: readonly FollowedEvent[];
  /** Everything up to here was seen: pass it as `after` to go on, also in another process. */
  readonly cursor: string;
  /** False while history is still being replayed. */
  readonly caughtUp: boolean;
}

export interface EventOptions {
  /** Only events after this cursor. Absent: from now. */
  readonly after?: string;
  readonly filter?: JobEventFilter;
  /** Events in a batch at most, 1 to 1000; 200 where absent. */
  readonly maxBatch?: number;
  /** Milliseconds between batches at least, 20 to 10000; 50 where absent. */
  readonly everyMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Called where events were removed before they were seen; it then goes on after the gap. Absent: EVENT_GAP is thrown. */
  readonly onGap?: (gap: EventGap) => void;
}

export interface FollowParts {
  readonly endpoint: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly parseJson: ParseJson;
  readonly onRetry: (notice: RetryNotice) => void;
  readonly latestCursor: (signal: AbortSignal) => Promise<string>;
}

/** With the signal that ends it. */
type Following = EventOptions & { readonly signal: AbortSignal };

/** The server says something at least every 12 seconds. */
const SILENCE_MS_MAX = 40_000;

export async function* followEvents(parts: FollowParts, options: Following): AsyncGenerator<EventBatch, void, undefined> {
  const { signal } = options;
  try {
    let cursor = options.after ?? (await parts.latestCursor(signal));
    for (let failures = 0; ; ) {
      const stumble = yield* oneConnection(parts, options, cursor);
      if (stumble.wasHeard) failures = 0;
      cursor = stumble.cursor;
      const pauseMs = retryPauseMs(failures++, parts.chance, stumble.error.retryAfterMs);
      parts.onRetry({ error: stumble.error, repeats: failures, pauseMs });
      await parts.clock.sleep(pauseMs, signal);
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** How far a connection came, and what ended it. */
interface Stumble {
  readonly cursor: string;
  /** Whether it was of any use. */
  readonly wasHeard: boolean;
  readonly error: LeaseQueueError;
}

async function* oneConnection(parts: FollowParts, options: Following, after: string): AsyncGenerator<EventBatch, Stumble, undefined> {
  const feeds = feedsOf(parts, options, after);
  let [cursor, wasHeard] = [after, false];
  try {
    for (;;) {
      const { feed, error } = await nextFeed(feeds, parts, options);
      if (feed === null) return { cursor, wasHeard, error };
      wasHeard = true;
      if (feed.__typename === 'JobEventGap') passGap(feed, options);
      else yield { events: feed.events, cursor: feed.cursor, caughtUp: feed.caughtUp };
      cursor = feed.__typename === 'JobEventGap' ? feed.resumeAt : feed.cursor;
    }
  } finally {
    await feeds.return();
  }
}

type Heard = { readonly feed: Feed; readonly error: null } | { readonly feed: null; readonly error: LeaseQueueError };

/** What the connection says next, or what ended it. Throws what another connection would not mend. */
async function nextFeed(feeds: AsyncGenerator<Feed, void, undefined>, { endpoint }: FollowParts, { signal }: Following): Promise<Heard> {
  try {
    const { value: feed } = await feeds.next();
    return feed === undefined ? { feed: null, error: streamLost(new Error('it ended'), endpoint) } : { feed, error: null };
  } catch (fault) {
    signal.throwIfAborted();
    const error = fault instanceof LeaseQueueError ? fault : streamLost(fault, endpoint);
    if (!error.isRetryable) throw error;
    return { feed: null, error };
  }
}

function passGap(gap: EventGap, { onGap }: EventOptions): void {
  if (onGap !== undefined) return onGap(gap);
  throw new LeaseQueueError({
    code: 'EVENT_GAP',
    message: `Events after the cursor are not there any more (${gap.reason}). Load the state anew and go on after ${gap.resumeAt}, or pass \`onGap\`.`,
    details: gap,
  });
}

async function* feedsOf(
  { transport, clock, parseJson }: FollowParts,
  { filter, maxBatch, everyMs, signal }: Following,
  after: string,
): AsyncGenerator<Feed, void, undefined> {
  const variables: FollowJobEventsSubscriptionVariables = {
    after,
    filter,
    ...(maxBatch !== undefined && { maxBatch }),
    ...(everyMs !== undefined && { everyMs }),
  };
  const silent = new AbortController();
  const watched = AbortSignal.any([signal, silent.signal]);
  const body = JSON.stringify({ query: FollowJobEventsDocument.toString(), variables });
  const stream = await withinSilence(clock, silent, () => transport.open({ body, accept: 'text/event-stream', signal: watched }));
  if (!stream.mediaType.startsWith('text/event-stream')) throw await refusalOf(stream, parseJson);
  const chunks = stream.chunks[Symbol.asyncIterator]();
  const heard = {
    [Symbol.asyncIterator]: () => ({
      next: () => withinSilence(clock, silent, () => chunks.next()),
      return: async () => (await chunks.return?.()) ?? { done: true as const, value: undefined },
    }),
  };
  for await (const { name, text } of eventsOfStream(heard)) {
    if (name === 'complete') return;
    const { data, errors } = readAnswer<FollowJobEventsSubscription>({ status: stream.status, retryAfterSeconds: null, text }, parseJson);
    const [first] = errors;
    if (first !== undefined) throw first.error;
    if (data !== null) yield data.jobEvents;
  }
}

/** Counts the time that it waits for the server only: a slow consumer is no silence. */
async function withinSilence<Result>(clock: Clock, silent: AbortController, wait: () => Promise<Result>): Promise<Result> {
  const stopWaiting = clock.after(SILENCE_MS_MAX, () => silent.abort(new Error(`nothing was heard for ${SILENCE_MS_MAX / 1_000} s`)));
  try {
    return await wait();
  } finally {
    stopWaiting();
  }
}

/** What was answered in place of a stream. */
async function refusalOf({ status, chunks }: WireStream, parseJson: ParseJson): Promise<LeaseQueueError> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  const { errors } = readAnswer({ status, retryAfterSeconds: null, text }, parseJson);
  return errors[0]?.error ?? new LeaseQueueError({ code: 'UNREADABLE_ANSWER', message: `The server answered with HTTP ${status} and no stream.` });
}
