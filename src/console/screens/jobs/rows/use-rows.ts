/** The rows of a page, brought up to date in place: none moves, leaves or comes. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { JobRowFragment } from '../../../../client/index.ts';
import { FollowJobEventsDocument, type FollowJobEventsSubscriptionVariables } from '../../../../client/generated/graphql.ts';
import { useLive } from '../../../api/use-live.ts';
import type { JobsPage } from './page.ts';
import { type Rereads, RowRefresher } from './refresher.ts';

export interface ShownRow extends JobRowFragment {
  /** Removed since the page was read. */
  readonly isGone: boolean;
}

const EVERY_MS = 500;

interface Fresh {
  readonly page: JobsPage | null;
  readonly rows: ReadonlyMap<string, JobRowFragment | null>;
}
const NOTHING: Fresh = { page: null, rows: new Map() };

export interface Rows {
  readonly rows: readonly ShownRow[];
  /** Why the server does not tell of changes; null where it does. */
  readonly refusal: string | null;
}

/** `onGap` is called where events are missing, so that the page has to be read again. */
export function useRows(page: JobsPage | null, onGap: () => void): Rows {
  const fresh = useSignal(NOTHING);
  const refresher = useMemo(() => new RowRefresher((read) => (fresh.value = withRead(fresh.value, page, read))), [page, fresh]);
  useEffect(() => () => refresher.close(), [refresher]);
  const refusal = useLive(FollowJobEventsDocument, followedFrom(page), ({ jobEvents }, variables) => {
    if (jobEvents.__typename === 'JobEventGap') return onGap();
    variables.after = jobEvents.cursor;
    refresher.changed(jobEvents.events.map(({ jobId }) => jobId));
  });
  const known = fresh.value.page === page ? fresh.value.rows : NOTHING.rows;
  const rows = useMemo(() => (page?.rows ?? []).map((row) => shown(row, known)), [page, known]);
  return { rows, refusal };
}

function withRead(before: Fresh, page: JobsPage | null, read: Rereads): Fresh {
  return { page, rows: new Map([...(before.page === page ? before.rows : []), ...read]) };
}

function shown(row: JobRowFragment, fresh: Fresh['rows']): ShownRow {
  const known = fresh.get(row.id);
  return { ...(known ?? row), isGone: known === null };
}

function followedFrom(page: JobsPage | null): FollowJobEventsSubscriptionVariables | null {
  if (page === null || page.rows.length === 0) return null;
  return { after: page.cursor, filter: { jobIds: page.rows.map(({ id }) => id) }, maxBatch: 200, everyMs: EVERY_MS };
}
