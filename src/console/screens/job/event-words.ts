/** What an event says, in words; instants are told apart, since how they are written is each person's choice. */
import type { EventFieldsFragment } from '../../../client/index.ts';
import { detailOf } from '../../parts/event-detail.ts';

type Told = Pick<EventFieldsFragment, 'kind' | 'toState' | 'attempt' | 'workerId' | 'detail'>;

const DEATHS: Readonly<Record<string, string>> = {
  lease_expired: 'its last lease ran out',
  failed: 'no attempt is left, or its worker said not to try again',
  released: 'it was handed back too often',
};

export function eventWords(event: Told): string {
  switch (event.kind) {
    case 'SUBMITTED':
      return 'submitted';
    case 'CLAIMED':
      return `attempt ${event.attempt} began`;
    case 'COMPLETED':
      return 'completed';
    case 'RETRY_SCHEDULED':
      return 'waits for its retry';
    case 'DEAD_LETTERED':
      return 'became a dead letter';
    case 'LEASE_EXPIRED':
      return event.toState === 'RETRY' ? 'the lease ran out: due again at once' : 'the lease ran out';
    case 'RELEASED':
      return 'handed back by its worker';
    case 'CANCEL_REQUESTED':
      return 'cancel asked for: its worker learns it with the next heartbeat';
    case 'CANCELLED':
      return 'cancelled';
    case 'REDRIVEN':
      return 'redriven: its attempts start over';
    case 'RESCHEDULED':
      return 'rescheduled';
    case 'PURGED':
      return 'removed';
    default:
      return event.kind satisfies never;
  }
}

/** Somebody's reason, or the server's in words. */
export function reasonOf(event: Told): string | null {
  const { reason } = detailOf(event);
  if (reason === undefined) return null;
  return event.kind === 'DEAD_LETTERED' ? (DEATHS[reason] ?? reason) : reason;
}
