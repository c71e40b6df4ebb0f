/** Every lease that is held, the soonest to run out first. */
import { JobLink, QueueLink } from '../../parts/links.tsx';
import type { LeasesQuery } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { figures } from '../../frame/figures.ts';
import { Button } from '../../parts/button.tsx';
import { Ago, Countdown, Lasted } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { nextOf, Pager } from '../../parts/pager.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count, counted, span } from '../../parts/words.ts';
import { route, setSearch } from '../../route/route.ts';

const PAGE = 50;
const AGAIN_MS = 2_000;
const SOON_SECONDS = 10;

type Leased = NonNullable<LeasesQuery['jobs']>['nodes'][number];
type Held = Leased & { readonly lease: NonNullable<Leased['lease']> };

const isHeld = (job: Leased): job is Held => job.lease !== null;

const COLUMNS: readonly Column<Held>[] = [
  {
    name: 'Job',
    cell: ({ id }) => <JobLink id={id} />,
  },
  { name: 'Runs out in', cell: ({ lease }) => <Countdown at={lease.expiresAt} lengthSeconds={lease.leaseSeconds} /> },
  { name: 'Task', cell: ({ task }) => <Name text={task} /> },
  { name: 'Worker', isWide: true, cell: ({ lease }) => <WorkerLink id={lease.workerId} /> },
  {
    name: 'Queue',
    isMinor: true,
    cell: ({ queueName }) => <QueueLink name={queueName} />,
  },
  { name: 'Held for', isNumber: true, isMinor: true, cell: ({ lease }) => <Lasted at={lease.startedAt} /> },
  { name: 'Last sign', isNumber: true, isMinor: true, cell: ({ lease }) => <Ago at={lease.lastHeartbeatAt ?? lease.startedAt} /> },
  { name: 'Renewed', isNumber: true, isMinor: true, cell: ({ lease }) => `${count(lease.renewals)}×` },
  { name: 'Attempt', isNumber: true, isMinor: true, cell: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}` },
  { name: 'If it runs out', isMinor: true, cell: (job) => <Then job={job} /> },
];

export function WorkerLink({ id }: { readonly id: string }) {
  return (
    <a
      href={`#${encodeURIComponent(id)}`}
      onClick={(event) => {
        event.preventDefault();
        setSearch({ worker: id, after: null });
      }}
      title={`Show only what ${id} holds`}
    >
      <Name text={id} isCode />
    </a>
  );
}

/** What becomes of the job when nobody extends its lease. */
function Then({ job: { attempt, maxAttempts, cancelRequestedAt } }: { readonly job: Held }) {
  if (cancelRequestedAt !== null) return <span class="muted">cancelled, as asked</span>;
  if (attempt >= maxAttempts) return <span class="fault">dead letter</span>;
  return <span class="muted">{`retry ${attempt + 1} of ${maxAttempts}, at once`}</span>;
}

export function Leases() {
  const { search } = route.value;
  const worker = search.get('worker');
  const after = search.get('after');
  const asked = { first: PAGE, ...(after !== null && { after }), ...(worker !== null && { filter: { workerIds: [worker] } }) };
  const load = (signal: AbortSignal) => lq.value.leases(asked, { signal });
  const { value, error, isLoading, reload } = useLoaded(`leases ${worker} ${after}`, load, { everyMs: AGAIN_MS, isKept: true });
  const held = (value?.nodes ?? []).filter(isHeld);
  const soon = held.filter(({ lease }) => Date.parse(lease.expiresAt) - nowMs.value < SOON_SECONDS * 1_000).length;
  return (
    <section class="stack">
      <header class="panel-head">
        <h2>
          Leases <span class="muted">{figures.value === null ? '' : count(figures.value.counts.running)}</span>
        </h2>
        <span class="row middle">
          {worker === null ? null : <Button onPress={() => setSearch({ worker: null, after: null })}>worker: {worker} ✕</Button>}
          <span class="muted small">
            {soon === 0 ? `none of these runs out within ${span(SOON_SECONDS)}` : `${counted(soon, 'lease')} of these run out within ${span(SOON_SECONDS)}`}
          </span>
        </span>
      </header>
      {error === null ? null : <Trouble error={error} what="Loading the leases" onRetry={reload} />}
      {value !== null && held.length === 0 ? (
        <Empty title={worker === null ? 'No job is leased at the moment.' : `${worker} holds no lease.`} />
      ) : (
        <Table
          caption="Leases, the soonest to run out first"
          rows={held}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          toneOf={({ lease }) => (Date.parse(lease.expiresAt) - nowMs.value < SOON_SECONDS * 1_000 ? 'warn' : undefined)}
          isWaiting={isLoading && value === null}
        />
      )}
      <Pager after={after} next={nextOf(value)} />
    </section>
  );
}
