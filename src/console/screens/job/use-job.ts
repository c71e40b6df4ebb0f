/** All that is known of one job while its page is open: asked again when something happens to it, kept when it goes. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type {
  AttemptFieldsFragment,
  EventFieldsFragment,
  FollowJobEventsSubscription,
  JobHistoryQuery,
  JobPageQuery,
  LeaseQueueError,
} from '../../../client/index.ts';
import { FollowJobEventsDocument, JobAttemptsDocument, JobHistoryDocument, JobPageDocument } from '../../../client/generated/graphql.ts';
import { lq } from '../../api/session.ts';
import { isVisible, nowMs } from '../../api/time.ts';
import { useLive } from '../../api/use-live.ts';
import { useLoaded } from '../../api/use-loaded.ts';

/** Heartbeats leave no events: so often is a lease looked at. */
const RUNNING_EVERY_MS = 5_000;
/** What happens without an event, such as removal by retention, is seen after so long. */
const QUIET_EVERY_MS = 30_000;

export type JobShown = NonNullable<JobPageQuery['job']>;
type History = NonNullable<JobHistoryQuery['job']>['events'];

export interface Gone {
  readonly at: string;
  /** Who removed it; null where that is not known. */
  readonly by: string | null;
  /** False: `at` is when it was missed, not when it went. */
  readonly isExact: boolean;
}

export interface JobView {
  /** As it was last seen; null before, and where there is none. */
  readonly job: JobShown | null;
  /** There was none from the start. */
  readonly isMissing: boolean;
  readonly gone: Gone | null;
  readonly error: LeaseQueueError | null;
  /** Why its events cannot be followed; null where they are. */
  readonly refusal: string | null;
  /** Oldest first, as far as they are loaded. */
  readonly attempts: readonly AttemptFieldsFragment[];
  readonly events: readonly EventFieldsFragment[];
  /** How many of `events` come before those that are not loaded yet; null where all are. */
  readonly gapAfter: number | null;
  readonly loadEvents: () => Promise<null>;
  /** Null where all are loaded. */
  readonly loadAttempts: (() => Promise<null>) | null;
  readonly reload: () => void;
}

async function historyOf(id: string, after: string | null, signal?: AbortSignal): Promise<History | null> {
  const { job } = await lq.value.caller.call(JobHistoryDocument, { id, after }, { isRepeatable: true, ...(signal && { signal }) });
  return job?.events ?? null;
}

/** The attempts of a job, whichever pages they came with. */
function useLedger(id: string) {
  const byFence = useSignal<ReadonlyMap<number, AttemptFieldsFragment>>(new Map());
  const older = useSignal<string | null>(null);
  const hasPaged = useRef(false);
  const add = ({ nodes, pageInfo }: Pick<JobShown['attempts'], 'nodes' | 'pageInfo'>, isOlder: boolean): void => {
    byFence.value = new Map([...byFence.value, ...nodes.map((attempt) => [attempt.fence, attempt] as const)]);
    if (isOlder || !hasPaged.current) older.value = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    hasPaged.current ||= isOlder;
  };
  const loadOlder = async (): Promise<null> => {
    const { job } = await lq.value.caller.call(JobAttemptsDocument, { id, after: older.value }, { isRepeatable: true });
    if (job !== null) add(job.attempts, true);
    return null;
  };
  const attempts = [...byFence.value.values()].toSorted((one, other) => one.fence - other.fence);
  return { attempts, add, loadOlder: older.value === null ? null : loadOlder };
}

/** The events of a job: pages from its first one on, and what has come live since. */
function useTimeline(id: string) {
  const pages = useSignal<History | null>(null);
  const live = useSignal<readonly EventFieldsFragment[]>([]);
  const loaded = pages.value?.nodes ?? [];
  const known = new Set(loaded.map(({ cursor }) => cursor));
  const events = [...loaded, ...live.value.filter(({ cursor }) => !known.has(cursor))];
  const loadMore = async (): Promise<null> => {
    const next = await historyOf(id, pages.value?.cursor ?? null);
    if (next !== null) pages.value = { ...next, nodes: [...loaded, ...next.nodes] };
    return null;
  };
  const addLive = (added: readonly EventFieldsFragment[]): void => {
    const had = new Set(live.value.map(({ cursor }) => cursor));
    live.value = [...live.value, ...added.filter(({ cursor }) => !had.has(cursor))];
  };
  return { pages, events, gapAfter: pages.value?.hasMore === true ? loaded.length : null, loadMore, addLive };
}

/** Follows the job's events from `start` on. */
function useFeed(id: string, start: string | null, onEvents: (events: readonly EventFieldsFragment[]) => void, onGap: () => void): string | null {
  const latest = useRef<string | null>(null);
  // What was seen need not be sent again to a page that was out of sight.
  const variables = useMemo(
    () => (start === null ? null : { after: latest.current ?? start, filter: { jobIds: [id] }, maxBatch: 200, everyMs: 250 }),
    [id, start, isVisible.value],
  );
  return useLive(FollowJobEventsDocument, variables, ({ jobEvents }: FollowJobEventsSubscription, given) => {
    if (jobEvents.__typename === 'JobEventGap') {
      latest.current = null;
      onGap();
      return;
    }
    latest.current = given.after = jobEvents.cursor;
    if (jobEvents.events.length > 0) onEvents(jobEvents.events);
  });
}

export function useJob(id: string): JobView {
  const shown = useSignal<JobShown | null>(null);
  const gone = useSignal<Gone | null>(null);
  /** The end of the log before the job was first looked at: from there on nothing is missed. */
  const start = useSignal<string | null>(null);
  const ledger = useLedger(id);
  const timeline = useTimeline(id);

  const load = async (signal: AbortSignal): Promise<{ readonly isThere: boolean }> => {
    const from = start.value ?? (await lq.value.latestEventCursor({ signal }));
    const [{ job }, first] = await Promise.all([
      lq.value.caller.call(JobPageDocument, { id }, { isRepeatable: true, signal }),
      timeline.pages.value ?? historyOf(id, null, signal),
    ]);
    if (signal.aborted) return { isThere: true };
    if (job === null) {
      if (shown.value !== null) gone.value ??= { at: new Date(nowMs.value).toISOString(), by: null, isExact: false };
      return { isThere: false };
    }
    shown.value = job;
    ledger.add(job.attempts, false);
    timeline.pages.value ??= first;
    start.value = from;
    return { isThere: true };
  };
  const everyMs = shown.value?.state === 'RUNNING' ? RUNNING_EVERY_MS : QUIET_EVERY_MS;
  const loaded = useLoaded(gone.value === null ? id : null, load, { everyMs });

  const onEvents = (events: readonly EventFieldsFragment[]): void => {
    timeline.addLive(events);
    const removal = events.find(({ kind }) => kind === 'PURGED');
    if (removal === undefined) loaded.reload();
    else gone.value = { at: removal.at, by: removal.actor, isExact: true };
  };
  const onGap = (): void => {
    timeline.pages.value = start.value = null;
    loaded.reload();
  };
  // The event of its removal tells more than its absence, and may come later.
  const refusal = useFeed(id, gone.value?.isExact === true ? null : start.value, onEvents, onGap);

  return {
    job: shown.value,
    isMissing: shown.value === null && loaded.value?.isThere === false,
    gone: gone.value,
    error: loaded.error,
    refusal,
    attempts: ledger.attempts,
    events: timeline.events,
    gapAfter: timeline.gapAfter,
    loadEvents: timeline.loadMore,
    loadAttempts: ledger.loadOlder,
    reload: loaded.reload,
  };
}
