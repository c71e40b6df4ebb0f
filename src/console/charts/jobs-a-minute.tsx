/** How many jobs come, are done and fail each minute. */
import { rate } from '../parts/words.ts';
import { instantsOf, rates, type Series } from './series.ts';
import { TimeChart } from './time-chart.tsx';

export function JobsAMinute({ series }: { readonly series: Series }) {
  return (
    <TimeChart
      title="Jobs a minute"
      at={instantsOf(series)}
      words={rate}
      lines={rates(series, [
        ['submitted', 'submitted', 'queued'],
        ['completed', 'completed', 'completed'],
        ['failed', 'failed', 'dead'],
      ])}
    />
  );
}
