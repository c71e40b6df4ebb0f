/** The four charts of a queue, on one time scale. */
import { JobsAMinute } from '../../charts/jobs-a-minute.tsx';
import { instantsOf, levels, type Series, seconds } from '../../charts/series.ts';
import { SeriesPanel } from '../../charts/series-panel.tsx';
import { TimeChart } from '../../charts/time-chart.tsx';
import { count, span } from '../../parts/words.ts';

const wholeNumber = (value: number): string => count(Math.round(value));

export function QueueCharts({ name }: { readonly name: string }) {
  return (
    <SeriesPanel title="Over time" what="Loading the charts" queue={name} placeClass="charts">
      {(series) => <Charts series={series} />}
    </SeriesPanel>
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
      <JobsAMinute series={series} />
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
