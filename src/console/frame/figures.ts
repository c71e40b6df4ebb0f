/** The tenant's figures, kept up to date by one subscription for the whole page, where the key may follow any. */
import { signal } from '@preact/signals';
import type { StatsFieldsFragment } from '../../client/index.ts';
import { FollowStatsDocument } from '../../client/generated/graphql.ts';
import { can } from '../api/session.ts';
import { useLive } from '../api/use-live.ts';

/** Null before the first word of the server. */
export const figures = signal<StatsFieldsFragment | null>(null);

export function useFigures(): void {
  useLive(FollowStatsDocument, can('READ') ? { everySeconds: 2 } : null, ({ stats }) => {
    figures.value = stats;
  });
}
