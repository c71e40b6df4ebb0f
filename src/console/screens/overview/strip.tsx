/** The tenant in one line of figures, each leading to what it counts. */
import type { ComponentChildren } from 'preact';
import { figures } from '../../frame/figures.ts';
import { count, rate, span } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';

export function Strip() {
  const now = figures.value;
  const { counts } = now ?? {};
  return (
    <dl class="strip" aria-label="The tenant now">
      <Figure name="Ready" state="queued" value={now && count(now.ready)} filter="state:queued,retry">
        {now?.oldestReadySeconds == null ? 'nothing waits' : `oldest ${span(now.oldestReadySeconds)}`}
      </Figure>
      <Figure name="Running" state="running" value={counts && count(counts.running)} filter="state:running">
        {now === null ? '' : `${rate(now.throughput.claimedPerSecond)}/s claimed`}
      </Figure>
      <Figure name="Retrying" state="retry" value={counts && count(counts.retry)} filter="state:retry">
        {now === null ? '' : `${rate(now.throughput.failedPerSecond)}/s failed`}
      </Figure>
      <Figure name="Dead letters" state="dead" value={counts && count(counts.dead)} filter="state:dead">
        kept
      </Figure>
      <Figure name="Completed" state="completed" value={now && `${rate(now.throughput.completedPerSecond)}/s`} filter="state:completed">
        {counts === undefined ? '' : `${count(counts.completed)} kept`}
      </Figure>
      <Figure name="Workers" state="cancelled" value={now && count(now.workers)}>
        seen lately
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly state: string;
  readonly value: string | null | undefined;
  /** Of the jobs that it counts; the workers' own screen where absent. */
  readonly filter?: string;
  readonly children: ComponentChildren;
}

function Figure({ name, state, value, filter, children }: FigureProps) {
  return (
    <div class="figure" data-state={state}>
      <dt>{name}</dt>
      <dd>
        <Link to={filter === undefined ? 'workers' : 'jobs'} search={{ q: filter }} label={`${name}: ${value ?? 'not known yet'}`}>
          {value ?? '–'}
        </Link>
        <span class="muted small">{children}</span>
      </dd>
    </div>
  );
}
