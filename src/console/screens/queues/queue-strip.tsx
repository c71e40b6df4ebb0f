/** A queue's jobs by state, each number leading to them. */
import type { QueueFieldsFragment } from '../../../client/index.ts';
import { count, rate, span } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';

export function QueueStrip({ queue: { name, stats } }: { readonly queue: QueueFieldsFragment }) {
  const { counts, ready, delayed, oldestReadySeconds, throughput } = stats;
  const figures = [
    ['Ready', 'queued', count(ready), 'queued,retry', oldestReadySeconds === null ? 'nothing waits' : `oldest ${span(oldestReadySeconds)}`],
    ['Delayed', 'cancelled', count(delayed), 'queued,retry', 'due later'],
    ['Running', 'running', count(counts.running), 'running', `${rate(throughput.claimedPerSecond)}/s claimed`],
    ['Retrying', 'retry', count(counts.retry), 'retry', `${rate(throughput.failedPerSecond)}/s failed`],
    ['Dead letters', 'dead', count(counts.dead), 'dead', 'kept'],
    ['Completed', 'completed', count(counts.completed), 'completed', `${rate(throughput.completedPerSecond)}/s`],
  ] as const;
  return (
    <dl class="strip" aria-label="The queue now">
      {figures.map(([title, tone, value, states, more]) => (
        <div key={title} class="figure" data-state={tone}>
          <dt>{title}</dt>
          <dd>
            <Link to="jobs" search={{ q: `queue:${name} state:${states}` }} label={`${title}: ${value}`}>
              {value}
            </Link>
            <span class="muted small">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
