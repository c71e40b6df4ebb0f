/** Events in words: a shape and a name for each kind, and what else they tell. */
import type { FollowedEvent, GapReason, JobEventKind } from '../../../client/index.ts';
import { clockTime } from '../../parts/words.ts';

export const KIND_MARKS: Readonly<Record<JobEventKind, { readonly mark: string; readonly word: string }>> = {
  SUBMITTED: { mark: '+', word: 'submitted' },
  CLAIMED: { mark: '▶', word: 'claimed' },
  COMPLETED: { mark: '✓', word: 'completed' },
  RETRY_SCHEDULED: { mark: '↻', word: 'retry scheduled' },
  DEAD_LETTERED: { mark: '✕', word: 'dead-lettered' },
  LEASE_EXPIRED: { mark: '!', word: 'lease expired' },
  RELEASED: { mark: '←', word: 'released' },
  CANCEL_REQUESTED: { mark: '?', word: 'cancel requested' },
  CANCELLED: { mark: '⊘', word: 'cancelled' },
  REDRIVEN: { mark: '↑', word: 'redriven' },
  RESCHEDULED: { mark: '→', word: 'rescheduled' },
  PURGED: { mark: '–', word: 'purged' },
};

/** A server may be newer than this page. */
export function kindWords(kind: JobEventKind): { readonly mark: string; readonly word: string } {
  return KIND_MARKS[kind] ?? { mark: '•', word: String(kind).toLowerCase().replaceAll('_', ' ') };
}

/** What an event tells beyond the transition, as the contract lists it. */
interface Detail {
  readonly runAt?: string;
  readonly priority?: number;
  readonly maxAttempts?: number;
  readonly leaseExpiresAt?: string;
  readonly reason?: string;
}

/** The detail in a line. A submission's usual settings are no news. */
export function detailWords({ detail, at, kind }: FollowedEvent, isUtc: boolean): string {
  if (typeof detail !== 'object' || detail === null) return '';
  const { runAt, priority, maxAttempts, leaseExpiresAt, reason } = detail as Detail;
  const atMs = Date.parse(at);
  const time = (text: string): string => clockTime(Date.parse(text), atMs, isUtc);
  return [
    reason,
    runAt !== undefined && Date.parse(runAt) > atMs && `runs at ${time(runAt)}`,
    leaseExpiresAt !== undefined && `lease until ${time(leaseExpiresAt)}`,
    priority !== undefined && (priority !== 0 || kind === 'RESCHEDULED') && `priority ${priority}`,
    maxAttempts !== undefined && kind !== 'SUBMITTED' && `at most ${maxAttempts} attempts`,
  ]
    .filter(Boolean)
    .join(' · ');
}

export const GAP_WORDS: Readonly<Record<GapReason, string>> = {
  RETENTION: 'They were removed together with their jobs, by retention or by a purge.',
  STORE_RESTORED: 'The database was restored from a backup: what happened after it was taken is not there any more.',
};

const formats = [false, true].map(
  (isUtc) =>
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      ...(isUtc && { timeZone: 'UTC' }),
    }),
);

/** To the millisecond. Formats are made once: there are hundreds of rows. */
export function exactTime(at: string, isUtc: boolean): string {
  return formats[isUtc ? 1 : 0]?.format(Date.parse(at)) ?? at;
}
