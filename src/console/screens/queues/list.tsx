/** Queues by trouble, or by name from a place on: there may be thousands. */
import { useSignal } from '@preact/signals';
import type { QueueFieldsFragment } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { Pager } from '../../parts/pager.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { route, setSearch } from '../../route/route.ts';
import { useHeldOrder } from './order.ts';
import { QueueTable } from './queue-table.tsx';

const ORDERS = [
  ['TROUBLE', 'Most troubled first'],
  ['NAME', 'By name'],
] as const;
const PAGE = 100;
const AGAIN_MS = 5_000;

interface Asked {
  readonly order: 'TROUBLE' | 'NAME';
  readonly prefix: string;
  readonly after: string | null;
}

interface QueuesPage {
  readonly nodes: readonly QueueFieldsFragment[];
  /** Where the next page begins; null where there is none. */
  readonly next: string | null;
  /** True where there are more queues than the order by trouble shows. */
  readonly isCut: boolean;
}

async function pageOf({ order, prefix, after }: Asked, signal: AbortSignal): Promise<QueuesPage> {
  if (order === 'TROUBLE') {
    const nodes = await lq.value.queuesByTrouble({ first: PAGE }, { signal });
    return { nodes, next: null, isCut: nodes.length === PAGE };
  }
  const { nodes, pageInfo } = await lq.value.queues(
    { first: PAGE, ...(prefix !== '' && { namePrefix: prefix }), ...(after !== null && { after }) },
    { signal },
  );
  return { nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null, isCut: false };
}

export function QueueList() {
  const { search } = route.value;
  const prefix = search.get('name') ?? '';
  const after = search.get('after');
  // Names that begin with something are found in their order only.
  const order = search.get('by') === 'name' || prefix !== '' ? 'NAME' : 'TROUBLE';
  const key = JSON.stringify([order, prefix, after]);
  const load = (signal: AbortSignal): Promise<QueuesPage> => pageOf({ order, prefix, after }, signal);
  const { value, of, error, isLoading, reload } = useLoaded(`queues ${key}`, load, { everyMs: AGAIN_MS, isKept: true });
  const { rows, moving, apply } = useHeldOrder(of, value?.nodes ?? null, ({ name }) => name);
  return (
    <>
      <ScreenHead title="Queues" name="Queues" />
      <div class="row">
        <PrefixField prefix={prefix} />
        <Choice
          label="Order"
          value={order}
          options={ORDERS}
          onChoose={(chosen) => setSearch({ by: chosen === 'NAME' ? 'name' : null, name: null, after: null })}
        />
        {moving === 0 ? null : <Button tone="quiet" onPress={apply}>{`${counted(moving, 'row')} would move – apply`}</Button>}
      </div>
      {error === null ? null : <Trouble error={error} what="Loading the queues" onRetry={reload} />}
      {value?.nodes.length === 0 ? <NoQueues prefix={prefix} /> : <QueueTable caption="Queues" queues={rows} isWaiting={isLoading && value === null} />}
      {value?.isCut === true ? <p class="muted">The most troubled are shown. Choose “By name” to see every queue.</p> : null}
      <Pager after={after} next={value?.next} hasKey />
    </>
  );
}

function PrefixField({ prefix }: { readonly prefix: string }) {
  const text = useSignal(prefix);
  const find = (event: Event): void => {
    event.preventDefault();
    setSearch({ name: text.value.trim(), after: null });
  };
  return (
    <form class="row" onSubmit={find}>
      <Field label="Name begins with" type="search" value={text.value} onInput={(value) => (text.value = value)} isCode />
      <Button isSubmit>Find</Button>
    </form>
  );
}

function NoQueues({ prefix }: { readonly prefix: string }) {
  if (prefix === '')
    return (
      <Empty title="No queue yet.">
        <p>
          A queue comes into being with its first job. <Link to="overview">See how to submit one</Link>
        </p>
      </Empty>
    );
  return (
    <Empty title={`No queue's name begins with “${prefix}”.`}>
      <Button onPress={() => setSearch({ name: null, after: null })}>Show every queue</Button>
    </Empty>
  );
}
