/** Who works: the registry of workers, as observers see it. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import { WORKER_STATES } from '../domain/worker-state.ts';
import type { Worker } from '../store/answers.ts';
import { builder } from './builder.ts';
import { WorkerStateEnum } from './enums.ts';
import * as check from './inputs.ts';
import { fewItems, needs, WEIGHTS, weighs } from './terms.ts';

/** How far back `workers` may look: a day, after which a worker is forgotten. */
const SEEN_WITHIN_SECONDS = { max: 86_400, default: 300 } as const;

const WorkerRef = builder.objectRef<Worker>('Worker').implement({
  description: 'A worker that has claimed lately, by the name it gave itself.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `workerId` of its claims.' }),
    queues: t.exposeStringList('queues', { description: 'Queues that it claimed from.' }),
    tasks: t.exposeStringList('tasks', {
      nullable: true,
      description: 'Tasks that it claimed. Null where it named none and took any, or where this key may not see all of its queues.',
    }),
    state: t.expose('state', { type: WorkerStateEnum, description: 'Whether it is at work, waits for work, or was lost, as of now.' }),
    runningJobs: t.exposeInt('runningJobs', { description: 'Jobs that it holds now.' }),
    soonestLeaseExpiresAt: t.expose('soonestLeaseExpiresAtMs', {
      type: 'DateTime',
      nullable: true,
      description: 'When the first of its leases runs out, unless a heartbeat extends it; null where it holds none.',
    }),
    firstSeenAt: t.expose('firstSeenAtMs', { type: 'DateTime', description: 'Its first claim since it was last forgotten: after a day without a sign.' }),
    lastSeenAt: t.expose('lastSeenAtMs', { type: 'DateTime', description: 'Its latest claim or heartbeat.' }),
  }),
});

const selection = z.object({
  seenWithinSeconds: check.whole(1, SEEN_WITHIN_SECONDS.max).nullish(),
  first: check.whole(1, LIMITS.workersMax).nullish(),
  after: check.workerId.nullish(),
  states: check.filterValues(z.enum(WORKER_STATES, 'must be a state')),
});

builder.queryField('workers', (t) =>
  t.field({
    type: [WorkerRef],
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.tenantFigures), ...fewItems() },
    nullable: true,
    description: 'Workers that were seen lately or hold leases, each by the name it gave itself, in the order of these names.',
    args: {
      seenWithinSeconds: t.arg.int({
        defaultValue: SEEN_WITHIN_SECONDS.default,
        description: `How long ago a worker was seen at most, in seconds: 1 to ${SEEN_WITHIN_SECONDS.max}.`,
      }),
      first: t.arg.int({ description: `Workers at most, 1 to ${LIMITS.workersMax}; fewer are the last ones. Absent: all of them.` }),
      after: t.arg.id({ description: 'Only workers after this id: that of the last worker of the page before.' }),
      states: t.arg({ type: [WorkerStateEnum], description: 'Only workers in these states; an empty list matches nothing. Absent: any.' }),
    },
    resolve: (_root, args, { store, principal }) => {
      const { seenWithinSeconds, first, after, states } = check.parseInput(selection, args, []);
      const seconds = seenWithinSeconds ?? SEEN_WITHIN_SECONDS.default;
      return store.workers(principal.tenant, store.nowMs() - seconds * 1000, {
        limit: first ?? undefined,
        after: after ?? undefined,
        states: states ?? undefined,
      });
    },
  }),
);
