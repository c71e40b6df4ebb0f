/** What the questions of the screens name: queues, jobs, groups, workers and places deep in lists of the big tenant. */
import { DeadLetterGroupsDocument, JobsDocument, type JobsQuery, WorkersDocument, JobEventsDocument } from '../../src/client/generated/graphql.ts';
import { BIG_TENANT, placesOf, RARE_TASK } from '../fill/console-shape.ts';
import { GraphqlClient } from '../load/graphql-client.ts';
import type { ScreenShape } from '../scale.ts';

export interface Facts {
  readonly queues: readonly string[];
  readonly groups: readonly string[];
  readonly jobIds: readonly string[];
  readonly workers: readonly string[];
  /** In the list of all jobs, newest first: each much further along than the one before. */
  readonly deepCursors: readonly string[];
  readonly eventCursors: readonly string[];
  readonly groupCursor: string | null;
}

type Jobs = NonNullable<JobsQuery['jobs']>;
type Call = <Result>(field: string, document: { toString(): string }, variables: object) => Promise<Result>;

const DEEP = 20;
const STEP = 50_000;
const STATES = ['QUEUED', 'RUNNING', 'RETRY', 'COMPLETED', 'DEAD', 'CANCELLED'] as const;

export async function factsOf(url: string, shape: ScreenShape): Promise<Facts> {
  const client = new GraphqlClient(url);
  const call: Call = (field, document, variables) => client.call(field, document.toString(), variables, BIG_TENANT);
  const queues = placesOf(shape).flatMap(({ tenant, queue }) => (tenant === BIG_TENANT ? [queue] : []));
  const groups = await call<{ readonly nodes: readonly { readonly id: string }[]; readonly pageInfo: { readonly endCursor: string | null } }>(
    'deadLetterGroups',
    DeadLetterGroupsDocument,
    { first: 50 },
  );
  const workers = await call<readonly { readonly id: string }[]>('workers', WorkersDocument, { states: ['ACTIVE'], first: 50 });
  const facts = {
    queues,
    groups: groups.nodes.map(({ id }) => id),
    groupCursor: groups.pageInfo.endCursor,
    workers: workers.map(({ id }) => id),
    jobIds: await someJobs(call, queues),
    deepCursors: await placesIn(call),
    eventCursors: await eventsIn(call),
  };
  client.close();
  return facts;
}

/** Of every state, from several queues. */
async function someJobs(call: Call, queues: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const queue of queues.slice(0, 10))
    for (const state of STATES) {
      const { nodes } = await call<Jobs>('jobs', JobsDocument, { first: 5, filter: { queues: [queue], states: [state] } });
      ids.push(...nodes.map(({ id }) => id));
    }
  return ids;
}

/** A search for what is rare stops after so many jobs, and tells where. */
async function placesIn(call: Call): Promise<readonly string[]> {
  const cursors: string[] = [];
  let after: string | null = null;
  for (let place = 0; place < DEEP; place++) {
    const page: Jobs = await call<Jobs>('jobs', JobsDocument, { first: 1, after, filter: { tasks: [RARE_TASK] }, lookThroughMax: STEP });
    after = page.pageInfo.endCursor;
    if (after === null || !page.pageInfo.hasNextPage) break;
    cursors.push(after);
  }
  return cursors;
}

async function eventsIn(call: Call): Promise<readonly string[]> {
  const cursors: string[] = [];
  let after: string | null = null;
  for (let place = 0; place < DEEP; place++) {
    const { cursor }: { readonly cursor: string } = await call<{ readonly cursor: string }>('jobEvents', JobEventsDocument, { first: 100, after });
    cursors.push((after = cursor));
  }
  return cursors;
}
