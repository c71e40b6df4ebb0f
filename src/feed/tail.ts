/**
 * A subscriber: a cursor and a wake-up. History, live events, reconnects and other servers' events share one path;
 * nothing is queued for a slow reader, who simply asks later.
 */
import type { EventFilter, JobEvent } from '../domain/events.ts';
import { interruptible } from './interruptible.ts';
import type { WakeUpListener } from './wakeup.ts';

/** A place in the log, as the store names it. */
export interface FeedPosition {
  readonly epoch: string;
  readonly seq: number;
}
export interface FeedGap {
  readonly reason: 'retention' | 'store_restored';
  readonly resumeAt: FeedPosition;
  readonly oldestAvailable: FeedPosition | null;
}
export type FeedMessage =
  | { readonly kind: 'batch'; readonly events: readonly JobEvent[]; readonly position: FeedPosition; readonly caughtUp: boolean }
  | { readonly kind: 'gap'; readonly gap: FeedGap };

export interface FeedRequest {
  /** Null: from now on. */
  readonly after: FeedPosition | null;
  readonly filter: EventFilter;
  readonly maxBatch: number;
  /** After a quiet moment the first message goes out at once, then at most one per this many milliseconds. */
  readonly everyMs: number;
}

/** One read of the log. Everything up to `position` was looked at, wanted or not. */
export interface FeedPage {
  readonly events: readonly JobEvent[];
  readonly gap: FeedGap | null;
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

/** What a feed reads from and waits on, bound to one tenant. */
export interface FeedParts {
  readAfter(position: FeedPosition, filter: EventFilter, limit: number): Promise<FeedPage>;
  latestPosition(): Promise<FeedPosition>;
  listen(): WakeUpListener;
  /** Milliseconds that no change of the wall clock moves. */
  monotonicMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets other work run. A database in the same process answers without doing so. */
  nextTurn(): Promise<void>;
  /** Aborts when the feed must end, whoever reads it. */
  readonly signal: AbortSignal;
  readonly observer?: FeedObserver;
}
export interface FeedObserver {
  opened(): void;
  /** Events that happened while the reader was following, as they are handed over. */
  delivered(events: readonly JobEvent[]): void;
  closed(): void;
}

/** Backs up the wake-up, which another server's commit may fail to ring. */
const POLL_MS = 5_000;

/**
 * Replays everything after the request's position, then goes on live, without gap or repeat. While history is left it
 * does not pause. `caughtUp` is told once where nothing is left, with an empty batch if need be; events that the filter
 * does not want move the position and send nothing. `return()` ends a waiting `next()` at once.
 */
export function follow(parts: FeedParts, request: FeedRequest): AsyncIterableIterator<FeedMessage> {
  return interruptible(parts.signal, (signal) => messages(parts, request, signal));
}

async function* messages(parts: FeedParts, request: FeedRequest, signal: AbortSignal): AsyncGenerator<FeedMessage, void, undefined> {
  const listener = parts.listen();
  parts.observer?.opened();
  try {
    yield* replayThenFollow(parts, request, listener, signal);
  } finally {
    listener.close();
    parts.observer?.closed();
  }
}

async function* replayThenFollow(
  parts: FeedParts,
  { after, filter, maxBatch, everyMs }: FeedRequest,
  listener: WakeUpListener,
  signal: AbortSignal,
): AsyncGenerator<FeedMessage, void, undefined> {
  const pace = createPace(parts, everyMs, signal);
  let position = after ?? (await parts.latestPosition());
  let isLive = false;
  let toldCaughtUp = false;
  while (!signal.aborted) {
    const generation = listener.generation();
    const page = await parts.readAfter(position, filter, maxBatch);
    if (signal.aborted) return;
    if (page.gap !== null) {
      position = page.gap.resumeAt;
      toldCaughtUp = false;
      yield { kind: 'gap', gap: page.gap };
      continue;
    }
    position = page.position;
    const caughtUp = !page.hasMore;
    if (page.events.length > 0 || (caughtUp && !toldCaughtUp)) {
      if (isLive) parts.observer?.delivered(page.events);
      pace.sent();
      toldCaughtUp = caughtUp;
      yield { kind: 'batch', events: page.events, position, caughtUp };
    } else {
      await parts.nextTurn();
    }
    if (!caughtUp) continue;
    isLive = true;
    await waitOrPoll(parts, listener, generation, signal);
    await pace.pause();
  }
}

/** Keeps messages `everyMs` apart. */
function createPace(parts: FeedParts, everyMs: number, signal: AbortSignal): { sent(): void; pause(): Promise<void> } {
  let sentAtMs = Number.NEGATIVE_INFINITY;
  return {
    sent: () => {
      sentAtMs = parts.monotonicMs();
    },
    pause: () => parts.sleep(sentAtMs + everyMs - parts.monotonicMs(), signal),
  };
}

async function waitOrPoll(parts: FeedParts, listener: WakeUpListener, generation: number, signal: AbortSignal): Promise<void> {
  const either = new AbortController();
  const end = (): void => either.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await Promise.race([listener.wait(generation, either.signal), parts.sleep(POLL_MS, either.signal)]);
  signal.removeEventListener('abort', end);
  end();
}
