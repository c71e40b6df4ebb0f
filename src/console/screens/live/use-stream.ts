/** Begins the stream where the address says, and follows the log for it. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { FollowJobEventsSubscriptionVariables } from '../../../client/index.ts';
import { FollowJobEventsDocument } from '../../../client/generated/graphql.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { lq } from '../../api/session.ts';
import { isVisible, nowMs } from '../../api/time.ts';
import { type Loaded, useLoaded } from '../../api/use-loaded.ts';
import { useLive } from '../../api/use-live.ts';
import { EventStream } from './event-stream.ts';
import { asked, type Filter } from './filter.ts';

/** In the address: begin with the oldest event that is kept. Absent: with what happens from now on. Else: after this cursor. */
export const OLDEST = 'oldest';

/** As often as the list is drawn, and as many events as somebody may see go by: of what is more only the number comes. */
const EVERY_MS = 500;
const BATCH_EVENTS_MAX = 200;

interface Followed {
  readonly stream: EventStream;
  /** Finding the place to begin. */
  readonly start: Loaded<true>;
  /** Why the server does not let it be followed. */
  readonly refusal: string | null;
}

export function useStream(filter: Filter, from: string | null): Followed {
  const stream = useMemo(() => new EventStream(systemClock, () => nowMs.peek()), []);
  useEffect(() => () => stream.close(), [stream]);
  const text = JSON.stringify(asked(filter));
  const start = useLoaded(`live ${from ?? ''}`, (signal) => begin(stream, filter, from, signal));
  useFilter(stream, filter, text);
  const isFollowed = stream.round.value > 0;
  const variables = useMemo<FollowJobEventsSubscriptionVariables | null>(
    () => (isFollowed ? { after: stream.heard, filter: asked(filter), maxBatch: BATCH_EVENTS_MAX, everyMs: EVERY_MS, newestOnly: stream.isNewestOnly } : null),
    [isFollowed, stream.round.value, text, isVisible.value],
  );
  const refusal = useLive(FollowJobEventsDocument, variables, ({ jobEvents }, given, round) => stream.hear(jobEvents, given, round), stream.round.value);
  const now = nowMs.value;
  useEffect(() => stream.settle(), [stream, now]);
  return { stream, start, refusal };
}

function useFilter(stream: EventStream, filter: Filter, text: string): void {
  const before = useRef(text);
  useEffect(() => {
    if (before.current === text) return;
    before.current = text;
    stream.refilter(filter, new Date(nowMs.peek()).toISOString());
  }, [stream, text]);
}

/** The place is known before anything is followed, so that a connection that breaks at once loses nothing. */
async function begin(stream: EventStream, filter: Filter, from: string | null, signal: AbortSignal): Promise<true> {
  if (from !== OLDEST) {
    const cursor = from ?? (await lq.peek().latestEventCursor({ signal }));
    stream.start(cursor, from !== null);
    return true;
  }
  const { nodes, cursor, gap, hasMore } = await lq.peek().eventPage({ first: 100, filter: asked(filter) }, { signal });
  stream.start(gap?.resumeAt ?? cursor, true);
  stream.hear({ __typename: 'JobEventBatch', events: nodes, cursor, caughtUp: !hasMore, passedOver: 0 });
  return true;
}
