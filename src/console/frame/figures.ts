/** The tenant's figures, kept up to date by one subscription for the whole page. */
import { signal } from '@preact/signals';
import type { StatsFieldsFragment } from '../../client/index.ts';
import { FollowStatsDocument } from '../../client/generated/graphql.ts';
import { useLive } from '../api/use-live.ts';

/** Null before the first word of the server. */
export const figures = signal<StatsFieldsFragment | null>(null);

export function useFigures(): void {
  useLive(FollowStatsDocument, { everySeconds: 2 }, ({ stats }) => {
    figures.value = stats;
  });
}
