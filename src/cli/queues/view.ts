/** Queues as people see them: a row of a list, or everything about one. */
import type { QueueFieldsFragment } from '../../client/index.ts';
import { spanText, type TimeText } from '../times.ts';
import { visible } from '../visible-text.ts';

export const QUEUE_HEAD = ['QUEUE', 'READY', 'DELAYED', 'RUNNING', 'RETRY', 'DEAD', 'OLDEST READY', 'IN/S', 'OUT/S', 'PAUSED'];

export function queueRow({ name, paused, pauseReason, stats }: QueueFieldsFragment): readonly string[] {
  const { counts, ready, delayed, oldestReadySeconds, throughput } = stats;
  const numbers = [ready, delayed, counts.running, counts.retry, counts.dead].map(String);
  const oldest = oldestReadySeconds === null ? '-' : spanText(oldestReadySeconds);
  return [
    name,
    ...numbers,
    oldest,
    rateText(throughput.submittedPerSecond),
    rateText(throughput.completedPerSecond),
    paused ? `yes${pauseReason === null ? '' : `: ${pauseReason}`}` : '',
  ];
}

/** Enough digits to see that something happens at all. */
export function rateText(perSecond: number): string {
  if (perSecond === 0) return '0';
  return perSecond < 10 ? perSecond.toFixed(2) : perSecond.toFixed(0);
}

type SettingsOnly = Omit<QueueFieldsFragment, 'stats'>;

export function queueText(queue: SettingsOnly & Partial<Pick<QueueFieldsFragment, 'stats'>>, time: TimeText): string {
  const { defaults, retention, stats } = queue;
  const facts = [
    ['queue', queue.name],
    ['paused', queue.paused ? `since ${time(queue.pausedAt)}${queue.pauseReason === null ? '' : `: ${queue.pauseReason}`}` : 'no'],
    ...(stats === undefined ? [] : figuresOf(stats)),
    ['priority', String(defaults.priority)],
    ['max attempts', String(defaults.maxAttempts)],
    ['retries', `after ${defaults.retryBaseSeconds}s, doubled up to ${defaults.retryMaxSeconds}s`],
    ['lease', `${defaults.leaseSeconds}s`],
    [
      'kept',
      Object.entries(KEPT)
        .map(([state, field]) => `${state} ${keptText(retention[field])}`)
        .join(', '),
    ],
    ['version', String(queue.version)],
    ['created', time(queue.createdAt)],
  ];
  return facts.map(([name = '', value = '']) => `${name.padEnd(16)}${visible(value)}\n`).join('');
}

const KEPT = { completed: 'completedSeconds', cancelled: 'cancelledSeconds', dead: 'deadSeconds' } as const;

function keptText(seconds: number): string {
  return seconds === 0 ? 'for ever' : `for ${spanText(seconds)}`;
}

function figuresOf({ counts, ready, delayed, oldestReadySeconds, throughput }: QueueFieldsFragment['stats']): readonly (readonly string[])[] {
  return [
    [
      'jobs',
      Object.entries(counts)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
    ],
    ['ready', `${ready}${oldestReadySeconds === null ? '' : `, the oldest for ${spanText(oldestReadySeconds)}`}`],
    ['delayed', String(delayed)],
    [
      'per second',
      `${rateText(throughput.submittedPerSecond)} in, ${rateText(throughput.completedPerSecond)} out, ${rateText(throughput.failedPerSecond)} failed`,
    ],
  ];
}
