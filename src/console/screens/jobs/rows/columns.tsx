/** What a row of the list tells of its job. */
import { Ago, Lasted } from '../../../parts/moment.tsx';
import { Name, ShortId } from '../../../parts/name.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import type { Column } from '../../../parts/table.tsx';
import { span } from '../../../parts/words.ts';
import { nowMs } from '../../../api/time.ts';
import { Link } from '../../../route/link.tsx';
import type { ShownRow } from './use-rows.ts';

const ERROR_CHARACTERS = 240;

export const COLUMNS: readonly Column<ShownRow>[] = [
  {
    name: 'Id',
    cell: ({ id }) => (
      <Link to="jobs" id={id}>
        <ShortId id={id} />
      </Link>
    ),
  },
  { name: 'State', cell: (row) => <State row={row} /> },
  { name: 'Task', cell: ({ task }) => <Name text={task} isCode /> },
  { name: 'Queue', isMinor: true, cell: ({ queueName }) => <Name text={queueName} isCode /> },
  { name: 'Attempt', isMinor: true, isNumber: true, cell: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}` },
  {
    name: 'Age',
    isNumber: true,
    isMinor: true,
    cell: ({ createdAt }) => (
      <span class="jobs-time">
        <Lasted at={createdAt} />
      </span>
    ),
  },
  {
    name: 'Next',
    isMinor: true,
    cell: (row) => (
      <span class="jobs-next">
        <Next row={row} />
      </span>
    ),
  },
  { name: 'Worker', isMinor: true, cell: ({ lease }) => (lease === null ? <None /> : <Name text={lease.workerId} isCode />) },
  {
    name: 'Error',
    isMinor: true,
    isWide: true,
    cell: ({ lastError }) => (lastError === null ? <None /> : <Fault type={lastError.type} message={lastError.message} />),
  },
];

function None() {
  return <span class="muted">–</span>;
}

function State({ row: { state, isGone, cancelRequestedAt } }: { readonly row: ShownRow }) {
  if (isGone) return <span class="muted">removed</span>;
  return (
    <span class="jobs-state-cell">
      <StateBadge state={state} />
      {state === 'RUNNING' && cancelRequestedAt !== null ? <span class="muted">, cancel asked</span> : null}
    </span>
  );
}

/** When it may run, how long its lease lasts, or when it ended. */
function Next({ row: { state, runAt, lease, finishedAt, isGone } }: { readonly row: ShownRow }) {
  if (isGone) return <None />;
  if (lease !== null) return <LeaseLeft at={lease.expiresAt} />;
  if (finishedAt !== null)
    return (
      <span class="muted">
        ended <Ago at={finishedAt} />
      </span>
    );
  if ((state === 'QUEUED' || state === 'RETRY') && Date.parse(runAt) > nowMs.value) return <Ago at={runAt} />;
  return <>due</>;
}

function LeaseLeft({ at }: { readonly at: string }) {
  const leftSeconds = Math.ceil((Date.parse(at) - nowMs.value) / 1_000);
  return leftSeconds > 0 ? <>lease {span(leftSeconds)}</> : <span class="fault">lease is over</span>;
}

function Fault({ type, message }: { readonly type: string | null; readonly message: string }) {
  const text = `${type === null ? '' : `${type}: `}${message}`;
  return <bdi title={text.slice(0, ERROR_CHARACTERS * 4)}>{text.slice(0, ERROR_CHARACTERS)}</bdi>;
}
