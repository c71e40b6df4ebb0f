/** What happened to a job, oldest first: its attempts as bars of one scale, and everything else in words. */
import type { AttemptFieldsFragment, EventFieldsFragment } from '../../../client/index.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { At } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { span } from '../../parts/words.ts';
import { AttemptLine } from './attempt-line.tsx';
import { type Entry, entriesOf, lastedMs } from './entries.ts';
import { eventWords, reasonOf } from './event-words.ts';
import { detailOf } from '../../parts/event-detail.ts';
import type { JobView } from './use-job.ts';

export function Timeline({ view }: { readonly view: JobView }) {
  const { events, attempts, gapAfter } = view;
  const before = entriesOf(gapAfter === null ? events : events.slice(0, gapAfter), gapAfter === null ? attempts : []);
  const after = gapAfter === null ? [] : entriesOf(events.slice(gapAfter), attempts);
  const longest = longestOf(attempts, view.job?.lease?.expiresAt);
  return (
    <>
      <MoreAttempts load={view.loadAttempts} />
      <ol class="timeline" aria-label="What happened, oldest first">
        <Entries entries={before} longestMs={longest} />
        {gapAfter === null ? null : (
          <li class="timeline-more">
            <MoreEvents load={view.loadEvents} />
          </li>
        )}
        <Entries entries={after} longestMs={longest} />
      </ol>
      {longest === 0 ? null : <p class="timeline-scale muted small">{`A whole bar is ${span(longest / 1_000)}.`}</p>}
    </>
  );
}

/** While an attempt runs the scale reaches to the end of its lease, so that it does not move with every second. */
function longestOf(attempts: readonly AttemptFieldsFragment[], leaseEndsAt: string | undefined): number {
  return Math.max(0, ...attempts.map((attempt) => lastedMs(attempt, leaseEndsAt === undefined ? 0 : Date.parse(leaseEndsAt))));
}

function Entries({ entries, longestMs }: { readonly entries: readonly Entry[]; readonly longestMs: number }) {
  return (
    <>
      {entries.map((entry) =>
        entry.kind === 'attempt' ? (
          <AttemptLine key={entry.key} attempt={entry.attempt} longestMs={longestMs} />
        ) : (
          <EventLine key={entry.key} event={entry.event} />
        ),
      )}
    </>
  );
}

function EventLine({ event }: { readonly event: EventFieldsFragment }) {
  const { runAt, priority } = detailOf(event);
  const reason = reasonOf(event);
  const isLater = runAt !== undefined && Date.parse(runAt) > Date.parse(event.at);
  return (
    <li data-state={event.toState.toLowerCase()}>
      <At at={event.at} />
      <span class="timeline-mark" aria-hidden="true" />
      <div class="timeline-words">
        <span class="timeline-what">{eventWords(event)}</span>
        {isLater ? (
          <span class="muted">
            due <At at={runAt} />, {span((Date.parse(runAt) - Date.parse(event.at)) / 1_000)} after that
          </span>
        ) : null}
        {event.kind === 'RESCHEDULED' && priority !== undefined ? <span class="muted">{`priority ${priority}`}</span> : null}
        {reason === null ? null : <bdi class="muted timeline-reason">{reason}</bdi>}
        <By event={event} />
      </div>
    </li>
  );
}

function By({ event: { kind, workerId, actor } }: { readonly event: EventFieldsFragment }) {
  return (
    <>
      {kind === 'CLAIMED' && workerId !== null ? (
        <span class="by-name">
          by <Name text={workerId} isCode />
        </span>
      ) : null}
      {actor === null ? null : (
        <span class="by-name">
          by key <Name text={actor} />
        </span>
      )}
    </>
  );
}

function MoreAttempts({ load }: { readonly load: (() => Promise<null>) | null }) {
  const more = useAction(load ?? (async () => null));
  if (more.error !== null) return <Trouble error={more.error} what="Loading older attempts" onRetry={() => void more.start()} />;
  if (load === null) return null;
  return (
    <Button tone="quiet" isBusy={more.isBusy} onPress={() => void more.start()}>
      Show the bars of older attempts
    </Button>
  );
}

function MoreEvents({ load }: { readonly load: () => Promise<null> }) {
  const more = useAction(load);
  return (
    <>
      <Button isBusy={more.isBusy} onPress={() => void more.start()}>
        Show the next 100 events
      </Button>
      <span class="muted">More happened here that is not shown yet.</span>
      {more.error === null ? null : <Trouble error={more.error} what="Loading more events" />}
    </>
  );
}
