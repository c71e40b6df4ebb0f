/** Events and the pages and messages they come in. */
import type { EventDetail, JobEvent } from '../domain/events.ts';
import type { EventPage, LogGap } from '../store/answers.ts';
import { LIMITS } from '../domain/limits.ts';
import type { LogPosition } from '../store/requests.ts';
import { builder } from './builder.ts';
import { writeEventCursor } from './cursors.ts';
import { GapReasonEnum, JobEventKindEnum, JobStateEnum } from './enums.ts';
import { readJob } from './reads.ts';
import { JobRef } from './refs.ts';
import { count, listOf, needs, pageItems } from './terms.ts';

/** An event of the log that `epoch` names. */
interface LoggedEvent extends JobEvent {
  readonly epoch: string;
}

const logged = (events: readonly JobEvent[], { epoch }: LogPosition): readonly LoggedEvent[] => events.map((event) => ({ ...event, epoch }));

function printedDetail({ runAtMs, priority, maxAttempts, leaseExpiresAtMs, reason }: EventDetail) {
  return { runAt: printedInstant(runAtMs), priority, maxAttempts, leaseExpiresAt: printedInstant(leaseExpiresAtMs), reason };
}

function printedInstant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

const JobEventRef = builder.objectRef<LoggedEvent>('JobEvent').implement({
  description: 'A transition of a job, recorded in the same commit. Never holds a token, a key or a payload.',
  fields: (t) => ({
    cursor: t.field({
      type: 'EventCursor',
      description: "Its place in the tenant's log, strictly increasing in commit order. Pass it as `after` to go on from here.",
      resolve: (event, _args, { principal }) => writeEventCursor(principal.tenant, event),
    }),
    kind: t.expose('kind', { type: JobEventKindEnum, description: 'What happened.' }),
    jobId: t.exposeID('jobId', { description: 'The job it happened to.' }),
    queueName: t.exposeString('queue', { description: "Name of the job's queue." }),
    task: t.exposeString('task', { description: "The job's task." }),
    fromState: t.expose('fromState', { type: JobStateEnum, nullable: true, description: 'The state before; null for a submission.' }),
    toState: t.expose('toState', { type: JobStateEnum, description: 'The state after.' }),
    attempt: t.exposeInt('attempt', { description: "The job's attempt after it." }),
    fence: t.exposeInt('fence', { description: "The job's fencing token after it." }),
    at: t.expose('atMs', { type: 'DateTime', description: 'When it happened.' }),
    workerId: t.exposeString('workerId', { nullable: true, description: 'The worker that held or took the lease; null where none did.' }),
    actor: t.exposeString('actor', { nullable: true, description: 'API key name of whoever caused it; null for the server itself.' }),
    detail: t.field({
      type: 'JSON',
      nullable: true,
      description: 'More about it, as far as it applies: `runAt`, `priority`, `maxAttempts`, `leaseExpiresAt`, `reason`.',
      resolve: ({ detail }) => detail && printedDetail(detail),
    }),
    job: t.field({
      type: JobRef,
      extensions: needs('READ'),
      nullable: true,
      description: 'The job as it is now, not as it was; null once it is removed.',
      resolve: ({ jobId }, _args, context) => readJob(context, jobId),
    }),
  }),
});

const JobEventGapRef = builder.objectRef<LogGap>('JobEventGap').implement({
  description: 'Events after the given cursor are gone (retention, or the store was restored). Reload state, then follow from `resumeAt`.',
  fields: (t) => ({
    reason: t.expose('reason', { type: GapReasonEnum, description: 'Why they are gone.' }),
    resumeAt: t.field({
      type: 'EventCursor',
      description: 'Follow from here after reloading state: nothing is skipped from here on.',
      resolve: ({ resumeAt }, _args, { principal }) => writeEventCursor(principal.tenant, resumeAt),
    }),
    oldestAvailable: t.field({
      type: 'EventCursor',
      nullable: true,
      description: 'Just before the oldest event that is still kept; null where none is.',
      resolve: ({ oldestAvailable }, _args, { principal }) => oldestAvailable && writeEventCursor(principal.tenant, oldestAvailable),
    }),
  }),
});

export const JobEventPageRef = builder.objectRef<EventPage>('JobEventPage').implement({
  description: 'A page of events, oldest first.',
  fields: (t) => ({
    nodes: t.field({ type: [JobEventRef], extensions: pageItems(), description: 'The events.', resolve: ({ events, position }) => logged(events, position) }),
    gap: t.expose('gap', {
      type: JobEventGapRef,
      nullable: true,
      description: 'Set when history after `after` is gone: reload state, go on from its `resumeAt`.',
    }),
    cursor: t.field({
      type: 'EventCursor',
      description: 'Pass it as `after` to read on; set even on an empty page.',
      resolve: ({ position }, _args, { principal }) => writeEventCursor(principal.tenant, position),
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'True if more events are there already.' }),
  }),
});

interface Batch {
  readonly events: readonly JobEvent[];
  readonly position: LogPosition;
  readonly caughtUp: boolean;
  readonly passedOver: number | null;
}

const JobEventBatchRef = builder.objectRef<Batch>('JobEventBatch').implement({
  description: 'Events in commit order. An empty batch that has caught up says that nothing is left to replay.',
  fields: (t) => ({
    events: t.field({
      type: [JobEventRef],
      extensions: listOf(count(LIMITS.feedBatchEventsMax, 'maxBatch')),
      description: 'The events, oldest first.',
      resolve: ({ events, position }) => logged(events, position),
    }),
    cursor: t.field({
      type: 'EventCursor',
      description: 'Everything up to here was sent or did not match the filter: pass it as `after` to subscribe again without gap or repeat.',
      resolve: ({ position }, _args, { principal }) => writeEventCursor(principal.tenant, position),
    }),
    passedOver: t.exposeInt('passedOver', {
      nullable: true,
      description:
        'With `newestOnly`: events before these that were left out; null where there are some and the filter keeps their number from being known. Else 0.',
    }),
    caughtUp: t.exposeBoolean('caughtUp', { description: 'False while history is still being replayed.' }),
  }),
});

export const JobEventFeedRef = builder.unionType('JobEventFeed', {
  description: 'One message of the feed: a batch, or the news that the cursor is too old.',
  types: [JobEventBatchRef, JobEventGapRef],
  resolveType: (message) => ('caughtUp' in message ? JobEventBatchRef : JobEventGapRef),
});
