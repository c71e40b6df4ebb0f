/** One queue: how it does over time, what holds for it, and what can be done about it. */
import { useSignal } from '@preact/signals';
import { FollowQueueDocument, type QueueFieldsFragment } from '../../../client/generated/graphql.ts';
import { can, lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useLive } from '../../api/use-live.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useKey } from '../../frame/use-key.ts';
import { Button } from '../../parts/button.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Notice, Trouble } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { Link } from '../../route/link.tsx';
import { attentionOf } from './attention.ts';
import { QueueCharts } from './charts.tsx';
import { PauseDialog, ResumeDialog } from './pause.tsx';
import { QueueSettings } from './settings.tsx';
import { QueueStrip } from './queue-strip.tsx';

export function QueuePage({ name }: { readonly name: string }) {
  const live = useSignal<QueueFieldsFragment | null>(null);
  const { value, error, reload } = useLoaded(`queue ${name}`, (signal) => lq.value.queue(name, { signal }));
  useLive(FollowQueueDocument, { name, everySeconds: 2 }, ({ queue }) => {
    if (queue) live.value = queue;
  });
  const queue = live.value ?? value;
  const isNowhere = value === null && error === null && live.value === null;
  return (
    <>
      <ScreenHead
        title={
          <>
            <span class="muted">Queue</span> <Name text={name} />
          </>
        }
        name={name}
        actions={queue === null ? null : <QueueActions queue={queue} onChanged={reload} />}
      />
      {error === null ? null : <Trouble error={error} what="Loading the queue" onRetry={reload} />}
      {queue === null ? (
        isNowhere ? (
          <NoQueue name={name} />
        ) : null
      ) : (
        <>
          {attentionOf(queue, nowMs.value).map(({ tone, text }) => (
            <Notice key={tone} tone={tone} title={text}>
              {tone === 'bad' ? (
                <Link to="dead" search={{ queue: name }}>
                  See what went wrong
                </Link>
              ) : null}
            </Notice>
          ))}
          <QueueStrip queue={queue} />
          <QueueCharts name={name} />
          <QueueSettings queue={queue} onChanged={reload} />
        </>
      )}
    </>
  );
}

/** Shown while it is being looked for, too: the words are true of both. */
function NoQueue({ name }: { readonly name: string }) {
  return (
    <Empty title={`Nothing is known of a queue “${name}”.`}>
      <p>
        It comes into being with its first job. <Link to="queues">See the queues there are</Link>
      </p>
    </Empty>
  );
}

function QueueActions({ queue, onChanged }: { readonly queue: QueueFieldsFragment; readonly onChanged: () => void }) {
  const isAsking = useSignal(false);
  const mayOperate = can('OPERATE');
  useKey('p', mayOperate ? () => (isAsking.value = true) : null);
  const close = (): void => {
    isAsking.value = false;
    onChanged();
  };
  const { name, paused } = queue;
  return (
    <>
      <Link to="jobs" search={{ q: `queue:${name}` }} class="button">
        Jobs
      </Link>
      {mayOperate ? (
        <Button tone={paused ? 'primary' : 'plain'} onPress={() => (isAsking.value = true)} hint="p">
          {paused ? 'Resume…' : 'Pause…'}
        </Button>
      ) : null}
      {isAsking.value && !paused ? <PauseDialog queue={queue} onClose={close} /> : null}
      {isAsking.value && paused ? <ResumeDialog queue={queue} onClose={close} /> : null}
    </>
  );
}
