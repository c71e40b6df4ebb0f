/** What the database behind the screens holds: which tenants and queues, and how many jobs of each kind. */
import type { ScreenShape } from '../scale.ts';

/** One job of each is made by the server in every queue, and copied. */
export type Kind = 'done' | 'tagged' | 'retry' | 'dead' | 'running' | 'due' | 'delayed' | 'cancelled' | 'rareTask' | 'rareTag';

export interface Place {
  readonly tenant: string;
  readonly queue: string;
  /** Its share of all jobs. */
  readonly share: number;
}

/** Of all jobs; the rest is done. */
const SHARES = { tagged: 0.1, retry: 0.002, dead: 0.004, running: 0.002, due: 0.01, delayed: 0.006, cancelled: 0.01 } as const;
/** Among millions in one queue, so that a search has to look through them. */
const RARE = 20;

/** The tenant whose screens are measured: it has half of all jobs and of the queues. */
export const BIG_TENANT = 'tenant-00';
export const RARE_QUEUE = 'queue-000';
export const RARE_TASK = 'reindex';
export const TAG = 'customer';
export const RARE_TAG = 'rare';
export const WORKERS = 300;

/** Half of the queues are the big tenant's, whose first ones are much bigger than its last. */
export function placesOf({ tenants, queues }: ScreenShape): readonly Place[] {
  const own = Math.ceil(queues / 2);
  const others = Math.max(1, queues - own);
  const weights = Array.from({ length: own }, (_, rank) => 1 / (rank + 3));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return [
    ...weights.map((weight, rank): Place => ({ tenant: BIG_TENANT, queue: queueName(rank), share: weight / whole / 2 })),
    ...Array.from({ length: others }, (_, rank): Place => {
      const tenant = 1 + (rank % Math.max(1, tenants - 1));
      return { tenant: `tenant-${String(tenant).padStart(2, '0')}`, queue: queueName(rank), share: 0.5 / others };
    }),
  ];
}

function queueName(rank: number): string {
  return `queue-${String(rank).padStart(3, '0')}`;
}

export function hasRareJobs({ tenant, queue }: Place): boolean {
  return tenant === BIG_TENANT && queue === RARE_QUEUE;
}

/** How many jobs of a kind a queue gets. Dead letters and leases are spread evenly, so that each queue has a group. */
export function countOf(kind: Kind, { jobs, queues }: ScreenShape, place: Place): number {
  if (kind === 'rareTask' || kind === 'rareTag') return hasRareJobs(place) ? RARE : 0;
  if (kind === 'dead' || kind === 'running') return Math.round((jobs * SHARES[kind]) / queues);
  const share = kind === 'done' ? 1 - Object.values(SHARES).reduce((sum, one) => sum + one, 0) : SHARES[kind];
  return Math.round(jobs * share * place.share);
}
