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
export interface FeedBatch {
  readonly kind: 'batch';
  readonly events: readonly JobEvent[];
  readonly position: FeedPosition;
  readonly caughtUp: boolean;
  /** Wanted events before these that are left out; null: some are, and nobody knows how many. */
  readonly passedOver: number | null;
}
export type FeedMessage = FeedBatch | { readonly kind: 'gap'; readonly gap: FeedGap };

export interface FeedRequest {
  /** Null: from now on. */
  readonly after: FeedPosition | null;
  readonly filter: EventFilter;
  readonly maxBatch: number;
  /** After a quiet moment the first message goes out at once, then at most one per this many milliseconds. */
  readonly everyMs: number;
  /** Never behind: of more than `maxBatch` that wait only the newest are told. What it costs is bounded. */
  readonly isNewestOnly?: boolean;
}

/** One read of the log. Everything up to `position` was looked at, wanted or not. */
export interface FeedPage {
  readonly events: readonly JobEvent[];
  readonly gap: FeedGap | null;
  readonly position: FeedPosition;
  readonly hasMore: boolean;
  /** As in a batch. Absent: none are. */
  readonly passedOver?: number | null;
}

/** What a feed reads from and waits on, bound to one tenant. */
export interface FeedParts {
  /** `isNewestOnly`: the last ones there are, instead of the next. */
  readAfter(position: FeedPosition, filter: EventFilter, limit: number, isNewestOnly: boolean): Promise<FeedPage>;
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

/**
 * How the feeds of one topic find to each other. A feed that has caught up and kept its pause meets the one that leads
 * the others, which may go on in its place.
 */
export interface Rendezvous {
  /** Everything up to `position` was told. Until it `moves` the feed stands there. */
  rests(position: FeedPosition): void;
  moves(): void;
  /** To go on as before, to end, or to read up to a place at once and then to meet again. */
  meets(): 'stay' | 'end' | FeedPosition;
}

/** How a feed begins that is not a subscriber's first. */
export interface FeedOptions {
  readonly rendezvous?: Rendezvous;
  /** Its reader was live already, and was told so. */
  readonly isResumed?: boolean;
}

/** Of a busy log that holds nothing wanted: every commit rings, and a look at each would cost those who work a tenth of their time. */
const LOOK_AGAIN_MS_MAX = 250;
/** Backs up the wake-up, which another server's commit may fail to ring. */
const POLL_MS = 5_000;

/**
 * Replays everything after the request's position, then goes on live, without gap or repeat. While history is left it
 * does not pause. `caughtUp` is told once where nothing is left, with an empty batch if need be; events that the filter
 * does not want move the position and send nothing. `return()` ends a waiting `next()` at once.
 */
export function follow(parts: FeedParts, request: FeedRequest, options: FeedOptions = {}): AsyncIterableIterator<FeedMessage> {
  return interruptible(parts.signal, (signal) => messages(parts, request, options, signal));
}

async function* messages(parts: FeedParts, request: FeedRequest, options: FeedOptions, signal: AbortSignal): AsyncGenerator<FeedMessage, void, undefined> {
  const listener = parts.listen();
  listener.backUp((ring, end) => watchLog(parts, ring, end));
  parts.observer?.opened();
  try {
    yield* replayThenFollow(parts, request, options, listener, signal);
  } finally {
    listener.close();
    parts.observer?.closed();
  }
}

async function* replayThenFollow(
  parts: FeedParts,
  { after, filter, maxBatch, everyMs, isNewestOnly = false }: FeedRequest,
  { rendezvous = ALONE, isResumed = false }: FeedOptions,
  listener: WakeUpListener,
  signal: AbortSignal,
): AsyncGenerator<FeedMessage, void, undefined> {
  const pace = createPace(parts, everyMs, signal);
  let position = after ?? (await parts.latestPosition());
  let isLive = isResumed;
  let toldCaughtUp = isResumed;
  let bound: FeedPosition | null = null;
  while (!signal.aborted) {
    const generation = listener.generation();
    rendezvous.moves();
    const page = upTo(bound, position, await parts.readAfter(position, filter, maxBatch, isNewestOnly));
    if (signal.aborted) return;
    const hasMoved = page.position.seq > position.seq;
    position = page.position;
    if (page.gap !== null) {
      [toldCaughtUp, bound] = [false, null];
      yield { kind: 'gap', gap: page.gap };
      continue;
    }
    const caughtUp = !page.hasMore;
    const { events, passedOver = 0 } = page;
    if (events.length > 0 || passedOver !== 0 || (caughtUp && !toldCaughtUp)) {
      if (isLive) parts.observer?.delivered(events);
      pace.sent();
      toldCaughtUp = caughtUp;
      yield { kind: 'batch', events, position, caughtUp, passedOver };
    } else {
      if (hasMoved) pace.looked();
      await parts.nextTurn();
    }
    if (!caughtUp) continue;
    isLive = true;
    rendezvous.rests(position);
    if (bound === null) await pace.pause();
    if (signal.aborted) return;
    const verdict = rendezvous.meets();
    if (verdict === 'end') return;
    bound = verdict === 'stay' ? null : verdict;
    if (bound === null) await listener.wait(generation, signal);
  }
}

const ALONE: Rendezvous = { rests: () => {}, moves: () => {}, meets: () => 'stay' };

/** The part of a page up to a place where another feed rests: that one goes on from there. */
function upTo(bound: FeedPosition | null, from: FeedPosition, page: FeedPage): FeedPage {
  if (bound === null || page.gap !== null || (page.hasMore && page.position.seq < bound.seq)) return page;
  const events = page.events.filter(({ seq }) => seq <= bound.seq);
  const { passedOver = 0 } = page;
  // A number tells that every event is wanted.
  return {
    events,
    gap: null,
    position: bound,
    hasMore: false,
    passedOver: passedOver === null || passedOver === 0 ? passedOver : bound.seq - from.seq - events.length,
  };
}

/** Keeps messages `everyMs` apart, and looks that found nothing wanted as far, though not so far that a reader would notice. */
function createPace(parts: FeedParts, everyMs: number, signal: AbortSignal): { sent(): void; looked(): void; pause(): Promise<void> } {
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  const restFor = (ms: number): void => {
    restsUntilMs = Math.max(restsUntilMs, parts.monotonicMs() + ms);
  };
  return {
    sent: () => restFor(everyMs),
    looked: () => restFor(Math.min(everyMs, LOOK_AGAIN_MS_MAX)),
    pause: () => parts.sleep(restsUntilMs - parts.monotonicMs(), signal),
  };
}

/** Rings whenever the log has grown between two looks. One watch serves all who listen. */
async function watchLog({ latestPosition, sleep }: FeedParts, ring: () => void, signal: AbortSignal): Promise<void> {
  const look = async (): Promise<number | null> => {
    try {
      return (await latestPosition()).seq;
    } catch {
      // Whoever reads the log finds out what is wrong with it.
      return null;
    }
  };
  for (let seen = await look(); !signal.aborted; ) {
    await sleep(POLL_MS, signal);
    const found = await look();
    if (!signal.aborted && (found === null || found !== seen)) ring();
    seen = found;
  }
}
