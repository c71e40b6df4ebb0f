/** What open pages of the console ask and follow, and how often: as the screens do it. */
import * as api from '../../src/client/generated/graphql.ts';

interface Document {
  toString(): string;
}
export interface Asked {
  readonly document: string;
  readonly variables: object;
}
export interface Question extends Asked {
  /** After each answer. */
  readonly everyMs: number;
}
/** One page. Everything that it follows runs over one socket. */
export interface Seat {
  readonly follows: readonly Asked[];
  readonly asks: readonly Question[];
  /** A list: its rows are read, followed, and read again where they changed. */
  readonly list?: Asked;
  /** The page of the first job of the list: it and its events are followed and asked for again. */
  readonly isOfOneJob?: boolean;
}

const EVERY_SECONDS = 2;
const LOOK_THROUGH_MAX = 10_000;

function one(document: Document, variables: object = {}): Asked {
  return { document: document.toString(), variables };
}

function again(everyMs: number, document: Document, variables: object = {}): Question {
  return { ...one(document, variables), everyMs };
}

const stats = one(api.FollowStatsDocument, { everySeconds: EVERY_SECONDS });
const series = (variables: object = {}): Question => again(15_000, api.SeriesDocument, { period: 'HOUR', ...variables });
const rows = (variables: object): Asked => one(api.JobRowsDocument, { first: 50, lookThroughMax: LOOK_THROUGH_MAX, ...variables });

const OVERVIEW: Seat = {
  follows: [stats, one(api.FollowQueuesDocument, { first: 50, everySeconds: EVERY_SECONDS })],
  asks: [series(), again(10_000, api.WorkersDocument, { states: ['SILENT'], first: 20 })],
};

function queuePage(queue: string): Seat {
  return { follows: [stats, one(api.FollowQueueDocument, { name: queue, everySeconds: EVERY_SECONDS })], asks: [series({ queue })] };
}

function jobList(filter: object, orderBy: string): Seat {
  return {
    follows: [stats],
    asks: [again(10_000, api.CountJobsDocument, { filter, lookThroughMax: LOOK_THROUGH_MAX })],
    list: rows({ filter, orderBy }),
  };
}

function jobPage(filter: object): Seat {
  return { follows: [stats], asks: [], list: rows({ first: 1, filter }), isOfOneJob: true };
}

const WORKERS: Seat = {
  follows: [stats],
  asks: [
    again(2_000, api.LeasesDocument, { first: 50 }),
    again(5_000, api.WorkersDocument, { seenWithinSeconds: 300, first: 100 }),
    again(5_000, api.WorkersDocument, { states: ['SILENT'], first: 100 }),
  ],
};

const LIVE: Seat = { follows: [stats, one(api.FollowJobEventsDocument, { filter: {}, maxBatch: 200, everyMs: 500, newestOnly: true })], asks: [] };

function times(count: number, seat: Seat): readonly Seat[] {
  return Array.from({ length: count }, () => seat);
}

/** Twenty people: most look at the overview, some at the queue that is busy. */
export function twentySeats(queue: string): readonly Seat[] {
  return [
    ...times(8, OVERVIEW),
    ...times(3, queuePage(queue)),
    jobList({}, 'NEWEST_FIRST'),
    jobList({ queues: [queue], states: ['COMPLETED'] }, 'RECENTLY_FINISHED'),
    jobList({ states: ['QUEUED'] }, 'NEXT_TO_RUN'),
    jobList({ states: ['RUNNING'] }, 'NEWEST_FIRST'),
    jobPage({ queues: [queue], states: ['QUEUED'] }),
    jobPage({ states: ['COMPLETED'] }),
    ...times(2, WORKERS),
    LIVE,
  ];
}
