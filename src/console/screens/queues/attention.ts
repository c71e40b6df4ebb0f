/** What about a queue wants a person, in words: the worst first. Pure. */
import { counted, span } from '../../parts/words.ts';

/** What is looked at of a queue. */
export interface Watched {
  readonly name: string;
  readonly paused: boolean;
  readonly pausedAt: string | null;
  readonly pauseReason: string | null;
  readonly stats: {
    readonly ready: number;
    readonly oldestReadySeconds: number | null;
    readonly diedLastHour: number;
    readonly counts: { readonly retry: number; readonly running: number };
  };
}

export interface Attention {
  readonly tone: 'bad' | 'warn' | 'info';
  readonly text: string;
}

/** Jobs that wait for longer than this are said to. */
export const OLDEST_SECONDS_FINE = 300;

export function attentionOf({ paused, pausedAt, pauseReason, stats }: Watched, nowMs: number): readonly Attention[] {
  const found: Attention[] = [];
  const { oldestReadySeconds, diedLastHour, ready, counts } = stats;
  if (diedLastHour > 0) found.push({ tone: 'bad', text: `${counted(diedLastHour, 'new dead letter')} in the last hour` });
  if (oldestReadySeconds !== null && oldestReadySeconds > OLDEST_SECONDS_FINE)
    found.push({
      tone: 'warn',
      text: `the oldest job has waited ${span(oldestReadySeconds)}, ${counted(ready, 'job')} in all${counts.running === 0 ? '; nobody works on this queue' : ''}`,
    });
  if (paused) found.push({ tone: 'info', text: pausedWords(pausedAt, pauseReason, ready, nowMs) });
  return found;
}

function pausedWords(pausedAt: string | null, reason: string | null, ready: number, nowMs: number): string {
  const since = pausedAt === null ? '' : ` for ${span((nowMs - Date.parse(pausedAt)) / 1_000)}`;
  const waiting = ready === 0 ? '' : `, ${counted(ready, 'job')} waiting`;
  return `paused${since}${waiting}${reason === null ? '' : `: “${reason}”`}`;
}

export function toneOf(attention: readonly Attention[]): 'bad' | 'warn' | undefined {
  if (attention.some(({ tone }) => tone === 'bad')) return 'bad';
  return attention.some(({ tone }) => tone === 'warn') ? 'warn' : undefined;
}
