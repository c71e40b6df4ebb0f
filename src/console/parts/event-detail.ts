/** What an event tells beyond the transition, as the contract lists it. */
import type { EventFieldsFragment } from '../../client/index.ts';

export interface EventDetail {
  readonly runAt?: string;
  readonly priority?: number;
  readonly maxAttempts?: number;
  readonly leaseExpiresAt?: string;
  readonly reason?: string;
}

export function detailOf({ detail }: Pick<EventFieldsFragment, 'detail'>): EventDetail {
  return typeof detail === 'object' && detail !== null ? detail : {};
}
