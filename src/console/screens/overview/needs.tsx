/** What wants a person, the worst first; or that nothing does. */
import type { QueueFieldsFragment } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Name } from '../../parts/name.tsx';
import { Panel } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import type { ScreenName } from '../../route/screens.ts';
import { type Attention, attentionOf } from '../queues/attention.ts';

const SHOWN = 8;
const MARKS: Readonly<Record<Attention['tone'], string>> = { bad: '!', warn: '!', info: '‖' };
const RANKS: readonly Attention['tone'][] = ['bad', 'warn', 'info'];

interface Need extends Attention {
  readonly to: ScreenName;
  readonly name: string;
}

export function Needs({ queues }: { readonly queues: readonly QueueFieldsFragment[] | null }) {
  const silent = useLoaded('silent workers', (signal) => lq.value.workers({ states: ['SILENT'], first: 20 }, { signal }), { everyMs: 10_000 });
  const now = nowMs.value;
  const needs: Need[] = [
    ...(queues ?? []).flatMap((queue) => attentionOf(queue, now).map((each): Need => ({ ...each, to: 'queues', name: queue.name }))),
    ...(silent.value ?? []).map(
      ({ id, runningJobs }): Need => ({ tone: 'warn', text: `silent while it holds ${counted(runningJobs, 'lease')}`, to: 'workers', name: id }),
    ),
  ].toSorted((a, b) => RANKS.indexOf(a.tone) - RANKS.indexOf(b.tone));
  return (
    <Panel title="Needs attention" aside={needs.length > SHOWN ? <span class="muted small">{`${SHOWN} of ${needs.length}`}</span> : null}>
      {queues === null ? <p class="muted">Looking…</p> : null}
      {queues !== null && needs.length === 0 ? (
        <p class="all-well">
          <span aria-hidden="true">✓</span> Nothing. No queue is late or paused, nothing died in the last hour, no worker is silent.
        </p>
      ) : null}
      <ul class="needs">
        {needs.slice(0, SHOWN).map((need) => (
          <li key={`${need.name} ${need.tone}`} data-tone={need.tone}>
            <span class="needs-mark" aria-hidden="true">
              {MARKS[need.tone]}
            </span>
            <span>
              <Link to={need.to} id={need.to === 'queues' ? need.name : null}>
                <Name text={need.name} />
              </Link>{' '}
              <bdi>{need.text}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
