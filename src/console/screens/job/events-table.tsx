/** The timeline as a plain table: for copying, and for whoever has it read aloud. */
import type { EventFieldsFragment } from '../../../client/index.ts';
import { canonicalJson } from '../../../domain/json.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { At } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { type Column, Table } from '../../parts/table.tsx';

const COLUMNS: readonly Column<EventFieldsFragment>[] = [
  { name: 'At', cell: ({ at }) => <At at={at} /> },
  { name: 'Event', cell: ({ kind }) => kind },
  { name: 'State', cell: ({ fromState, toState }) => (fromState === null || fromState === toState ? toState : `${fromState} → ${toState}`) },
  { name: 'Attempt', cell: ({ attempt }) => attempt, isNumber: true },
  { name: 'Fence', cell: ({ fence }) => fence, isNumber: true },
  { name: 'Worker', cell: ({ workerId }) => (workerId === null ? '–' : <Name text={workerId} isCode />) },
  { name: 'Key', cell: ({ actor }) => (actor === null ? '–' : <Name text={actor} />) },
  { name: 'Detail', cell: ({ detail }) => (detail === null ? '' : <bdi class="code">{canonicalJson(detail)}</bdi>) },
];

/** A line for each, as a spreadsheet takes it. */
function tabbed(events: readonly EventFieldsFragment[]): string {
  const line = (cells: readonly (string | number | null)[]): string => cells.map((cell) => String(cell ?? '').replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
  const rows = events.map(({ at, kind, fromState, toState, attempt, fence, workerId, actor, detail }) =>
    line([at, kind, fromState, toState, attempt, fence, workerId, actor, detail === null ? null : canonicalJson(detail)]),
  );
  return [line(['at', 'event', 'from', 'to', 'attempt', 'fence', 'worker', 'key', 'detail']), ...rows].join('\n');
}

export function EventsTable({ events, isWhole }: { readonly events: readonly EventFieldsFragment[]; readonly isWhole: boolean }) {
  return (
    <>
      <div class="row middle">
        <CopyButton text={tabbed(events)} what="all" words="Copy all" />
        {isWhole ? null : <span class="muted small">Not all events are loaded: the timeline has a button for more.</span>}
      </div>
      <Table caption="Events of the job, oldest first" rows={events} keyOf={({ cursor }) => cursor} columns={COLUMNS} />
    </>
  );
}
