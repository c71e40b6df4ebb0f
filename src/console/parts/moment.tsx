/** Instants: relative on screen, absolute with their zone on hover, focus and copy. */
import { computed } from '@preact/signals';
import { preferences } from '../api/preferences.ts';
import { nowMs } from '../api/time.ts';
import { clockTime, instant, span } from './words.ts';

interface At {
  /** RFC 3339; nothing where it is not known. */
  readonly at: string | null | undefined;
}

/** "6m 12s ago", "in 41s". */
export function Ago({ at }: At) {
  if (at == null) return <span class="muted">–</span>;
  const atMs = Date.parse(at);
  const seconds = (nowMs.value - atMs) / 1_000;
  const text = Math.abs(seconds) < 1 ? 'now' : seconds > 0 ? `${span(Math.floor(seconds))} ago` : `in ${span(Math.ceil(-seconds))}`;
  return (
    <time dateTime={at} title={instant(atMs, preferences.value.isUtc)}>
      {text}
    </time>
  );
}

/** How long something has lasted: from `at` until `until`, or until now. */
export function Lasted({ at, until }: At & { readonly until?: string | null | undefined }) {
  if (at == null) return <span class="muted">–</span>;
  const endMs = until == null ? nowMs.value : Date.parse(until);
  return <span title={instant(Date.parse(at), preferences.value.isUtc)}>{span(Math.max(0, endMs - Date.parse(at)) / 1_000)}</span>;
}

/** Moved on once a minute: of now the time of day needs no more than the day. */
const nowMinuteMs = computed(() => nowMs.value - (nowMs.value % 60_000));

/** The time of day. */
export function At({ at }: At) {
  if (at == null) return <span class="muted">–</span>;
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={instant(atMs, preferences.value.isUtc)}>
      {clockTime(atMs, nowMinuteMs.value, preferences.value.isUtc)}
    </time>
  );
}

/** A lease's time running out: the words, and a bar of what is left of `lengthSeconds`. */
export function Countdown({ at, lengthSeconds }: { readonly at: string; readonly lengthSeconds: number }) {
  const leftSeconds = (Date.parse(at) - nowMs.value) / 1_000;
  const share = Math.max(0, Math.min(1, leftSeconds / Math.max(1, lengthSeconds)));
  const tone = leftSeconds <= 0 ? 'over' : share < 0.25 ? 'low' : 'good';
  return (
    <span class="countdown" data-tone={tone} title={instant(Date.parse(at), preferences.value.isUtc)}>
      <span class="countdown-words">
        {leftSeconds <= 0 ? `over ${span(Math.floor(-leftSeconds))} ago` : span(Math.ceil(Math.min(leftSeconds, lengthSeconds)))}
      </span>
      <meter class="countdown-bar" min={0} max={1} low={0.25} optimum={1} value={share} aria-label="Share of the lease that is left" />
    </span>
  );
}
