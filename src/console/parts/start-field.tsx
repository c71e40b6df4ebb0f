/** When a job may run: at once, after some time, or at an instant of the person's own zone. */
import type { StartInput } from '../../client/index.ts';
import { LIMITS } from '../../domain/limits.ts';
import { preferences } from '../api/preferences.ts';
import { nowMs } from '../api/time.ts';
import { Choice, Field } from './field.tsx';
import { instant, span } from './words.ts';

type StartWay = 'keep' | 'now' | 'after' | 'at';

export interface Start {
  readonly way: StartWay;
  /** "10m". */
  readonly after: string;
  /** As the browser's field for a day and a time has it. */
  readonly at: string;
}

export const AT_ONCE: Start = { way: 'now', after: '', at: '' };
export const AS_IT_IS: Start = { way: 'keep', after: '', at: '' };

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of "90", "30s", "10m", "2h" or "1d"; null where it is none of these. */
function secondsOf(text: string): number | null {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)\s*([smhd])?$/.exec(text.trim()) ?? [];
  return count === undefined ? null : Math.ceil(Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS]);
}

/** Epoch milliseconds of what the field for a day and a time holds; NaN where it holds none. */
function instantOf(text: string): number {
  return Date.parse(preferences.value.isUtc && text !== '' ? `${text}Z` : text);
}

/** Why it cannot be taken; null where it can. */
export function startFault({ way, after, at }: Start): string | null {
  const tooFar = `lies more than ${span(LIMITS.startAheadSecondsMax)} ahead`;
  if (way === 'after') {
    const seconds = secondsOf(after);
    if (seconds === null) return 'is no length of time: such as 30s, 10m, 2h or 1d';
    return seconds > LIMITS.startAheadSecondsMax ? tooFar : null;
  }
  if (way !== 'at') return null;
  const atMs = instantOf(at);
  if (Number.isNaN(atMs)) return 'needs a day and a time';
  return atMs - nowMs.value > LIMITS.startAheadSecondsMax * 1_000 ? tooFar : null;
}

/** Needs a start without a fault. Null: as the server has it. */
export function startInput({ way, after, at }: Start): StartInput | null {
  if (way === 'after') return { inSeconds: secondsOf(after) ?? 0 };
  if (way === 'at') return { at: new Date(instantOf(at)).toISOString() };
  return way === 'now' ? { inSeconds: 0 } : null;
}

interface StartFieldProps {
  readonly start: Start;
  readonly onStart: (start: Start) => void;
  /** Offers to leave it as it is. */
  readonly canKeep?: boolean;
  readonly fault?: string | null | undefined;
}

const WAYS: readonly (readonly [StartWay, string])[] = [
  ['now', 'At once'],
  ['after', 'After some time'],
  ['at', 'At an instant'],
];

export function StartField({ start, onStart, canKeep = false, fault = null }: StartFieldProps) {
  const { way, after, at } = start;
  const own = (way === 'after' && after !== '') || (way === 'at' && at !== '') ? startFault(start) : null;
  const atMs = instantOf(at);
  return (
    <div class="start-field">
      <Choice label="Start" value={way} options={canKeep ? [['keep', 'As it is'], ...WAYS] : WAYS} onChoose={(chosen) => onStart({ ...start, way: chosen })} />
      {way === 'after' ? (
        <Field
          label="After"
          value={after}
          onInput={(text) => onStart({ ...start, after: text })}
          fault={fault ?? own}
          placeholder="10m"
          help="30s, 10m, 2h, 1d"
        />
      ) : null}
      {way === 'at' ? (
        <Field
          label={preferences.value.isUtc ? 'At (UTC)' : 'At (your zone)'}
          type="datetime-local"
          value={at}
          onInput={(text) => onStart({ ...start, at: text })}
          fault={fault ?? own}
          help={Number.isNaN(atMs) ? '' : atMs < nowMs.value ? 'An instant that has passed means at once.' : instant(atMs, preferences.value.isUtc)}
        />
      ) : null}
    </div>
  );
}
