/** What observers follow: the event log and the figures. A bad argument is refused before anything is followed. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { FeedRequest } from '../feed/tail.ts';
import type { Stats } from '../store/answers.ts';
import { builder } from './builder.ts';
import type { GraphQLContext, Looking } from './context.ts';
import { readEventCursor } from './cursors.ts';
import { JobEventFeedRef } from './events.ts';
import * as check from './inputs.ts';
import { JobEventFilterInput, parseEventFilter, StatsRef } from './observer.ts';
import { needs, WEIGHTS, weighs } from './terms.ts';

interface FeedArguments {
  readonly after?: string | null | undefined;
  readonly filter?: unknown;
  readonly maxBatch: number;
  readonly everyMs: number;
  readonly newestOnly: boolean;
}

const pace = z.object({
  maxBatch: check.whole(1, LIMITS.feedBatchEventsMax),
  everyMs: check.whole(LIMITS.feedPauseMsMin, LIMITS.feedPauseMsMax),
});
/** An argument of fields that look again and again. */
export const EVERY_SECONDS = {
  required: true,
  defaultValue: LIMITS.statsEverySecondsDefault,
  description: `Seconds between looks, 1 to ${LIMITS.statsEverySecondsMax}.`,
} as const;
const statsPace = z.object({ everySeconds: check.whole(1, LIMITS.statsEverySecondsMax) });

/** What to follow. Throws BAD_USER_INPUT or INVALID_CURSOR. */
function parseFeed({ after, filter, newestOnly, ...given }: FeedArguments, { principal }: GraphQLContext): FeedRequest {
  const { maxBatch, everyMs } = check.parseInput(pace, given, []);
  return { after: readEventCursor(after, principal.tenant, 'after'), filter: parseEventFilter(filter), maxBatch, everyMs, isNewestOnly: newestOnly };
}

/** Alike for figures that say the same, whenever they were taken. */
const markOf = ({ asOfMs: _asOf, ...figures }: Stats): string => JSON.stringify(figures);

/**
 * The figures whenever a look finds them changed: the first at once, then one look after each pause, until a pause
 * answers false or the reader returns.
 */
export function followChanges<Figures>({ look, mark }: Looking<Figures>, pause: () => Promise<boolean>): AsyncIterableIterator<Figures> {
  let last: string | null = null;
  let isEnded = false;

  async function next(): Promise<IteratorResult<Figures>> {
    while (!isEnded) {
      if (last !== null && !(await pause())) break;
      const figures = await look();
      const found = mark(figures);
      if (found === last || isEnded) continue;
      last = found;
      return { done: false, value: figures };
    }
    isEnded = true;
    return { done: true, value: undefined };
  }

  return {
    next,
    // Does not wait for a look or a pause that is on its way: that one ends by itself, with nobody to tell.
    return() {
      isEnded = true;
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Throws BAD_USER_INPUT. */
export const parseEveryMs = (args: unknown): number => check.parseInput(statsPace, args, []).everySeconds * 1_000;

builder.subscriptionFields((t) => ({
  jobEvents: t.field({
    type: JobEventFeedRef,
    extensions: needs('READ'),
    description:
      'Events after `after` (absent: from now), replayed in order, then live, without gap or repeat. At most `maxBatch` events a message; ' +
      'after a quiet moment the first goes out at once, then at most one message per `everyMs`. While history is left, or the reader is behind, the next one follows at once.',
    args: {
      after: t.arg({ type: 'EventCursor', description: 'Only events after this place. Absent: from now.' }),
      filter: t.arg({ type: JobEventFilterInput, description: 'Which events. Absent: all.' }),
      maxBatch: t.arg.int({
        required: true,
        defaultValue: LIMITS.feedBatchEventsDefault,
        description: `Events in one message at most, 1 to ${LIMITS.feedBatchEventsMax}.`,
      }),
      everyMs: t.arg.int({
        required: true,
        defaultValue: LIMITS.feedPauseMsDefault,
        description: `Milliseconds between messages at least, ${LIMITS.feedPauseMsMin} to ${LIMITS.feedPauseMsMax}.`,
      }),
      newestOnly: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'Never behind: of more than `maxBatch` events that wait, send only the newest and tell of the others in `passedOver`. `maxBatch` and `everyMs` then bound what a busy log sends. For screens.',
      }),
    },
    subscribe: (_root, args, context) => context.follow(parseFeed(args, context)),
    resolve: (message) => (message.kind === 'gap' ? message.gap : message),
  }),
  stats: t.field({
    type: StatsRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.tenantFigures) },
    description: 'A fresh figure every `everySeconds`, only when it changed; the first at once.',
    args: { everySeconds: t.arg.int(EVERY_SECONDS) },
    subscribe: (_root, args, context) => {
      const everyMs = parseEveryMs(args);
      return context.watch({ look: () => context.store.stats(context.principal.tenant), mark: markOf, everyMs });
    },
    resolve: (stats) => stats,
  }),
}));
