/** A panel over a chosen period of the recorded series, kept in the address and read again while it is open. */
import type { ComponentChildren } from 'preact';
import { lq } from '../api/session.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { Choice } from '../parts/field.tsx';
import { Trouble } from '../parts/notice.tsx';
import { Panel } from '../parts/screen.tsx';
import { route, setSearch } from '../route/route.ts';
import { PERIODS, periodOf, type Series } from './series.ts';

const AGAIN_MS = 15_000;

export interface SeriesPanelProps {
  readonly title: string;
  /** What is said to fail when it does: "Loading the charts". */
  readonly what: string;
  /** One queue's series; absent: the tenant's. */
  readonly queue?: string;
  readonly placeClass: string;
  readonly children: (series: Series) => ComponentChildren;
}

export function SeriesPanel({ title, what, queue, placeClass, children }: SeriesPanelProps) {
  const period = periodOf(route.value.search.get('period'));
  const load = (signal: AbortSignal) => lq.value.series({ ...(queue === undefined ? {} : { queue }), period }, { signal });
  const { value, error, reload } = useLoaded(`series ${queue ?? ''} ${period}`, load, { everyMs: AGAIN_MS });
  const choose = (chosen: string): void => setSearch({ period: chosen === 'HOUR' ? null : chosen });
  return (
    <Panel title={title} aside={<Choice label="Period" isBare value={period} options={PERIODS} onChoose={choose} />}>
      {error === null ? null : <Trouble error={error} what={what} onRetry={reload} />}
      <div class={placeClass}>{value === null ? null : children(value)}</div>
    </Panel>
  );
}
