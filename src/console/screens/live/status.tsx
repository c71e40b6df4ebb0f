/** Above the list: what it does at the moment, how fast events come, and what is held back. */
import type { ComponentChildren } from 'preact';
import { lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useAction } from '../../api/use-action.ts';
import { freshness } from '../../frame/foot.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { count, counted, rate, span } from '../../parts/words.ts';
import type { EventStream } from './event-stream.ts';

/** Until so much, what is behind is what a message takes. */
const LAG_NOTICED_MS = 2_000;

export function Status({ stream }: { readonly stream: EventStream }) {
  const { heldEvents, held, fallen } = stream.listing.value;
  const skip = useAction(async () => {
    const cursor = await lq.value.latestEventCursor();
    stream.jump(cursor, new Date(nowMs.peek()).toISOString());
    return null;
  });
  const isBehind = stream.pause.value === 'full' || (stream.pause.value === null && lagWords(stream) !== '');
  return (
    <>
      <div class="live-status">
        <span class="live-words">{wordsOf(stream)}</span>
        {isBehind && stream.round.value > 0 ? (
          <Button tone="quiet" isBusy={skip.isBusy} onPress={() => void skip.start()}>
            Skip to now
          </Button>
        ) : null}
        <span class="live-new">{held.length === 0 ? null : <Button onPress={() => stream.release()}>{`${count(heldEvents)} new – show`}</Button>}</span>
        <span class="muted small live-fallen">{fallen === 0 ? '' : `${counted(fallen, 'older event')} left the list`}</span>
      </div>
      {skip.error === null ? null : <Trouble error={skip.error} what="Skipping to now" />}
    </>
  );
}

function wordsOf(stream: EventStream): ComponentChildren {
  if (stream.round.value === 0) return 'Looking for the place to begin…';
  if (stream.pause.value === 'person') return `Paused. ${waitingWords(stream)}.`;
  if (stream.pause.value === 'full') return `The list is full. ${waitingWords(stream)} to be read.`;
  if (freshness.value !== 'live') return 'Not live: the server is not heard at the moment. Nothing is missed, it goes on from here.';
  const lag = lagWords(stream);
  return lag === '' ? `${rate(rateOf(stream))} events/s` : `Reading what happened before${lag}…`;
}

/** Read anew with every tick. */
function rateOf(stream: EventStream): number {
  return nowMs.value > 0 ? stream.rate() : 0;
}

function waitingWords({ waiting, isCounted }: EventStream): string {
  const events = waiting.value;
  const isExact = isCounted.value && freshness.value === 'live';
  return `${isExact ? '' : 'At least '}${counted(events, 'event')} ${events === 1 ? 'waits' : 'wait'}`;
}

/** How old the latest event is that was read, where others wait behind it. */
function lagWords({ heardUntil, isCaughtUp }: EventStream): string {
  if (isCaughtUp.value || heardUntil.value === null) return '';
  const lagMs = nowMs.value - Date.parse(heardUntil.value);
  return lagMs < LAG_NOTICED_MS ? '' : `, ${span(Math.round(lagMs / 1_000))} behind now`;
}

/** A person stops reading, or goes on. */
export function PauseButton({ stream }: { readonly stream: EventStream }) {
  const isPaused = stream.pause.value !== null;
  return (
    <Button onPress={() => stream.toggle()} isPressed={isPaused} hint="p">
      {isPaused ? 'Go on' : 'Pause'}
    </Button>
  );
}
