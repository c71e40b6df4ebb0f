/** The workers that were heard of, the silent ones first. */
import { useSignal } from '@preact/signals';
import type { WorkersQuery, WorkerState } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Command } from '../../parts/copy.tsx';
import { Choice } from '../../parts/field.tsx';
import { Ago, Lasted } from '../../parts/moment.tsx';
import { type Marked, MarkedWord } from '../../parts/marked-word.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Notice, Trouble } from '../../parts/notice.tsx';
import { workerCommand } from '../../parts/next-commands.ts';
import { Pager } from '../../parts/pager.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count, counted } from '../../parts/words.ts';
import { route, setSearch } from '../../route/route.ts';
import { WorkerLink } from './leases.tsx';

const PAGE = 100;
const AGAIN_MS = 5_000;

type Worker = NonNullable<WorkersQuery['workers']>[number];

const WORDS: Readonly<Record<WorkerState, Marked>> = {
  ACTIVE: { mark: '▶', word: 'active', tone: 'running' },
  IDLE: { mark: '○', word: 'idle', tone: 'queued' },
  SILENT: { mark: '!', word: 'silent', tone: 'dead' },
  GONE: { mark: '⊘', word: 'gone', tone: 'cancelled' },
};

const WINDOWS = [
  ['300', 'Heard of in the last 5 minutes'],
  ['3600', 'In the last hour'],
  ['86400', 'In the last day'],
] as const;

function list(names: readonly string[] | null): string {
  if (names === null) return 'any';
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

const COLUMNS: readonly Column<Worker>[] = [
  { name: 'Worker', isWide: true, cell: ({ id }) => <WorkerLink id={id} /> },
  { name: 'State', cell: ({ state }) => <MarkedWord {...WORDS[state]} /> },
  { name: 'Leases', isNumber: true, cell: ({ runningJobs }) => count(runningJobs) },
  { name: 'Last sign', isNumber: true, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
  { name: 'Next to run out', isNumber: true, isMinor: true, cell: ({ soonestLeaseExpiresAt }) => <Ago at={soonestLeaseExpiresAt} /> },
  { name: 'Known for', isNumber: true, isMinor: true, cell: ({ firstSeenAt }) => <Lasted at={firstSeenAt} /> },
  { name: 'Queues', isMinor: true, cell: ({ queues }) => <Name text={list(queues)} /> },
  { name: 'Tasks', isMinor: true, cell: ({ tasks }) => <Name text={list(tasks)} /> },
];

export function Workers() {
  const seen = WINDOWS.find(([seconds]) => seconds === route.value.search.get('seen'))?.[0] ?? '300';
  const after = useSignal<string | null>(null);
  const ask = { seenWithinSeconds: Number(seen), first: PAGE, ...(after.value !== null && { after: after.value }) };
  const { value, error, isLoading, reload } = useLoaded(`workers ${seen} ${after.value}`, (signal) => lq.value.workers(ask, { signal }), {
    everyMs: AGAIN_MS,
    isKept: true,
  });
  const silent = useLoaded('silent workers', (signal) => lq.value.workers({ states: ['SILENT'], first: PAGE }, { signal }), { everyMs: AGAIN_MS });
  return (
    <section class="stack">
      <header class="panel-head">
        <h2>Workers</h2>
        <Choice label="Which workers" isBare value={seen} options={WINDOWS} onChoose={(chosen) => setSearch({ seen: chosen === '300' ? null : chosen })} />
      </header>
      {error === null ? null : <Trouble error={error} what="Loading the workers" onRetry={reload} />}
      {silent.value !== null && silent.value.length > 0 ? <Silent workers={silent.value} /> : null}
      {value?.length === 0 && after.value === null ? (
        <NoWorkers />
      ) : (
        <Table
          caption="Workers"
          rows={value ?? []}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          toneOf={({ state }) => (state === 'SILENT' ? 'bad' : undefined)}
          isWaiting={isLoading && value === null}
        />
      )}
      <Pager after={after.value} next={value?.length === PAGE ? value.at(-1)?.id : null} onTurn={(place) => (after.value = place)} />
    </section>
  );
}

function Silent({ workers }: { readonly workers: readonly Worker[] }) {
  const leases = workers.reduce((sum, { runningJobs }) => sum + runningJobs, 0);
  return (
    <Notice tone="warn" title={`${counted(workers.length, 'worker')} ${workers.length === 1 ? 'has' : 'have'} fallen silent with ${counted(leases, 'lease')}.`}>
      <p>
        {workers.slice(0, 5).map(({ id }, index) => (
          <span key={id}>
            {index === 0 ? '' : ', '}
            <WorkerLink id={id} />
          </span>
        ))}
        {workers.length > 5 ? ' and others' : ''}. Their jobs come back to their queues when the leases run out; nothing is lost.
      </p>
    </Notice>
  );
}

function NoWorkers() {
  return (
    <Empty title="No worker was heard of lately.">
      <p>A worker is heard of when it claims. To start one that prints what it gets:</p>
      <Command what="the command that starts a worker" text={workerCommand()} />
    </Empty>
  );
}
