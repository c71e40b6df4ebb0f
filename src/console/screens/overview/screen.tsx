/** Is anything wrong, and where? What needs attention, the tenant's rates, and the queues by trouble. */
import { useSignal } from '@preact/signals';
import { FollowQueuesDocument, type QueueFieldsFragment } from '../../../client/generated/graphql.ts';
import { lq } from '../../api/session.ts';
import { useLive } from '../../api/use-live.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { instantsOf, PERIODS, periodOf, rates } from '../../charts/series.ts';
import { figures } from '../../frame/figures.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Panel, ScreenHead } from '../../parts/screen.tsx';
import { count, counted, rate } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { route, setSearch } from '../../route/route.ts';
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
  const period = periodOf(route.value.search.get('period'));
  const { value, error, reload } = useLoaded(`series ${period}`, (signal) => lq.value.series({ period }, { signal }), { everyMs: 15_000 });
  const choose = (chosen: string): void => setSearch({ period: chosen === 'HOUR' ? null : chosen });
  return (
    <Panel title="Rates" aside={<Choice label="Period" isBare value={period} options={PERIODS} onChoose={choose} />}>
      {error === null ? null : <Trouble error={error} what="Loading the rates" onRetry={reload} />}
      <div class="chart-place">
        {value === null ? null : (
          <TimeChart
            title="Jobs a minute"
            at={instantsOf(value)}
            words={rate}
            lines={rates(value, [
              ['submitted', 'submitted', 'queued'],
              ['completed', 'completed', 'completed'],
              ['failed', 'failed', 'dead'],
            ])}
          />
        )}
      </div>
    </Panel>
  );
}

function Troubled({ queues }: { readonly queues: readonly QueueFieldsFragment[] | null }) {
  const { rows, moving, apply } = useHeldOrder('overview', queues, ({ name }) => name);
  const total = figures.value === null ? null : queues;
  return (
    <section class="stack">
      <header class="panel-head">
        <h2>Queues, the most troubled first</h2>
        <span class="row middle">
          {moving === 0 ? null : <Button tone="quiet" onPress={apply}>{`${counted(moving, 'row')} would move – apply`}</Button>}
          {total !== null && total.length === QUEUES ? (
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
