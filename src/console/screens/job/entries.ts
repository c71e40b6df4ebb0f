/** Attempts and events of a job in one list, oldest first: an attempt stands for the event of its claim. */
import type { AttemptFieldsFragment, EventFieldsFragment } from '../../../client/index.ts';

export type Entry =
  | { readonly kind: 'attempt'; readonly key: string; readonly at: string; readonly attempt: AttemptFieldsFragment }
  | { readonly kind: 'event'; readonly key: string; readonly at: string; readonly event: EventFieldsFragment };

function entryOf(event: EventFieldsFragment, attempt: AttemptFieldsFragment | undefined): Entry {
  if (event.kind !== 'CLAIMED' || attempt === undefined) return { kind: 'event', key: event.cursor, at: event.at, event };
  return { kind: 'attempt', key: `attempt ${attempt.fence}`, at: event.at, attempt };
}

export function entriesOf(events: readonly EventFieldsFragment[], attempts: readonly AttemptFieldsFragment[]): readonly Entry[] {
  const byFence = new Map(attempts.map((attempt) => [attempt.fence, attempt]));
  const placed = events.map((event) => entryOf(event, byFence.get(event.fence)));
  const claimed = new Set(events.filter(({ kind }) => kind === 'CLAIMED').map(({ fence }) => fence));
  const loose = attempts
    .filter(({ fence }) => !claimed.has(fence))
    .map((attempt): Entry => ({ kind: 'attempt', key: `attempt ${attempt.fence}`, at: attempt.startedAt, attempt }));
  // What is in the order of commits stays in it; only attempts whose events are not loaded are sorted in by their time.
  return loose.length === 0 ? placed : [...placed, ...loose].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** How long an attempt took, or has taken until now. */
export function lastedMs({ startedAt, finishedAt }: AttemptFieldsFragment, nowMs: number): number {
  return Math.max(0, (finishedAt === null ? nowMs : Date.parse(finishedAt)) - Date.parse(startedAt));
}
