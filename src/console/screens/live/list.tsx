/** The list of events: newest on top, and still while somebody points at it or reads further down. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FollowedEvent } from '../../../client/index.ts';
import { useRowKeys } from '../../parts/table.tsx';
import type { EventStream } from './event-stream.ts';
import { EventRow, NoteRow } from './rows.tsx';

const COLUMNS = [
  ['Time', 'live-time-cell'],
  ['Event', 'live-kind-cell'],
  ['Job', 'live-job-cell'],
  ['Task', ''],
  ['Queue', 'minor'],
  ['From → to', 'minor live-states-cell'],
  ['Attempt', 'minor number live-attempt-cell'],
  ['Worker or key', 'minor'],
  ['Detail', 'minor live-detail-cell'],
] as const;

/** With what stands above it: whoever goes there to show what is new is still looking at the list. */
export function Stage({ stream, children }: { readonly stream: EventStream; readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    stream.isHeld = () => isLookedAt(place.current, stream.listing.peek().held.length > 0);
    return () => {
      stream.isHeld = () => false;
    };
  }, [stream]);
  const settle = (): void => stream.settle();
  return (
    <div ref={place} class="live-stage" onMouseLeave={settle} onFocusOut={settle}>
      {children}
    </div>
  );
}

/**
 * Rows must not move below a pointer, away from the keyboard's place, or while their top is out of sight; nor below a pointer on its
 * way to what shows the new ones.
 */
function isLookedAt(place: HTMLElement | null, isHolding: boolean): boolean {
  if (place === null) return false;
  return place.querySelector('tbody:hover, tbody :focus') !== null || (isHolding && place.matches(':hover')) || place.getBoundingClientRect().top < 0;
}

export function List({ stream, onOpen }: { readonly stream: EventStream; readonly onOpen: (event: FollowedEvent) => void }) {
  const place = useRef<HTMLTableSectionElement>(null);
  const { items } = stream.listing.value;
  useRowKeys(place, [], undefined);
  return (
    <div class="table-room live-list" role="region" aria-label="Events" tabIndex={0}>
      <table class="table">
        <caption class="hidden-words">Events, newest first</caption>
        <thead>
          <tr>
            {COLUMNS.map(([name, cell]) => (
              <th key={name} scope="col" class={cell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={place}>
          {items.map((item) =>
            item.is === 'event' ? (
              <EventRow key={item.key} event={item.event} onOpen={onOpen} />
            ) : (
              <NoteRow key={item.key} note={item} columns={COLUMNS.length} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
