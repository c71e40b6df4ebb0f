/** The four charts of a queue, on one time scale. */
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { instantsOf, levels, PERIODS, periodOf, rates, type Series, seconds } from '../../charts/series.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { Choice } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { count, rate, span } from '../../parts/words.ts';
import { route, setSearch } from '../../route/route.ts';

const AGAIN_MS = 15_000;
const wholeNumber = (value: number): string => count(Math.round(value));

export function QueueCharts({ name }: { readonly name: string }) {
  const period = periodOf(route.value.search.get('period'));
  const load = (signal: AbortSignal) => lq.value.series({ queue: name, period }, { signal });
  const { value, error, reload } = useLoaded(`series ${name} ${period}`, load, { everyMs: AGAIN_MS });
  const choose = (chosen: string): void => setSearch({ period: chosen === 'HOUR' ? null : chosen });
  return (
    <Panel title="Over time" aside={<Choice label="Period" isBare value={period} options={PERIODS} onChoose={choose} />}>
      {error === null ? null : <Trouble error={error} what="Loading the charts" onRetry={reload} />}
      <div class="charts">{value === null ? null : <Charts series={value} />}</div>
    </Panel>
  );
}

function Charts({ series }: { readonly series: Series }) {
  const at = instantsOf(series);
  return (
    <>
      <TimeChart
        title="Jobs by state"
        at={at}
        words={wholeNumber}
        lines={levels(series, [
          ['ready', 'ready', 'queued'],
          ['running', 'running', 'running'],
          ['retry', 'retrying', 'retry'],
          ['delayed', 'delayed', 'cancelled'],
        ])}
      />
      <TimeChart
        title="Jobs a minute"
        at={at}
        words={rate}
        lines={rates(series, [
          ['submitted', 'submitted', 'queued'],
          ['completed', 'completed', 'completed'],
          ['failed', 'failed', 'dead'],
        ])}
      />
      <TimeChart
        title="Wait before a claim"
        at={at}
        words={span}
        lines={seconds(series, [
          ['waitP50Seconds', 'p50', 'queued'],
          ['waitP95Seconds', 'p95', 'retry'],
          ['waitP99Seconds', 'p99', 'dead'],
        ])}
      />
      <TimeChart
        title="Run time"
        at={at}
        words={span}
        lines={seconds(series, [
          ['runP50Seconds', 'p50', 'queued'],
          ['runP95Seconds', 'p95', 'retry'],
          ['runP99Seconds', 'p99', 'dead'],
        ])}
      />
    </>
  );
}
