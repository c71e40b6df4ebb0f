/** Figures over time, of a queue and of the whole tenant. */
import { HISTOGRAM_BOUNDS_MS } from '../domain/histogram.ts';
import type { Series, SeriesPoint } from '../store/answers.ts';
import { builder } from './builder.ts';
import { QueueRef } from './refs.ts';
import { fewItems, needs, WEIGHTS, weighs } from './terms.ts';

const SeriesPeriodEnum = builder.enumType('SeriesPeriod', {
  description: 'How far back, and in which steps.',
  values: {
    HOUR: { value: 'hour', description: '60 steps of a minute.' },
    DAY: { value: 'day', description: '96 steps of 15 minutes.' },
    WEEK: { value: 'week', description: '168 steps of an hour.' },
  },
});

const BOUNDS = HISTOGRAM_BOUNDS_MS.map((ms) => String(ms / 1_000)).join(', ');
const EXACTNESS =
  `Times are counted between fixed bounds (${BOUNDS} seconds) and taken to lie evenly within them: the true figure is between the same two bounds. ` +
  'What took longer than a day shows as a day.';

const AT_END = ' at the end of the step, or now; null before this server kept series.';

const SeriesPointRef = builder.objectRef<SeriesPoint>('SeriesPoint').implement({
  description: 'One step of a series.',
  fields: (t) => ({
    at: t.expose('atMs', { type: 'DateTime', description: 'When the step begins.' }),
    submitted: t.exposeInt('submitted', { description: 'Jobs submitted; repeats of an idempotency key do not count.' }),
    claimed: t.exposeInt('claimed', { description: 'Leases handed out.' }),
    completed: t.exposeInt('completed', { description: 'Jobs completed.' }),
    failed: t.exposeInt('failed', { description: 'Attempts that failed, and jobs whose last lease ran out.' }),
    died: t.exposeInt('died', { description: 'Jobs that became dead letters.' }),
    expired: t.exposeInt('expired', { description: 'Leases that ran out unsettled, when it was noticed.' }),
    ready: t.int({ nullable: true, description: `Waiting and due${AT_END}`, resolve: ({ depth }) => depth?.ready ?? null }),
    delayed: t.int({ nullable: true, description: `Waiting with \`runAt\` ahead${AT_END}`, resolve: ({ depth }) => depth?.delayed ?? null }),
    running: t.int({ nullable: true, description: `RUNNING jobs${AT_END}`, resolve: ({ depth }) => depth?.running ?? null }),
    retry: t.int({ nullable: true, description: `Jobs waiting for another attempt${AT_END}`, resolve: ({ depth }) => depth?.retry ?? null }),
    dead: t.int({ nullable: true, description: `Dead letters that were still kept${AT_END}`, resolve: ({ depth }) => depth?.dead ?? null }),
    waitP50Seconds: t.float({
      nullable: true,
      description:
        'Half of the jobs that were claimed had been due for at most so long; null where none was claimed. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ wait }) => wait.p50Seconds,
    }),
    waitP95Seconds: t.float({
      nullable: true,
      description: `95 of 100 of the jobs that were claimed had been due for at most so long; null where none was claimed. ${EXACTNESS}`,
      resolve: ({ wait }) => wait.p95Seconds,
    }),
    waitP99Seconds: t.float({
      nullable: true,
      description:
        '99 of 100 of the jobs that were claimed had been due for at most so long; null where none was claimed. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ wait }) => wait.p99Seconds,
    }),
    runP50Seconds: t.float({
      nullable: true,
      description: 'Half of the attempts that ended had run for at most so long; null where none ended. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ run }) => run.p50Seconds,
    }),
    runP95Seconds: t.float({
      nullable: true,
      description: '95 of 100 of the attempts that ended had run for at most so long; null where none ended. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ run }) => run.p95Seconds,
    }),
    runP99Seconds: t.float({
      nullable: true,
      description: '99 of 100 of the attempts that ended had run for at most so long; null where none ended. As exact as `SeriesPoint.waitP95Seconds`.',
      resolve: ({ run }) => run.p99Seconds,
    }),
  }),
});

const SeriesRef = builder.objectRef<Series>('Series').implement({
  description: 'Figures over time, up to now. What happened before the server kept series is not in them.',
  fields: (t) => ({
    period: t.expose('period', { type: SeriesPeriodEnum, description: 'The period that was asked for.' }),
    stepSeconds: t.exposeInt('stepSeconds', { description: 'The length of a step.' }),
    from: t.expose('fromMs', { type: 'DateTime', description: 'When the first step begins.' }),
    to: t.expose('toMs', { type: 'DateTime', description: 'When the figures were taken: the last step is still going on.' }),
    points: t.expose('points', { type: [SeriesPointRef], extensions: fewItems(), description: 'Every step, the oldest first.' }),
  }),
});

builder.objectField(QueueRef, 'series', (t) =>
  t.field({
    type: SeriesRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.series) },
    description: 'Its figures over time.',
    args: { period: t.arg({ type: SeriesPeriodEnum, required: true, defaultValue: 'hour', description: 'How far back.' }) },
    resolve: ({ name }, { period }, { store, principal }) => store.series(principal.tenant, [name], period),
  }),
);

builder.queryField('series', (t) =>
  t.field({
    type: SeriesRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.series) },
    nullable: true,
    description: 'Figures over time; null where there is no queue of this name.',
    args: {
      queue: t.arg.string({ description: 'The queue. Absent: all queues, added up.' }),
      period: t.arg({ type: SeriesPeriodEnum, required: true, defaultValue: 'hour', description: 'How far back.' }),
    },
    resolve: async (_root, { queue, period }, { store, principal: { tenant } }) => {
      if (typeof queue !== 'string') return store.series(tenant, null, period);
      return (await store.queue(tenant, queue)) === null ? null : store.series(tenant, [queue], period);
    },
  }),
);
