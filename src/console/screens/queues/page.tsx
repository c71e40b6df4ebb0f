/** One queue: how it does over time, what holds for it, and what can be done about it. */
import { useSignal } from '@preact/signals';
import { FollowQueueDocument, type QueueFieldsFragment } from '../../../client/generated/graphql.ts';
import { can, lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useLive } from '../../api/use-live.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useKey } from '../../parts/use-key.ts';
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
  // Of what was asked and what was told, the latest.
  const latest = useSignal<QueueFieldsFragment | null>(null);
  const load = async (signal: AbortSignal): Promise<void> => {
    latest.value = await lq.value.queue(name, { signal });
  };
  const { error, isLoading, reload } = useLoaded(`queue ${name}`, load);
  useLive(FollowQueueDocument, { name, everySeconds: 2 }, (data) => {
    if (data.queue) latest.value = data.queue;
  });
  const queue = latest.value;
  const isNowhere = error === null && !isLoading;
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
