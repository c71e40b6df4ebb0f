/** Is anything wrong, and where? What needs attention, the tenant's rates, and the queues by trouble. */
import { useSignal } from '@preact/signals';
import { FollowQueuesDocument, type QueueFieldsFragment } from '../../../client/generated/graphql.ts';
import { useLive } from '../../api/use-live.ts';
import { JobsAMinute } from '../../charts/jobs-a-minute.tsx';
import { SeriesPanel } from '../../charts/series-panel.tsx';
import { Button } from '../../parts/button.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { count, counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { useHeldOrder } from '../queues/order.ts';
import { QueueTable } from '../queues/queue-table.tsx';
import { FirstRun } from './first-run.tsx';
import { Needs } from './needs.tsx';
import { Strip } from './strip.tsx';

const QUEUES = 50;

export function Screen() {
  const queues = useSignal<readonly QueueFieldsFragment[] | null>(null);
  const refusal = useLive(FollowQueuesDocument, { first: QUEUES, everySeconds: 2 }, (data) => {
    queues.value = data.queues;
  });
  const isNew = queues.value?.length === 0;
  return (
    <>
      <ScreenHead title="Overview" name="Overview" />
      <Strip />
      {refusal === null ? null : <p class="fault">{refusal}</p>}
      {isNew ? (
        <FirstRun />
      ) : (
        <>
          <div class="overview-top">
            <Needs queues={queues.value} />
            <Rates />
          </div>
          <Troubled queues={queues.value} />
        </>
      )}
    </>
  );
}

function Rates() {
  return (
    <SeriesPanel title="Rates" what="Loading the rates" placeClass="chart-place">
      {(series) => <JobsAMinute series={series} />}
    </SeriesPanel>
  );
}

function Troubled({ queues }: { readonly queues: readonly QueueFieldsFragment[] | null }) {
  const { rows, moving, apply } = useHeldOrder('overview', queues, ({ name }) => name);
  return (
    <section class="stack">
      <header class="panel-head">
        <h2>Queues, the most troubled first</h2>
        <span class="row middle">
          {moving === 0 ? null : <Button tone="quiet" onPress={apply}>{`${counted(moving, 'row')} would move – apply`}</Button>}
          {queues?.length === QUEUES ? (
            <Link to="queues">All queues</Link>
          ) : (
            <span class="muted small">{queues === null ? '' : `${count(queues.length)} in all`}</span>
          )}
        </span>
      </header>
      <QueueTable caption="Queues, the most troubled first" queues={rows} isWaiting={queues === null} />
    </section>
  );
}
