/** Queues with their figures, one row each. */
import { QueueLink } from '../../parts/links.tsx';
import type { QueueFieldsFragment } from '../../../client/index.ts';
import { nowMs } from '../../api/time.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { count, rate, span } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { attentionOf, OLDEST_SECONDS_FINE, toneOf } from './attention.ts';

/** A number that leads to the jobs behind it; quiet where there are none. */
function JobCount({ queue, state, value }: { readonly queue: string; readonly state: string; readonly value: number }) {
  if (value === 0) return <span class="muted">0</span>;
  return (
    <Link to="jobs" search={{ q: `queue:${queue} state:${state}` }} label={`${count(value)} ${state} in ${queue}`}>
      {count(value)}
    </Link>
  );
}

const seconds = (value: number | null) => (value === null ? <span class="muted">–</span> : span(value));

const COLUMNS: readonly Column<QueueFieldsFragment>[] = [
  { name: 'Queue', cell: ({ name, paused }) => <QueueName name={name} isPaused={paused} /> },
  { name: 'Ready', isNumber: true, cell: ({ name, stats }) => <JobCount queue={name} state="queued,retry" value={stats.ready} /> },
  { name: 'Oldest', isNumber: true, cell: ({ stats }) => <Oldest seconds={stats.oldestReadySeconds} /> },
  { name: 'Running', isNumber: true, cell: ({ name, stats }) => <JobCount queue={name} state="running" value={stats.counts.running} /> },
  { name: 'Retrying', isNumber: true, cell: ({ name, stats }) => <JobCount queue={name} state="retry" value={stats.counts.retry} /> },
  { name: 'Dead', isNumber: true, cell: ({ name, stats }) => <JobCount queue={name} state="dead" value={stats.counts.dead} /> },
  { name: 'Done/min', isNumber: true, isMinor: true, cell: ({ stats }) => rate(stats.throughput.completedPerSecond * 60) },
  { name: 'p95 wait', isNumber: true, isMinor: true, cell: ({ stats }) => seconds(stats.waitP95Seconds) },
  { name: 'p95 run', isNumber: true, isMinor: true, cell: ({ stats }) => seconds(stats.runP95Seconds) },
];

function Oldest({ seconds: age }: { readonly seconds: number | null }) {
  if (age === null) return <span class="muted">–</span>;
  return <span class={age > OLDEST_SECONDS_FINE ? 'late' : undefined}>{span(age)}</span>;
}

function QueueName({ name, isPaused }: { readonly name: string; readonly isPaused: boolean }) {
  return (
    <span class="queue-name">
      <QueueLink name={name} />
      {isPaused ? (
        <span class="chip" data-tone="info">
          ‖ paused
        </span>
      ) : null}
    </span>
  );
}

interface QueueTableProps {
  readonly caption: string;
  readonly queues: readonly QueueFieldsFragment[];
  readonly isWaiting?: boolean;
}

export function QueueTable({ caption, queues, isWaiting = false }: QueueTableProps) {
  return (
    <Table
      caption={caption}
      rows={queues}
      keyOf={({ name }) => name}
      columns={COLUMNS}
      toneOf={(queue) => toneOf(attentionOf(queue, nowMs.peek()))}
      isWaiting={isWaiting}
    />
  );
}
