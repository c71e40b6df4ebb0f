/** Dead letters grouped by their error: count, first, last, trend. */
import { QueueLink } from '../../parts/links.tsx';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { figures } from '../../frame/figures.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/field.tsx';
import { Ago } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { nextOf, Pager } from '../../parts/pager.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count, counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { route, setSearch } from '../../route/route.ts';
import { ErrorWords, Trend } from './error-words.tsx';

const PAGE = 50;
const AGAIN_MS = 5_000;
const ORDERS = [
  ['COUNT', 'Most first'],
  ['RECENT', 'Latest first'],
] as const;

const COLUMNS: readonly Column<DeadLetterGroupFieldsFragment>[] = [
  {
    name: 'Error',
    isWide: true,
    cell: ({ id, errorType, message }) => (
      <Link to="dead" id={id}>
        <ErrorWords type={errorType} message={message} />
      </Link>
    ),
  },
  { name: 'Count', isNumber: true, cell: (group) => count(group.count) },
  { name: 'Task', cell: ({ task }) => <Name text={task} /> },
  {
    name: 'Queue',
    isMinor: true,
    cell: ({ queueName }) => <QueueLink name={queueName} />,
  },
  { name: 'First', isMinor: true, cell: ({ firstAt }) => <Ago at={firstAt} /> },
  { name: 'Last', cell: ({ lastAt }) => <Ago at={lastAt} /> },
  { name: 'Last 24 h', isMinor: true, cell: ({ trend }) => <Trend trend={trend} /> },
];

export function GroupList() {
  const { search } = route.value;
  const orderBy = search.get('by') === 'recent' ? 'RECENT' : 'COUNT';
  const queue = search.get('queue');
  const after = search.get('after');
  const asked = { orderBy, first: PAGE, ...(queue !== null && { queues: [queue] }), ...(after !== null && { after }) } as const;
  const load = (signal: AbortSignal) => lq.value.deadLetterGroups(asked, { signal });
  const { value, error, isLoading, reload } = useLoaded(`groups ${JSON.stringify(asked)}`, load, { everyMs: AGAIN_MS, isKept: true });
  return (
    <>
      <ScreenHead title="Dead letters" name="Dead letters" lead={<Lead />} />
      <div class="row">
        <Choice label="Order" value={orderBy} options={ORDERS} onChoose={(chosen) => setSearch({ by: chosen === 'RECENT' ? 'recent' : null, after: null })} />
        {queue === null ? null : (
          <Button onPress={() => setSearch({ queue: null, after: null })} label={`Show groups of every queue, not of ${queue} only`}>
            queue: {queue} ✕
          </Button>
        )}
      </div>
      {error === null ? null : <Trouble error={error} what="Loading the groups" onRetry={reload} />}
      {value?.nodes.length === 0 ? (
        <Empty title="No dead letters." />
      ) : (
        <Table caption="Groups of dead letters" rows={value?.nodes ?? []} keyOf={({ id }) => id} columns={COLUMNS} isWaiting={isLoading && value === null} />
      )}
      <Pager after={after} next={nextOf(value)} hasKey />
    </>
  );
}

function Lead() {
  const dead = figures.value?.counts.dead;
  if (dead === undefined) return <>Jobs that have spent their attempts, by what went wrong.</>;
  return (
    <>
      {counted(dead, 'job')} {dead === 1 ? 'has' : 'have'} spent {dead === 1 ? 'its' : 'their'} attempts, by what went wrong.{' '}
      <Link to="jobs" search={{ q: 'state:dead' }}>
        As a list
      </Link>
    </>
  );
}
