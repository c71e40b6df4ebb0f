/** Events as people see them. */
import type { EventFieldsFragment } from '../../client/index.ts';
import { jsonLine, type OutputChoices, textLines } from '../print.ts';
import type { TimeText } from '../times.ts';

export const EVENT_HEAD = ['AT', 'KIND', 'STATE', 'ATTEMPT', 'JOB', 'QUEUE', 'TASK', 'BY', 'DETAIL'];
/** Of lines that come one by one, so that most of them stand below each other. */
const WIDTHS = [0, 16, 9, 7, 36, 12, 12, 0, 0];

type EventText = Omit<EventFieldsFragment, 'cursor'>;

export function eventRow(event: EventText, time: TimeText): readonly string[] {
  const by = [event.workerId, event.actor].filter((name) => name !== null).join(', ');
  return [time(event.at), event.kind, event.toState, String(event.attempt), event.jobId, event.queueName, event.task, by, detailText(event.detail)];
}

/** Lines for people, JSON Lines, or the ids of the jobs. */
export function eventsText(events: readonly EventFieldsFragment[], { json, quiet }: OutputChoices, time: TimeText): string {
  if (json) return events.map(jsonLine).join('');
  return textLines(events.map((event) => (quiet ? event.jobId : eventLine(event, time))));
}

function eventLine(event: EventText, time: TimeText): string {
  return eventRow(event, time)
    .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
    .join('  ')
    .trimEnd();
}

function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return '';
  return Object.entries(detail)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
