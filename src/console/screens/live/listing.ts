/** What the list holds: bounded, newest first, with a count of everything that is not in it. Pure. */
import type { FollowedEvent, FollowJobEventsSubscription, GapReason } from '../../../client/index.ts';
import { type Filter, isWanted } from './filter.ts';

/** Rows that are kept; what falls out is counted. */
export const ROWS_MAX = 500;
export type Batch = Extract<FollowJobEventsSubscription['jobEvents'], { readonly __typename: 'JobEventBatch' }>;

/** A row that is no event: what is not in the list, and why. */
export type Note =
  | { readonly is: 'gap'; readonly key: string; readonly reason: GapReason }
  | {
      readonly is: 'passed';
      readonly key: string;
      readonly count: number | null;
      readonly since: string | null;
      readonly until: string | null;
      readonly from: string;
    }
  | { readonly is: 'filter'; readonly key: string; readonly at: string }
  | { readonly is: 'jump'; readonly key: string; readonly at: string; readonly from: string };
export type Item = { readonly is: 'event'; readonly key: string; readonly event: FollowedEvent } | Note;

export interface Listing {
  /** Newest first. */
  readonly items: readonly Item[];
  /** Events that were listed and fell out at the end. */
  readonly fallen: number;
  /** What came while the list must not move, newest first. */
  readonly held: readonly Item[];
  /** Events among these, and those that there was no room to hold. */
  readonly heldEvents: number;
}

export const NOTHING: Listing = { items: [], fallen: 0, held: [], heldEvents: 0 };

/** Passed over or not. */
const eventsIn = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + (item.is === 'event' ? 1 : item.is === 'passed' ? (item.count ?? 0) : 0), 0);

export function itemOf(came: FollowedEvent | Note): Item {
  return 'is' in came ? came : { is: 'event', key: came.cursor, event: came };
}

/** That events were left out since `from`, the last of which happened at `since`; null where none were. */
export function passedNote({ events: [first], cursor, passedOver }: Batch, since: string | null, from: string): Note | null {
  if (passedOver === 0) return null;
  return { is: 'passed', key: `passed ${cursor}`, count: passedOver, since, until: first?.at ?? since, from };
}

/** With what came, oldest first, on top or held back. */
export function withArrived(listing: Listing, came: readonly Item[], isHeld: boolean): Listing {
  const newest = came.toReversed();
  if (!isHeld) return onTop(listing, newest);
  return { ...listing, held: [...newest, ...listing.held].slice(0, ROWS_MAX), heldEvents: listing.heldEvents + eventsIn(newest) };
}

/** With what was held back, on top. */
export function released(listing: Listing): Listing {
  const { held, heldEvents } = listing;
  if (held.length === 0) return listing;
  const lost = heldEvents - eventsIn(held);
  return onTop({ ...listing, fallen: listing.fallen + lost, held: [], heldEvents: 0 }, held);
}

function onTop(listing: Listing, newest: readonly Item[]): Listing {
  const all = [...newest, ...listing.items];
  return { ...listing, items: all.slice(0, ROWS_MAX), fallen: listing.fallen + eventsIn(all.slice(ROWS_MAX)) };
}

/** The rows that match another filter, below a note that from there on only what matched the one before was listed. */
export function refiltered(listing: Listing, filter: Filter, note: Note): Listing {
  const kept = released(listing).items.filter((item) => item.is !== 'event' || isWanted(item.event, filter));
  return { ...NOTHING, items: kept.length === 0 ? [] : [note, ...kept] };
}
