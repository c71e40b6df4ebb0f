/** The picture that `queue top` draws: what was read, when, and whether it still holds. */
import type { QueueFieldsFragment, StatsFieldsFragment } from '../../client/index.ts';
import { type Look, styled } from '../look.ts';
import { cut, table } from '../print.ts';
import { clockText, counted, spanText } from '../times.ts';
import { visible } from '../visible-text.ts';
import { attention, byTrouble } from './trouble.ts';
import { QUEUE_HEAD, queueRow, rateText } from './view.ts';

export interface Snapshot {
  readonly queues: readonly QueueFieldsFragment[];
  readonly stats: StatsFieldsFragment;
  /** By the clock of this machine. */
  readonly atMs: number;
  /** There are more queues than were read. */
  readonly hasMore: boolean;
}

export interface Picture {
  /** Null: nothing was read yet. */
  readonly snapshot: Snapshot | null;
  /** Why the newest look failed, and since when they fail. */
  readonly failure: { readonly sinceMs: number; readonly message: string } | null;
  /** Since when an answer is waited for; null where none is. */
  readonly askedMs: number | null;
}

export interface Frame {
  readonly look: Look;
  /** Of the terminal; null: all there is to show. */
  readonly rows: number | null;
  readonly nowMs: number;
  readonly title: string;
}

/** An answer that takes longer makes the figures old. */
const SLOW_MS = 3_000;
const REASONS_SHOWN = 3;

export function topLines(picture: Picture, { look, rows, nowMs, title }: Frame): readonly string[] {
  const { snapshot } = picture;
  const lead = [cut(title, look), staleText(picture, nowMs, look)].filter((line) => line !== '');
  if (snapshot === null) return [...lead, picture.failure === null ? 'Asking the server …' : 'Nothing was read yet.'];
  const body = [...bodyLead(snapshot, look), ''];
  const queues = byTrouble(snapshot.queues);
  const room = rows === null ? queues.length : Math.max(0, rows - lead.length - body.length - 2);
  const shown = table(QUEUE_HEAD, queues.slice(0, room).map(queueRow), look).trimEnd().split('\n');
  const hidden = queues.length - Math.min(room, queues.length);
  const more = hidden > 0 || snapshot.hasMore ? [`and ${snapshot.hasMore ? 'at least ' : ''}${hidden} more queues`] : [];
  return [...lead, ...body, ...shown, ...more];
}

/** Totals, and what needs attention. */
function bodyLead({ queues, stats }: Snapshot, look: Look): readonly string[] {
  const { counts, ready, throughput, workers } = stats;
  const reasons = attention(queues);
  const more = reasons.length > REASONS_SHOWN ? `; and ${reasons.length - REASONS_SHOWN} more` : '';
  const rates = `${rateText(throughput.submittedPerSecond)}/s in, ${rateText(throughput.completedPerSecond)}/s out, ${rateText(throughput.failedPerSecond)}/s failed`;
  const totals = `${counted(queues.length, 'queue')}: ${ready} ready, ${counts.running} running, ${counts.retry} in retry, ${counts.dead} dead; ${rates}; ${counted(workers, 'worker')}`;
  const call = reasons.length === 0 ? 'Nothing needs attention.' : `Attention: ${reasons.slice(0, REASONS_SHOWN).join('; ')}${more}.`;
  return [cut(totals, look), styled(reasons.length === 0 ? 'green' : 'yellow', cut(visible(call), look), look)];
}

/** Figures that may be wrong by now are never shown without a word about it. Empty where they hold. */
function staleText({ snapshot, failure, askedMs }: Picture, nowMs: number, look: Look): string {
  const of = snapshot === null ? '' : ` These figures are of ${clockText(new Date(snapshot.atMs))}, ${spanText((nowMs - snapshot.atMs) / 1_000)} ago.`;
  const isSlow = askedMs !== null && nowMs - askedMs >= SLOW_MS;
  if (failure === null && !isSlow) return '';
  const why =
    failure === null
      ? `The server has not answered for ${spanText((nowMs - (askedMs ?? nowMs)) / 1_000)}.`
      : `Server not reached since ${clockText(new Date(failure.sinceMs))}.`;
  return styled('red', cut(visible(`${why}${of}${failure === null ? '' : ` ${failure.message}`}`), look), look);
}
