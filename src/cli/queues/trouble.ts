/** What is wrong with a queue, as far as its figures tell, and how urgent that is. */
import type { QueueFieldsFragment } from '../../client/index.ts';
import { counted, spanText } from '../times.ts';

interface Trouble {
  /** 0: none. */
  readonly weight: number;
  /** Empty where there is none. */
  readonly text: string;
}

/** A job that is due waits for this long where workers keep up. */
const WAIT_SECONDS = 60;

interface Sign {
  readonly weight: number;
  readonly shows: (queue: QueueFieldsFragment) => boolean;
  readonly text: (queue: QueueFieldsFragment) => string;
}

/** The most urgent first. */
const SIGNS: readonly Sign[] = [
  {
    weight: 5,
    shows: ({ paused, stats }) => !paused && stats.ready > 0 && stats.counts.running === 0 && stats.throughput.claimedPerSecond === 0,
    text: ({ name, stats }) => `nobody takes the ${counted(stats.ready, 'ready job')} of ${name}`,
  },
  {
    weight: 4,
    shows: ({ paused, stats }) => paused && stats.counts.queued + stats.counts.retry > 0,
    text: ({ name, stats }) => `${name} is paused with ${counted(stats.counts.queued + stats.counts.retry, 'job')} waiting`,
  },
  {
    weight: 3,
    shows: ({ stats }) => (stats.oldestReadySeconds ?? 0) >= WAIT_SECONDS,
    text: ({ name, stats }) => `${name} keeps a ready job waiting for ${spanText(stats.oldestReadySeconds ?? 0)}`,
  },
  {
    weight: 2,
    shows: ({ stats: { throughput } }) => throughput.failedPerSecond > throughput.completedPerSecond,
    text: ({ name }) => `most attempts of ${name} fail`,
  },
  { weight: 1, shows: ({ stats }) => stats.counts.dead > 0, text: ({ name, stats }) => `${name} has ${counted(stats.counts.dead, 'dead letter')}` },
];

function troubleOf(queue: QueueFieldsFragment): Trouble {
  const sign = SIGNS.find(({ shows }) => shows(queue));
  return sign === undefined ? { weight: 0, text: '' } : { weight: sign.weight, text: sign.text(queue) };
}

/** The most troubled first, then those with the longest wait, then the fullest, then by name. */
export function byTrouble(queues: readonly QueueFieldsFragment[]): readonly QueueFieldsFragment[] {
  const ranks = queues.map((queue) => {
    const { ready, oldestReadySeconds, counts } = queue.stats;
    return { queue, rank: [troubleOf(queue).weight, oldestReadySeconds ?? 0, ready, counts.dead] };
  });
  return ranks.toSorted((left, right) => difference(left.rank, right.rank) || (left.queue.name < right.queue.name ? -1 : 1)).map(({ queue }) => queue);
}

function difference(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
}

/** What a person should look at, the most urgent first. */
export function attention(queues: readonly QueueFieldsFragment[]): readonly string[] {
  return byTrouble(queues).flatMap((queue) => troubleOf(queue).text || []);
}
